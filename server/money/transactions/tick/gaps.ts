import type { ChainView } from '../lane/chain-view.ts'
import { logOnError, type Tick } from '../lane/context.ts'
import { underLease } from '../lane/lease.ts'
import { broadcast, firstOffer, signAttempt } from '../send/send.ts'
import { insertSigned } from '../store.ts'
import { type LaneTransaction, maxInFlight } from '../types.ts'

/** The nonces that were given out, that the chain has not used and that none of `watched` has. */
export function findGaps(
  { minedNonce }: Pick<ChainView, 'minedNonce'>,
  nextNonce: number,
  watched: Pick<LaneTransaction, 'nonce'>[],
): number[] {
  const known = new Set(watched.map(({ nonce }) => nonce))
  // At most as many as nodes keep: a nonce that a confused node reports must not cost a thousand transactions.
  const end = Math.min(nextNonce, minedNonce + maxInFlight)
  const gaps: number[] = []
  for (let nonce = minedNonce; nonce < end; nonce++) if (!known.has(nonce)) gaps.push(nonce)
  return gaps
}

/** Sends a transaction that does nothing for each gap, because an unused nonce blocks all later ones. */
export async function fillGaps(tick: Tick, gaps: number[]): Promise<void> {
  const { account, chain, db, log } = tick
  if (!account) return
  for (const nonce of gaps)
    await logOnError(tick, 'could not fill a nonce gap; trying again', async () => {
      const { address } = account
      const gasLimit = await chain.client.estimateGas({ account: address, to: address })
      const noop = { to: address, data: '0x', nonce, gasLimit } as const
      const attempt = await signAttempt({ ...tick, account }, noop, await tick.suggestFees())
      const signed = { ...noop, chainId: chain.id, purpose: 'noop', entityId: null, from: address } as const
      await underLease(db, tick.lease, (trx) => insertSigned(trx, { ...signed, attempt }))
      log.warn({ lane: tick.lease.address, nonce }, 'filled a nonce gap')
      await broadcast(tick, [firstOffer(null, attempt)])
    })
}
