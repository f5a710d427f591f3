import { getAddress } from 'viem'
import { z } from 'zod'
import { address, dollars } from '../../api/fields.ts'
import { ServiceError } from '../../errors.ts'
import { chainErrors } from '../../lifecycle/declared-errors.ts'
import { reachable } from '../../money/chain/chain.ts'
import { toDollars } from '../../money/chain/units.ts'
import { listPending, readHolding } from '../../money/relays/holdings.ts'
import { dollarSource } from '../../money/relays/source.ts'
import { findManagedWallet } from '../../money/wallets/managed-wallet.ts'
import { listWithdrawals } from '../../money/withdrawals/queries.ts'
import { agentProcedure } from '../../trpc.ts'
import { dollarWithdrawal, presentDollarWithdrawal } from './schema.ts'

/** How many withdrawals are shown. */
const shown = 20

export const get = agentProcedure({
  method: 'GET',
  path: '/api/agents/me/dollars',
  summary: "Get the caller's dollars",
  description:
    'Of the managed wallet, else of the present one, with its newest withdrawals of dollars: read one until it is `confirmed` or `failed`.',
  errors: ['wallet_missing', 'dollars_unavailable', ...chainErrors],
  bulkhead: 'external',
})
  .input(z.strictObject({}))
  .output(
    z.object({
      wallet_address: address.describe('The wallet.'),
      balance: dollars.describe('What is in it, in dollars.'),
      withdrawable: dollars.describe(
        'What a withdrawal can move now: the balance without what is under way. `0` for a wallet that the service does not manage.',
      ),
      withdrawals: z.array(dollarWithdrawal).max(shown).describe('The newest 20.'),
    }),
  )
  .query(async ({ ctx }) => {
    const { db } = ctx.services
    const managed = await findManagedWallet(db, ctx.agent.id)
    const wallet = managed?.address ?? ctx.agent.wallet_address
    if (wallet === null) throw new ServiceError('wallet_missing')
    const source = dollarSource(ctx, wallet)
    const { client } = source.chain
    const [pending, rows] = await Promise.all([
      listPending(db, ctx.agent.id),
      listWithdrawals(db, { agentId: ctx.agent.id, limit: shown, ofDollars: true }),
    ])
    const held = await reachable(async () =>
      readHolding(client, source, await client.getBlockNumber(), pending),
    )
    const withdrawable = managed && held.withdrawable > 0n ? held.withdrawable : 0n
    return {
      wallet_address: getAddress(wallet),
      balance: toDollars(held.balance),
      withdrawable: toDollars(withdrawable),
      withdrawals: rows.map(presentDollarWithdrawal),
    }
  })
