import { formatGwei, type Hash } from 'viem'
import { nodeErrorText } from '../../chain/rpc-errors.ts'
import { workFor } from '../events.ts'
import { assignQueued, fillGaps, findGaps, unpinQueued } from './assign.ts'
import { type ChainView, readChainView } from './chain-view.ts'
import { takeUpDisplacedFinal } from './deep-reorg.ts'
import { capFees, type Fees, suggestFees } from './fees.ts'
import { inspect } from './inspect.ts'
import type { LaneContext } from './lane-context.ts'
import type { LaneLease } from './lane-lease.ts'
import { findDisplaced, type LaneState } from './load-state.ts'
import { logOnError } from './log-failure.ts'
import { recordFinal } from './receipt-outcomes.ts'
import { reconcile } from './reconcile.ts'
import { type Found, recordFindings } from './record.ts'
import { broadcast, keepAlive, type Offer } from './send.ts'
import { type LaneTransaction, maxInFlight, type SettledBlock } from './types.ts'

/** Time without a new block after which the log names a chain that transactions wait for. */
const standstillSeconds = 60

/** What the next turn waits for: a new block at most, news of any kind, or nothing that is known of. */
export type TickOutcome = 'full' | 'busy' | 'idle'

/**
 * One turn of a lane, by the holder of its lease: look at everything that can still change, store what was found, keep
 * what is unmined alive, then give nonces to what is queued.
 * @throws LeaseLostError when another process has taken over; the turn then has written nothing more.
 */
export async function runTick(context: LaneContext, look: LaneState): Promise<TickOutcome> {
  const { lease } = look
  const isIdle = look.watched.length + look.settled.length + look.queued.length === 0
  if (
    isIdle &&
    performance.now() - (context.memory.lookedAt ?? Number.NEGATIVE_INFINITY) < context.idleCheckMs
  )
    return 'idle'
  const { client, id } = context.chain
  const view = await readChainView(client, id, context.address, context.limits.finality)
  noteView(context, view, look.watched)
  const isFinalGone = await finalIsGone(context, look, view)
  const { watched, gaps, complete: blocksSeen } = await allToWatch(context, look, view)
  const { found, complete } = await inspectAll(context, view, watched)
  const changed = await recordFindings(context, lease, found)
  context.memory.checkedHead = complete && blocksSeen && !isFinalGone ? view.headHash : undefined

  const suggestion = once(() => suggestCappedFees(context))
  const unmined = found
    .filter(({ finding }) => finding.kind === 'unmined')
    .map(({ transaction }) => transaction)
  await fillGaps(context, lease, view, gaps, suggestion)
  await keepAllAlive(context, lease, view, unmined, suggestion)
  const moved = context.account
    ? await assignAfterBooked(context, look, view, unmined, suggestion)
    : await unpinQueued(context, look)
  if (unmined.length + moved >= maxInFlight) return 'full'
  const waiting = look.watched.some(({ status }) => status === 'mined')
  return changed || unmined.length > 0 || look.queued.length > 0 || waiting ? 'busy' : 'idle'
}

/** Remembers what the view says; a chain that stands still while something waits for its blocks is named in the log. */
function noteView(
  { memory, address, seenNonces, log }: LaneContext,
  view: ChainView,
  watched: LaneTransaction[],
): void {
  const now = performance.now()
  seenNonces.saw(address, view.minedNonce)
  memory.lookedAt = now
  if (memory.head !== view.depth.head) {
    memory.head = view.depth.head
    memory.headSince = now
  }
  const seconds = Math.round((now - (memory.headSince ?? now)) / 1000)
  const waiting = watched.filter(({ status }) => status === 'mined').length
  if (waiting === 0 || seconds < standstillSeconds) return
  log.warn(
    { lane: address, head: view.depth.head, seconds, waiting },
    'the chain brings no new block, and transactions wait for their confirmations',
  )
  memory.headSince = now
}

/** Whether final transactions have to be taken up again; looked at now and then. */
async function finalIsGone(context: LaneContext, look: LaneState, view: ChainView): Promise<boolean> {
  const { memory, idleCheckMs } = context
  if (performance.now() - (memory.finalLookedAt ?? Number.NEGATIVE_INFINITY) < idleCheckMs) return false
  let isGone = false
  await logOnError(context, 'could not look for a deep reorganisation', async () => {
    isGone = await takeUpDisplacedFinal(context, look, view)
    memory.finalLookedAt = performance.now()
  })
  return isGone
}

