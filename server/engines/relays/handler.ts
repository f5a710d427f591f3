import type { Chain } from '../../chain/chain.ts'
import { gasCostOf } from '../../chain/gas.ts'
import type { Database } from '../../db/client.ts'
import { type GasLimits, keepsGasForPayouts, keptForPayouts } from '../gas-budget.ts'
import type { Apply, ReceiptOutcome, TransactionHandler } from '../transactions/types.ts'
import { approvalsIn, effectIn, isExact } from './evidence.ts'
import { isNonceUsed } from './holdings.ts'
import { confirmRelay, recordGasCost, reopenConfirmedBy, reopenRelay } from './settle.ts'
import { explainRevert } from './settlement.ts'
import { getRelay } from './store.ts'

/** Most gas of a relay's transaction: a recipient's code can cost no more than this. */
export const gasCeiling = 300_000n
/** Percentage that is added to an estimate. */
const gasMarginPercent = 25n

/** What the transaction handler of relays needs. */
export interface RelayHandlerOptions {
  db: Database
  chain: Pick<Chain, 'client'>
  /**
   * False while the operator has switched withdrawals off: none gets a nonce then. One that has a nonce is still sent,
   * because an unused nonce would block the payouts behind it.
   */
  isEnabled: boolean
  limits: Pick<GasLimits, 'LOW_GAS_PAYOUTS'>
}

/**
 * The transaction handler of withdrawals and permits. It stores successes of our own transactions. Everything else that
 * can become of a relay is settled by the sweep: a signature that was not used stays usable by anybody until it expires.
 */
export function createRelayHandler(options: RelayHandlerOptions): TransactionHandler {
  const { db, isEnabled, limits } = options
  const { client } = options.chain
  const wait = (reason: string) => ({ next: 'wait', reason }) as const
  return {
    async prepare({ entityId, to, data }, from, depth) {
      const relay = await getRelay(db, entityId)
      const { id, status } = relay
      if (status !== 'running')
        return {
          next: 'refuse',
          reason: `the relay is ${status}`,
          apply: async (trx) => void (await recordGasCost(trx, id, 0n)),
        }
      if (!isEnabled) return wait('withdrawals are switched off')
      const blockNumber = BigInt(depth.head)
      const [isUsed, { timestamp }, isKept] = await Promise.all([
        isNonceUsed(client, relay, blockNumber),
        client.getBlock({ blockNumber }),
        keepsGasForPayouts(client, from, limits),
      ])
      if (isUsed) return wait('its signature was used already; the sweep finds out what that means')
      if (timestamp >= relay.validBefore) return wait('its signature has expired; the sweep ends it')
      if (isKept) return wait(keptForPayouts)
      // A call that would revert throws, and the relay waits for a better moment until it expires.
      const estimate = await client.estimateGas({ account: from, to, data, blockNumber })
      if (estimate > gasCeiling) return wait(`it needs ${estimate} gas, more than ${gasCeiling}`)
      const gasLimit = estimate + (estimate * gasMarginPercent) / 100n
      return { next: 'send', gasLimit: gasLimit < gasCeiling ? gasLimit : gasCeiling }
    },

    async evaluateReceipt({ entityId }, receipt, depth) {
      const relay = await getRelay(db, entityId)
      const { id, amount } = relay
      const cost = gasCostOf(receipt)
      const decided = (apply: Apply): ReceiptOutcome => ({
        kind: 'final',
        async apply(trx) {
          if (cost !== undefined) await recordGasCost(trx, id, cost)
          return apply(trx)
        },
      })
      const isUsed = await isNonceUsed(client, relay, BigInt(depth.head))
      if (receipt.status === 'success') {
        const { transactionHash: hash, logs } = receipt
        const effect = effectIn(relay, logs)
        const isAsSigned =
          relay.kind === 'permit' ? approvalsIn(relay, logs).length > 0 : isExact(relay, effect)
        if (!isAsSigned) return { kind: 'anomaly', problem: { kind: 'relay_differs' } }
        // A reorganisation in the middle of this tick.
        if (!isUsed) return { kind: 'wait' }
        return decided((trx) => confirmRelay(trx, id, { amount, ethPaid: null, ...effect, hash }))
      }
      // Used by another transaction, which the sweep looks up. It may have confirmed the relay already.
      if (isUsed) return decided(async () => undefined)
      const why = await explainRevert(client, relay, receipt.blockNumber, BigInt(depth.head))
      return decided((trx) => reopenRelay(trx, id, why))
    },

    markStuck: (trx, relayId, _, attempts) => reopenConfirmedBy(trx, relayId, attempts),
    // No relay is ever pinned to one key.
    requeue: async () => undefined,
  }
}
