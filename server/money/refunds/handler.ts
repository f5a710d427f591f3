import type { Database } from '../../db/client.ts'
import type { Chain } from '../chain/chain.ts'
import { notOperators } from '../chain/deploy/on-chain.ts'
import { estimateGas } from '../chain/estimate.ts'
import type { Depth } from '../chain/finality.ts'
import { readSlot } from '../chain/slot.ts'
import { type GasLimits, keepsGasForPayouts, keptForPayouts } from '../gas-budget.ts'
import { noteOnOrder } from '../orders/move.ts'
import type { Apply, TransactionHandler } from '../transactions/types.ts'
import { findEnd, refundAnomaly } from './evidence.ts'
import { type Deposit, type End, endDeposit, getDeposit, putOffRefund } from './store.ts'

/** Percentage that is added to an estimate. */
const gasMarginPercent = 25n

/** What the transaction handler of refunds needs. */
export interface RefundHandlerOptions {
  db: Database
  chain: Pick<Chain, 'client' | 'newestBlock'>
  limits: Pick<GasLimits, 'LOW_GAS_PAYOUTS'>
}

/**
 * The transaction handler of refunds. The slot of the platform wallet decides: it gives the dollars out once, to the
 * contributor or back, by any sender. Neither a pause nor switched-off payouts keep a founder from the money.
 */
export function createRefundHandler({ db, chain, limits }: RefundHandlerOptions): TransactionHandler {
  const { client } = chain
  const wait = (reason: string) => ({ next: 'wait', reason }) as const
  return {
    async prepare({ entityId, to, data }, from, depth) {
      const deposit = await getDeposit(db, entityId)
      const { status } = deposit
      if (status !== 'refunding')
        return { next: 'refuse', reason: `the deposit is ${status}`, apply: async () => undefined }
      const { state } = await readSlot(client, deposit, depth.head)
      if (state === 'none') return wait('the chain does not have the deposit now')
      if (state !== 'funded') {
        const end = await findFinalEnd(chain, deposit, depth)
        if (!end) return wait('the dollars have left already, and that is not final yet')
        return { next: 'refuse', reason: `${end.state} already by ${end.hash}`, apply: ending(entityId, end) }
      }
      if (await keepsGasForPayouts(client, from, limits)) return wait(keptForPayouts)
      const estimate = await estimateGas(chain, { from, to, data }, depth.head)
      if ('gas' in estimate)
        return { next: 'send', gasLimit: estimate.gas + (estimate.gas * gasMarginPercent) / 100n }
      const [lacking] = await notOperators(client, to, [from], BigInt(depth.head))
      if (lacking) return { ...wait('the platform wallet does not know the key'), alarm: 'operator_removed' }
      return { next: 'refuse', reason: estimate.refusal, apply: puttingOff(entityId, true) }
    },

    async evaluateReceipt({ entityId }, { status, transactionHash, logs }, depth) {
      const deposit = await getDeposit(db, entityId)
      if (status === 'success') {
        const problem = await refundAnomaly(client, deposit, logs)
        if (problem) return { kind: 'anomaly', problem }
        return { kind: 'final', apply: ending(entityId, { state: 'refunded', hash: transactionHash }) }
      }
      const { state } = await readSlot(client, deposit, depth.head)
      if (state === 'funded' || state === 'none') return { kind: 'final', apply: puttingOff(entityId, false) }
      const end = await findFinalEnd(chain, deposit, depth)
      return end ? { kind: 'final', apply: ending(entityId, end) } : { kind: 'wait' }
    },

    markStuck: (trx, bountyId, problem) =>
      noteOnOrder(trx, 'deposit', bountyId, { error_code: 'internal_error', error: problem }),
    // No refund is ever pinned to one key.
    requeue: async () => undefined,
  }
}

/** Where the dollars have gone by somebody else's transaction, which no signer checks; undefined until it is final. */
async function findFinalEnd(
  { client }: RefundHandlerOptions['chain'],
  deposit: Deposit,
  { head, final }: Depth,
): Promise<End | undefined> {
  const end = await findEnd(client, deposit, head)
  return end.blockNumber <= final ? end : undefined
}

const ending =
  (bountyId: string, end: End): Apply =>
  async (trx) =>
    void (await endDeposit(trx, bountyId, end))

const puttingOff =
  (bountyId: string, isRefused: boolean): Apply =>
  async (trx) =>
    void (await putOffRefund(trx, bountyId, isRefused))
