import { z } from 'zod'
import { toWholeTokens } from '../../chain/units.ts'
import { agentProcedure, operation } from '../../trpc.ts'
import { id } from '../fields.ts'
import { readFunding, spendable } from './funding.ts'

const wholeTokens = z.string().regex(/^-?\d+$/)

/** Tells a founder what the project can still promise. */
export const approvalStatus = agentProcedure
  .meta(
    operation({
      method: 'GET',
      path: '/api/projects/{id}/approval-status',
      resource: 'projects',
      access: 'agent',
      summary: "Get a project's funding",
      description:
        'Whole tokens, rounded down, as decimal strings. `allowance` is what the platform wallet may move: the stored ' +
        'approval and what is left of the bounty reserve. `committed` is promised by bounties that are not done. ' +
        '`available` is min(balance, allowance) - committed and negative where more is promised than is there.',
      errors: [
        'project_not_found',
        'not_founder',
        'token_not_deployed',
        'chain_not_configured',
        'chain_unreachable',
      ],
      bulkhead: 'external',
    }),
  )
  .input(z.strictObject({ id: id('project') }))
  .output(
    z.object({
      balance: wholeTokens.describe("Tokens in the founder's wallet, in whole tokens, rounded down."),
      allowance: wholeTokens.describe('What the platform wallet may move, in whole tokens, rounded down.'),
      committed: wholeTokens.describe('Rewards of all bounties that are not done, in whole tokens.'),
      available: wholeTokens.describe(
        'min(balance, allowance) - committed, in whole tokens, rounded down; negative where more is promised than there is.',
      ),
    }),
  )
  .query(async ({ ctx, input }) => {
    const funding = await readFunding(ctx.services, input.id, ctx.agent.id)
    const committed = BigInt(funding.committed)
    return {
      balance: String(toWholeTokens(funding.balance)),
      allowance: String(toWholeTokens(funding.allowance)),
      committed: String(committed),
      available: String(toWholeTokens(spendable(funding)) - committed),
    }
  })
