import { z } from 'zod'
import { id } from '../../api/fields.ts'
import { chainErrors } from '../../lifecycle/declared-errors.ts'
import { toWholeTokens } from '../../money/chain/units.ts'
import { readFunding, spendable } from '../../money/funding/funding.ts'
import { agentProcedure } from '../../trpc.ts'

const wholeTokens = z.string().regex(/^-?\d+$/)

export const approvalStatus = agentProcedure({
  method: 'GET',
  path: '/api/projects/{id}/approval-status',
  summary: "Get a project's funding",
  description:
    'Founder only. Whole tokens, rounded down, as decimal strings. `allowance` is what the platform wallet may move: ' +
    'the stored approval plus the rest of the bounty reserve. `committed` is the sum of the rewards of bounties that ' +
    'are not done. `available` is min(balance, allowance) - committed; it may be negative.',
  errors: ['project_not_found', 'not_founder', 'token_not_deployed', ...chainErrors],
  bulkhead: 'external',
})
  .input(z.strictObject({ id: id('project') }))
  .output(
    z.object({
      balance: wholeTokens.describe("Tokens in the founder's wallet, in whole tokens, rounded down."),
      allowance: wholeTokens.describe('What the platform wallet may move, in whole tokens, rounded down.'),
      committed: wholeTokens.describe(
        'Rewards of all bounties that are neither done nor cancelled, in whole tokens.',
      ),
      available: wholeTokens.describe(
        'min(balance, allowance) - committed, in whole tokens, rounded down; negative if more is promised than there is.',
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