/** New nonces are given out only when every nonce that the chain has used is accounted for. */
async function assignAfterBooked(
  context: LaneContext,
  look: LaneState,
  view: ChainView,
  unmined: LaneTransaction[],
  suggestion: () => Promise<Fees>,
): Promise<number> {
  let nextNonce: number | undefined = look.nextNonce
  if (view.minedNonce > look.nextNonce) {
    nextNonce = undefined
    const now = performance.now()
    if (
      now - (context.memory.reconciledAt ?? Number.NEGATIVE_INFINITY) <
      context.limits.receiptCheckSeconds * 1000
    )
      return 0
    context.memory.reconciledAt = now
    await logOnError(
      context,
      'could not account for nonces that the chain has used; nothing is sent',
      async () => {
        nextNonce = await reconcile(context, look.lease, view, look.nextNonce)
      },
    )
  }
  return nextNonce === undefined
    ? 0
    : assignQueued(context, { ...look, nextNonce }, view, unmined, suggestion)
}

/**
 * What is undecided, and of what is decided whatever a reorganisation may have moved: what stood in a block that is no
 * longer canonical, or has a nonce that the chain has not used. What is left of the unused nonces are gaps.
 */
async function allToWatch(
  context: LaneContext,
  { lease, nextNonce, watched, settled }: LaneState,
  view: ChainView,
): Promise<{ watched: LaneTransaction[]; gaps: number[]; complete: boolean }> {
  const { moved, complete } = await checkBlocks(context, lease, view, settled)
  const free = findGaps(view, nextNonce, watched)
  if (moved.length + free.length === 0) return { watched, gaps: [], complete }
  const displaced = await findDisplaced(context.db, lease, context.handlers, { blocks: moved, nonces: free })
  const known = new Set(watched.map((transaction) => transaction.id))
  const all = [...watched, ...displaced.filter((transaction) => !known.has(transaction.id))]
  return { watched: all, gaps: findGaps(view, nextNonce, all), complete }
}

/** Which of these blocks are no longer canonical. Those that are, and are deep enough, are looked at no more. */
async function checkBlocks(
  context: LaneContext,
  lease: LaneLease,
  view: ChainView,
  blocks: SettledBlock[],
): Promise<{ moved: Hash[]; complete: boolean }> {
  // Under the same head everything that was mined is where it was.
  if (context.memory.checkedHead === view.headHash) return { moved: [], complete: true }
  const moved: Hash[] = []
  const final: Hash[] = []
  let complete = true
  await Promise.all(
    blocks.map(async ({ number, hash }) => {
      try {
        const canonical = await view.blockHash(number)
        if (canonical !== hash) moved.push(hash)
        else if (number <= view.depth.final) final.push(hash)
      } catch (error) {
        // A look that fails tells nothing; the next turn looks again.
        complete = false
        context.log.warn({ block: number, reason: nodeErrorText(error) }, 'could not look at a block')
      }
    }),
  )
  if (final.length > 0) await recordFinal(context.db, lease, final)
  return { moved, complete }
}

async function inspectAll(
  context: LaneContext,
  view: ChainView,
  watched: LaneTransaction[],
): Promise<{ found: Found[]; complete: boolean }> {
  let complete = true
  const found = await Promise.all(
    watched.map(async (transaction): Promise<Found> => {
      try {
        return {
          transaction,
          finding: await workFor(transaction.entityId, () => inspect(context, view, transaction)),
        }
      } catch (error) {
        complete = false
        context.log.warn(
          { transaction: transaction.id, entityId: transaction.entityId, reason: nodeErrorText(error) },
          'could not look at a transaction',
        )
        return { transaction, finding: { kind: 'nothing' } }
      }
    }),
  )
  return { found, complete }
}

async function keepAllAlive(
  context: LaneContext,
  lease: LaneLease,
  view: ChainView,
  unmined: LaneTransaction[],
  suggestion: () => Promise<Fees>,
): Promise<void> {
  const offers: Offer[] = []
  for (const transaction of unmined)
    await logOnError(context, 'could not keep a transaction alive', async () => {
      const offer = await workFor(transaction.entityId, () =>
        keepAlive(context, lease, view, transaction, suggestion),
      )
      if (offer) offers.push(offer)
    })
  await logOnError(context, 'could not send transactions again', () => broadcast(context, lease, offers))
}

/** What the node suggests, as far as an operator lets a transaction cost that. */
async function suggestCappedFees({ chain, limits, address, alarm }: LaneContext): Promise<Fees> {
  const fees = await suggestFees(chain.client)
  if (fees.maxFeePerGas > limits.maxFeePerGas)
    alarm({
      kind: 'fees_at_cap',
      lane: address.toLowerCase(),
      why: `the node suggests ${formatGwei(fees.maxFeePerGas)} gwei per gas, more than MAX_FEE_GWEI allows`,
    })
  return capFees(fees, limits.maxFeePerGas)
}

/** Asks at most once a turn. */
function once(ask: () => Promise<Fees>): () => Promise<Fees> {
  let answer: Promise<Fees> | undefined
  return () => {
    answer ??= ask()
    return answer
  }
}
