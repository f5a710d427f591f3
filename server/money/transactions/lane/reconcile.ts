import type { Tick } from './context.ts'
import { bookNonces, underLease } from './lease.ts'

/** Nonces that are booked at once. More than this are a node's mistake, not a sign of a database that fell back. */
const mostUnbooked = 1000

/**
 * Accounts for nonces that the chain has used and that the database never gave out: the database fell back behind the
 * chain, or somebody else sends with the key. Finds the payments among them, then books the nonces, so that new
 * transactions come after them. Returns the next nonce.
 * @throws LeaseLostError, or an error when the node contradicts itself or reports a nonce that cannot be true; no nonce is given out then
 */
export async function reconcile(tick: Tick, booked: number): Promise<number> {
  const { chain, address, log, alarm } = tick
  const used = { lane: tick.lease.address, booked, mined: tick.view.minedNonce }
  const asOfHead = await chain.client.getTransactionCount({
    address,
    blockNumber: BigInt(tick.view.depth.head),
  })
  if (asOfHead < tick.view.minedNonce)
    throw new Error(`the node reports ${tick.view.minedNonce} used nonces, and then ${asOfHead}`)
  // A process that was stopped after it loaded the lane's state sees the nonces that its successor has given out since.
  await underLease(tick.db, tick.lease, async () => undefined)
  log.error(used, 'a signer has used nonces that this database did not give out: looking for lost payments')
  alarm({
    kind: 'nonces_unbooked',
    lane: tick.lease.address,
    why: `the chain has used ${tick.view.minedNonce - booked} nonces of the key that this database did not give out`,
  })
  await tick.onUnbooked(address)
  if (tick.view.minedNonce - booked > mostUnbooked) {
    const why = `the node reports ${tick.view.minedNonce} used nonces of the key; this database gave out ${booked}`
    alarm({ kind: 'nonces_implausible', lane: tick.lease.address, why })
    throw new Error(why)
  }
  await bookNonces(tick.db, tick.lease, tick.view.minedNonce)
  log.warn(used, 'booked the nonces; new transactions come after them')
  return tick.view.minedNonce
}
