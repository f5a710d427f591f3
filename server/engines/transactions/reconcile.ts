import type { ChainView } from './chain-view.ts'
import type { LaneContext } from './lane-context.ts'
import { bookNonces, type LaneLease } from './lane-lease.ts'

/** Nonces that are booked at once; more than this is taken for a node's mistake, not for a database that fell back. */
const mostUnbooked = 1000

/**
 * The chain has used nonces of this signer that the database never gave out: the database fell back behind the chain, or
 * somebody else sends with the key. Has the payments among them looked up and then books the nonces, so that new
 * transactions come after them. Returns the nonce that comes next.
 * @throws where the node contradicts itself or names a nonce that cannot be true; nothing is assigned then
 */
export async function reconcile(
  context: LaneContext,
  lease: LaneLease,
  view: ChainView,
  booked: number,
): Promise<number> {
  const { chain, address, log, alarm } = context
  const used = { lane: lease.address, booked, mined: view.minedNonce }
  const asOfHead = await chain.client.getTransactionCount({ address, blockNumber: BigInt(view.depth.head) })
  if (asOfHead < view.minedNonce)
    throw new Error(`the node says that ${view.minedNonce} nonces are used, and then that ${asOfHead} are`)
  log.error(used, 'a signer has used nonces that this database did not give out: looking for lost payments')
  alarm({
    kind: 'nonces_unbooked',
    lane: lease.address,
    why: `the chain has used ${view.minedNonce - booked} nonces of the key that this database did not give out`,
  })
  await context.onUnbooked(address)
  if (view.minedNonce - booked > mostUnbooked) {
    const why = `the node says that ${view.minedNonce} nonces of the key are used; only ${booked} were given out`
    alarm({ kind: 'nonces_implausible', lane: lease.address, why })
    throw new Error(why)
  }
  await bookNonces(context.db, lease, view.minedNonce)
  log.warn(used, 'the nonces are booked; new transactions come after them')
  return view.minedNonce
}
