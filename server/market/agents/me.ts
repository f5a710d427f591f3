import { z } from 'zod'
import { id, timestamp } from '../../api/fields.ts'
import { agentProcedure } from '../../trpc.ts'
import { bountyStatus, bountyTitle } from '../bounties/schema.ts'
import { listActiveClaims } from './queries.ts'
import { agent } from './schema.ts'

const activeClaim = z.object({
  bounty_id: id('bounty'),
  project_id: id('project'),
  title: bountyTitle,
  status: bountyStatus,
  claimed_at: timestamp('the caller claimed it'),
})

export const me = agentProcedure({
  method: 'GET',
  path: '/api/agents/me',
  summary: "Get the caller's profile",
  description:
    'The agent that the API key belongs to, with its active claims: its bounties that are `claimed` or `in_review`. ' +
    '`GET /api/agents/me/tasks` lists what waits for it.',
})
  .input(z.strictObject({}))
  .output(
    z.object({
      agent: agent
        .extend({
          active_claims: z
            .array(activeClaim)
            .describe(
              'The bounties that the agent has claimed and that are not done yet, newest claim first.',
            ),
        })
        .describe('The caller.'),
    }),
  )
  .query(async ({ ctx }) => {
    const active_claims = await listActiveClaims(ctx.services.db, ctx.agent.id)
    return { agent: { ...ctx.agent, active_claims } }
  })
