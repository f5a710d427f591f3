import { LeaseLostError, whileRenewing } from '../../../db/lease.ts'
import { isPast, type LaneContext, type LaneState } from '../lane/context.ts'
import { isLaneOpen, openLane, renewLane } from '../lane/lease.ts'
import { loadLaneState } from './load-state.ts'
import { runTick, type TickOutcome } from './tick.ts'

/** Runs one tick of a lane if the process gets or has its lease. A failure is reported and ends this tick alone. */
export async function tickLane(context: LaneContext): Promise<TickOutcome> {
  const { db, limits, outage } = context
  try {
    let state = await loadStateAsHolder(context)
    if (!state && (await openAgain(context))) state = await loadStateAsHolder(context)
    if (!state) {
      outage.worked()
      return 'idle'
    }
    const held = state
    const seconds = limits.leaseSeconds
    // A tick on a slow node may last longer than a lease.
    const lease = { seconds, renew: () => renewLane(db, held.lease, seconds) }
    const outcome = await whileRenewing(lease, () => runTick(context, held))
    outage.worked()
    return outcome
  } catch (error) {
    if (!(error instanceof LeaseLostError)) outage.failed(error)
    return 'idle'
  }
}

/**
 * Reads the used nonces of a signer while another process holds its lane, so that this one notices a database that fell
 * back. Opens the lane where the database does not know the signer: either the key is new, or the database fell back
 * behind the opening, and then lost payments are looked up first. Returns whether it opened the lane.
 */
async function openAgain(context: LaneContext): Promise<boolean> {
  const { db, chain, address, account, memory } = context
  if (!isPast(memory.nonceReadAt, context.idleCheckMs)) return false
  const nonce = await chain.client.getTransactionCount({ address, blockTag: 'latest' })
  memory.nonceReadAt = performance.now()
  context.seenNonces.add(address, nonce)
  if (!account || (await isLaneOpen(db, chain.id, address))) return false
  if (nonce > 0) await context.onUnbooked(address)
  await openLane(db, { chainId: chain.id, address, nonce })
  return true
}

/** Loads the state again while the fence is new: the first state may lack the last write of the previous holder. */
async function loadStateAsHolder(context: LaneContext): Promise<LaneState | undefined> {
  const { db, chain, address, owner, share, limits, memory } = context
  const query = { chainId: chain.id, address, owner, seconds: limits.leaseSeconds, share }
  for (;;) {
    const state = await loadLaneState(db, query)
    if (!state || state.lease.fence === memory.fence) return state
    memory.fence = state.lease.fence
  }
}
