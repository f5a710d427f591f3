import { readChainView } from '../lane/chain-view.ts'
import { isPast, type LaneContext, type LaneState, logOnError, type Tick } from '../lane/context.ts'
import { recordFindings } from '../receipts/record.ts'
import { assignAfterReconciling } from '../send/assign.ts'
import { suggestOnce } from '../send/fees.ts'
import { keepAllAlive } from '../send/keep-alive.ts'
import { requeuePinned } from '../send/prepare.ts'
import { type LaneTransaction, maxInFlight } from '../types.ts'
import { takeUpDisplacedFinal } from './deep-reorg.ts'
import { fillGaps } from './gaps.ts'
import { inspectAll, loadWatched } from './watch.ts'

/** Time without a new block after which the log reports that transactions wait for one. */
const standstillSeconds = 60

/** What the lane waits for after a tick: a new block at most, any news, or nothing that it knows of. */
export type TickOutcome = 'full' | 'busy' | 'idle'

/**
 * One tick of a lane, by the holder of its lease: check every transaction that can still change, store what was found,
 * keep unmined transactions alive, then give nonces to queued ones.
 * @throws LeaseLostError when another process has taken the lane over; from then on the tick has written nothing
 */
export async function runTick(context: LaneContext, state: LaneState): Promise<TickOutcome> {
  const { memory, address, chain, limits } = context
  const { lease, queued } = state
  const isIdle = state.watched.length + queued.length === 0
  const pauseMs = state.settled.length > 0 ? context.settledCheckMs : context.idleCheckMs
  if (isIdle && !isPast(memory.viewReadAt, pauseMs)) return 'idle'
  const view = await readChainView(chain.client, chain.id, address, limits.finality)
  const tick = { ...context, lease, view, suggestFees: suggestOnce(context) }
  rememberView(tick, state.watched)
  const isFinalGone = await checkFinal(tick, state)
  const { watched, gaps, isComplete: blocksChecked } = await loadWatched(tick, state)
  const { found, isComplete } = await inspectAll(tick, watched)
  const { changed, isComplete: recorded } = await recordFindings(tick, found)
  const isChecked = isComplete && blocksChecked && recorded && !isFinalGone
  memory.checkedHead = isChecked ? view.headHash : undefined

  const unmined = found
    .filter(({ finding }) => finding.kind === 'unmined')
    .map(({ transaction }) => transaction)
  await fillGaps(tick, gaps)
  await keepAllAlive(tick, unmined)
  const moved = context.account
    ? await assignAfterReconciling(tick, state, unmined)
    : await requeuePinned(tick, queued)
  if (unmined.length + moved >= maxInFlight) return 'full'
  const isWaiting = unmined.length > 0 || queued.length > 0 || state.watched.some(isMined)
  return changed || isWaiting ? 'busy' : 'idle'
}

/** Remembers what the view shows. The log reports a chain that stands still while transactions wait for its blocks. */
function rememberView({ memory, address, seenNonces, log, view }: Tick, watched: LaneTransaction[]): void {
  const now = performance.now()
  const { head } = view.depth
  seenNonces.add(address, view.minedNonce)
  memory.viewReadAt = now
  if (memory.head !== head) {
    memory.head = head
    memory.headSince = now
  }
  const seconds = Math.round((now - (memory.headSince ?? now)) / 1000)
  const waiting = watched.filter(isMined).length
  if (waiting === 0 || seconds < standstillSeconds) return
  log.warn(
    { lane: address, head, seconds, waiting },
    'the chain has no new block, and transactions wait for their confirmations',
  )
  memory.headSince = now
}

function isMined({ status }: LaneTransaction): boolean {
  return status === 'mined'
}

/** Whether final transactions have lost their blocks; checked at intervals. */
async function checkFinal(tick: Tick, { lastFinal }: LaneState): Promise<boolean> {
  const { memory, idleCheckMs } = tick
  if (!isPast(memory.finalCheckedAt, idleCheckMs)) return false
  let isGone = false
  await logOnError(tick, 'could not check for a deep reorganisation; trying again', async () => {
    isGone = await takeUpDisplacedFinal(tick, lastFinal)
    memory.finalCheckedAt = performance.now()
  })
  return isGone
}
