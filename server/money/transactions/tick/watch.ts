import type { Hash } from 'viem'
import { type LaneState, logOnError, type Tick } from '../lane/context.ts'
import { inspect } from '../receipts/inspect.ts'
import { recordFinal } from '../receipts/outcomes.ts'
import type { Found } from '../receipts/record.ts'
import type { LaneTransaction, SettledBlock } from '../types.ts'
import { findGaps } from './gaps.ts'
import { findDisplaced } from './load-state.ts'

/** What a tick has to check; `isComplete` is false where the node failed to answer a part of it. */
interface Watched {
  watched: LaneTransaction[]
  gaps: number[]
  isComplete: boolean
}

/**
 * The transactions without an outcome, plus settled ones that a reorganisation may have moved: their block is no longer
 * canonical, or the chain has not used their nonce. Unused nonces without any transaction are gaps.
 */
export async function loadWatched(tick: Tick, { nextNonce, watched, settled }: LaneState): Promise<Watched> {
  const { moved, isComplete } = await checkBlocks(tick, settled)
  const unused = findGaps(tick.view, nextNonce, watched)
  if (moved.length + unused.length === 0) return { watched, gaps: [], isComplete }
  const displaced = await findDisplaced(tick.db, tick.lease, {
    blocks: moved,
    nonces: unused,
  })
  const known = new Set(watched.map((transaction) => transaction.id))
  const all = [...watched, ...displaced.filter((transaction) => !known.has(transaction.id))]
  return { watched: all, gaps: findGaps(tick.view, nextNonce, all), isComplete }
}

/** Which of these blocks are no longer canonical. Transactions in the others become final when they are deep enough. */
async function checkBlocks(
  tick: Tick,
  blocks: SettledBlock[],
): Promise<{ moved: Hash[]; isComplete: boolean }> {
  // Under the same head no block has changed.
  if (tick.memory.checkedHead === tick.view.headHash) return { moved: [], isComplete: true }
  const moved: Hash[] = []
  const final: Hash[] = []
  const check = async ({ number, hash }: SettledBlock) => {
    const canonical = await tick.view.blockHash(number)
    if (canonical !== hash) moved.push(hash)
    else if (number <= tick.view.depth.final) final.push(hash)
  }
  const failure = 'could not check a block; trying again'
  const checked = await Promise.all(
    blocks.map((block) => logOnError(tick, failure, () => check(block), { block: block.number })),
  )
  if (final.length > 0) await recordFinal(tick.db, tick.lease, final)
  return { moved, isComplete: checked.every(Boolean) }
}

/** Checks all of them against the chain at once. A failed check finds nothing, and the next tick repeats it. */
export async function inspectAll(
  tick: Tick,
  watched: LaneTransaction[],
): Promise<{ found: Found[]; isComplete: boolean }> {
  const found = watched.map((transaction): Found => ({ transaction, finding: { kind: 'nothing' } }))
  const inspected = await Promise.all(
    found.map((one) => {
      const { id, entityId } = one.transaction
      const step = async () => {
        one.finding = await inspect(tick, one.transaction)
      }
      const about = { transaction: id, entityId }
      return logOnError(tick, 'could not check a transaction; trying again', step, about)
    }),
  )
  return { found, isComplete: inspected.every(Boolean) }
}
