import type { Address } from 'viem'
import { z } from 'zod'
import { decimal, id, timestamp } from '../../api/fields.ts'
import { requireProject } from '../../api/require-project.ts'
import { ServiceError } from '../../errors.ts'
import { toBaseUnits, toDecimal } from '../../money/chain/units.ts'
import { readRecentFunds, spendable } from '../../money/funding/funding.ts'
import { rewardsInWork } from '../../money/funding/queries.ts'
import { readerProcedure } from '../../trpc.ts'

const fields = z
  .object({
    project_id: id('project'),
    spendable: decimal.describe(
      "What the service may pay with: the smaller of the balance of the founder's wallet and its allowance, in whole tokens.",
    ),
    reserve_left: decimal.describe(
      'What is left of the bounty reserve, in whole tokens: the founder can spend these on bounties only.',
    ),
    committed: decimal.describe(
      'Rewards of all bounties that are neither done nor cancelled, in whole tokens.',
    ),
    in_work: decimal.describe('Rewards of the bounties that are claimed or in review, in whole tokens.'),
    covers_all: z
      .boolean()
      .describe('Whether `committed` could be paid now: payouts are on, and `spendable` is enough.'),
    covers_work: z
      .boolean()
      .describe('Whether `in_work` could be paid now: payouts are on, and `spendable` is enough.'),
    payouts_enabled: z
      .boolean()
      .describe('Whether payouts are on: neither the operator nor the platform wallet has stopped them.'),
    read_at: timestamp("the founder's wallet was read"),
  })
  .meta({ id: 'ProjectFunds', description: 'What a project could pay now.' })

export const funds = readerProcedure({
  method: 'GET',
  path: '/api/projects/{id}/funds',
  summary: 'Get what a project can pay',
  description:
    'Whether the founder could pay all rewards now. Nothing is promised: the founder may move or sell tokens beyond the ' +
    'bounty reserve at any time, and lower the allowance to it. What an approval pays is decided when the founder ' +
    'approves. The chain was read seconds ago. Amounts are decimal strings of whole tokens.',
  errors: ['project_not_found', 'token_not_deployed', 'chain_not_configured', 'chain_unreachable'],
  bulkhead: 'external',
})
  .input(z.strictObject({ id: id('project') }))
  .output(z.object({ funds: fields }))
  .query(async ({ ctx, input }) => {
    const { chain: connection, config, db, recent } = ctx.services
    const project = await requireProject(db, input.id)
    const { token_address, curve_address } = project
    if (token_address === null || curve_address === null) throw new ServiceError('token_not_deployed')
    const chain = connection.require()
    const contracts = { curve: curve_address as Address, token: token_address as Address }
    const [{ isPaused, readAt, ...found }, { reserveLeft }, inWork] = await Promise.all([
      readRecentFunds(chain, recent, project),
      recent.market(chain, contracts),
      rewardsInWork(db, project.id),
    ])
    const payouts_enabled = config.PAYOUTS_ENABLED && !isPaused
    const payable = spendable(found)
    const covers = (wholeTokens: bigint) => payouts_enabled && payable >= toBaseUnits(wholeTokens)
    return {
      funds: {
        project_id: project.id,
        spendable: toDecimal(payable),
        reserve_left: toDecimal(reserveLeft),
        committed: String(project.committed),
        in_work: String(inWork),
        covers_all: covers(BigInt(project.committed)),
        covers_work: covers(inWork),
        payouts_enabled,
        read_at: readAt,
      },
    }
  })
