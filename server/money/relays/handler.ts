import type { Database } from '../../db/client.ts'
import type { Chain } from '../chain/chain.ts'
import { estimateGas } from '../chain/estimate.ts'
import { gasCostOf } from '../chain/gas.ts'
import { type GasLimits, keepsGasForPayouts, keptForPayouts } from '../gas-budget.ts'
import type { TransactionHandler } from '../transactions/types.ts'
import { refreshLock } from './deposit.ts'
import { effectIn } from './evidence.ts'
import { refusalIn } from './failures.ts'
import { isNonceUsed } from './holdings.ts'
import { keepRefusal, recordGasCost, reopenRelay } from './settle.ts'
import { getRelay } from './store.ts'

/** Most gas of a relay's transaction: a recipient's code can cost no more than this. */
export const gasCeiling = 300_000n
/** Percentage that is added to an estimate. */
const gasMarginPercent = 25n

/** What the transaction handler of relays needs. */
export interface RelayHandlerOptions {
  db: Database
  chain: Pick<Chain, 'client' | 'newestBlock'>
  /**
   * False while the operator has switched withdrawals off: none gets a nonce then. One that has a nonce is still sent,
   * because an unused nonce would block the payouts behind it.
   */
  isEnabled: boolean
  limits: Pick<GasLimits, 'LOW_GAS_PAYOUTS'>
}

/**
 * The transaction handler of withdrawals and permits. It stores what they cost and why the chain refuses them. What becomes
 * of a relay follows from its nonce, which anybody can use until it expires, so the sweep alone settles it.
 */
export function createRelayHandler(options: RelayHandlerOptions): TransactionHandler {
  const { db, isEnabled, limits } = options
  const { client } = options.chain
  const wait = (reason: string) => ({ next: 'wait', reason }) as const
  return {
    async prepare({ entityId, to, data }, from, depth) {
      const relay = await getRelay(db, entityId)
      const { id, status, refusal } = relay
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
      const estimate = await estimateGas(options.chain, { from, to, data }, depth.head)
      if ('refusal' in estimate) {
        // The relay waits for a better moment until it expires.
        const code = refusalIn(estimate.error)
        const waits = wait(estimate.refusal)
        if (code === undefined || code === refusal) return waits
        return { ...waits, apply: (trx) => keepRefusal(trx, id, code) }
      }
      const { gas } = estimate
      if (gas > gasCeiling) return wait(`it needs ${gas} gas, more than ${gasCeiling}`)
      const gasLimit = gas + (gas * gasMarginPercent) / 100n
      return { next: 'send', gasLimit: gasLimit < gasCeiling ? gasLimit : gasCeiling }
    },

    async evaluateReceipt({ entityId: id, to, data, attempts }, receipt, depth) {
      const { from: account, transactionHash, status } = receipt
      const isMade = status === 'success'
      const lost = attempts.map(({ hash }) => hash).filter((hash) => !isMade || hash !== transactionHash)
      const call = { account, to, data, blockNumber: BigInt(depth.head) }
      const cost = gasCostOf(receipt)
      const lockedUntil = isMade ? effectIn(await getRelay(db, id), receipt.logs)?.lockedUntil : undefined
      const code = isMade ? undefined : await client.estimateGas(call).then(() => undefined, refusalIn)
      return {
        kind: 'final',
        async apply(trx) {
          await reopenRelay(trx, id, lost, isMade)
          if (lockedUntil) await refreshLock(trx, id, lockedUntil)
          if (cost !== undefined) await recordGasCost(trx, id, cost)
          if (!isMade) await keepRefusal(trx, id, code)
          return undefined
        },
      }
    },

    markStuck: (trx, relayId, _, attempts) => reopenRelay(trx, relayId, attempts),
    // No relay is ever pinned to one key.
    requeue: async () => undefined,
  }
}
