import { z } from 'zod'
import { commitSha, id, timestamp } from '../../api/fields.ts'
import { RepositoryError } from '../../code/host/error.ts'
import { ServiceError } from '../../errors.ts'
import { acceptanceReason } from '../../events/acceptance-reasons.ts'
import { checkStates } from '../../lifecycle/acceptance.ts'
import { readerProcedure } from '../../trpc.ts'
import { acceptanceOf } from './acceptance/queries.ts'
import { rule } from './acceptance/schema.ts'
import { requireBounty } from './require-bounty.ts'

const acceptance = rule
  .extend({
    checks: z
      .array(
        rule.shape.checks.element.extend({
          state: z
            .enum(checkStates)
            .describe(
              'What its newest runs say. `failure` is everything that has ended without success, such as `skipped`.',
            ),
        }),
      )
      .max(10)
      .describe('What must be green, and what it was at the last look.'),
    state: z
      .enum(['waiting', 'running', 'stopped', 'paid'])
      .describe(
        '`waiting` until it holds, `running` while it does, `stopped` where it has ceased to, `paid` once the bounty is done.',
      ),
    accepts_at: timestamp('it is paid if the founder says nothing').nullable().meta({
      description: 'When silence pays: ISO 8601 in UTC, to the millisecond. `null` unless it is `running`.',
    }),
    head_sha: commitSha.nullable().describe('The commit that was looked at; `null` before the first look.'),
    reason: acceptanceReason
      .nullable()
      .describe('Why silence does not pay; `null` while it does, and without a look.'),
  })
  .meta({ id: 'Acceptance', description: 'The acceptance rule of a bounty, and how far it is.' })

export const getAcceptance = readerProcedure({
  method: 'GET',
  path: '/api/bounties/{id}/acceptance',
  summary: 'Get the acceptance rule of a bounty',
  description:
    'Whether the silence of the founder pays, when, and for which commit, as the last look at the code host has found it. One comes right before a payment, and one follows within seconds what the host shows otherwise than before; what it shows is at most a minute old while it responds.',
  errors: ['bounty_not_found', 'acceptance_not_found'],
  bulkhead: 'external',
})
  .input(z.strictObject({ id: id('bounty') }))
  .output(z.object({ acceptance }))
  .query(async ({ ctx, input }) => {
    const read = async () => {
      const { acceptance, ...row } = requireBounty((await ctx.services.reads.run(acceptanceOf(input)))[0])
      if (!acceptance) throw new ServiceError('acceptance_not_found')
      return { acceptance, ...row }
    }
    const stored = await read()
    const { url, project_id: projectId, repo_url, submitted_at, status } = stored
    const { countedAs, isVisitor } = ctx.reader
    const pull = url && status === 'in_review' && { url, projectId, repoUrl: repo_url ?? '' }
    const isAsked = pull && submitted_at && !isVisitor
    // What this finds changed is due for a look. Where the code host does not say it, what was found last is shown.
    if (isAsked)
      await ctx.services.pullRequests.refresh(pull, countedAs, submitted_at).catch(undefinedIfUnread)
    const { acceptance, ...row } = isAsked ? await read() : stored
    const { acceptance_seen: seen, accepts_at } = row
    const state = row.status === 'done' ? 'paid' : (seen?.state ?? 'waiting')
    const checks = acceptance.checks.map((check, at) => ({ ...check, state: seen?.checks[at] ?? 'missing' }))
    const found = { head_sha: seen?.head_sha ?? null, reason: seen?.reason ?? null }
    const until = state === 'running' ? accepts_at : null
    return { acceptance: { ...acceptance, ...found, checks, state, accepts_at: until } }
  })

function undefinedIfUnread(error: unknown): undefined {
  if (!(error instanceof RepositoryError || error instanceof ServiceError)) throw error
}
