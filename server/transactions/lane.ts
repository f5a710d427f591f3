import type { Logger } from 'pino'
import type { Address, Hash, PrivateKeyAccount } from 'viem'
import type { RaiseAlarm } from '../alarms.ts'
import type { Chain } from '../chain/chain.ts'
import type { Database } from '../db/connect.ts'
import { nodeErrorText } from './answers.ts'
import { assignQueued, fillGaps, unpinQueued } from './assign.ts'
import { type Fees, suggestFees } from './fees.ts'
import { type Finding, inspect } from './inspect.ts'
import type { LaneLease } from './lease.ts'
import { type View, viewLane } from './node.ts'
import { orLog } from './or-log.ts'
import { recordFindings } from './record.ts'
import { keepAlive } from './send.ts'
import { hasWork, watchedBy } from './store.ts'
import type { LaneLimits, LaneTransaction, Purpose, TransactionOwner } from './types.ts'

/** What a turn of a lane needs. */
export interface LaneContext {
  db: Database
  chain: Chain
  /** Whose transactions these are. */
  address: Address
  /** Signs for the lane; null where its key is gone and nothing new can be signed. */
  account: PrivateKeyAccount | null
  /** Which of the process's lanes this is: lanes begin with different parts of the queue. */
  share: { index: number; of: number }
  limits: LaneLimits
  owners: Record<Purpose, TransactionOwner>
  /** Called when an outcome was stored that a request may be waiting for. */
  onOutcome(): void
  alarm: RaiseAlarm
  log: Logger
  memory: LaneMemory
}

/** What a lane remembers from turn to turn to spare the node; losing it costs nothing but questions. */
export interface LaneMemory {
  /** Head under which everything mined was last found in its place. */
  checkedHead?: Hash | undefined
}

/**
 * One turn of a lane, by the holder of its lease: look at everything that can still change, store what was found, keep
 * what is unmined alive, then give nonces to what is queued. Returns whether anything is still on its way.
 * @throws LeaseLostError when another process has taken over; the turn then has written nothing more.
 */
export async function takeTurn(context: LaneContext, lease: LaneLease): Promise<boolean> {
  if (!(await hasWork(context.db, lease))) return false
  const view = await viewLane(context.chain.client, context.chain.id, context.address)
  const watched = await watchedBy(context.db, lease, view.minedNonce)
  const { findings, complete } = await lookAtAll(context, view, watched)
  const changed = await recordFindings(context, lease, watched, findings)
  context.memory.checkedHead = complete ? view.headHash : undefined

  const suggestion = once(() => suggestFees(context.chain.client))
  const unmined = watched.filter((_, index) => findings[index]?.kind === 'unmined')
  await fillGaps(context, lease, view, watched, suggestion)
  for (const transaction of unmined)
    await orLog(context, 'could not keep a transaction alive', () =>
      keepAlive(context, lease, view, transaction, suggestion),
    )
  const queued = context.account
    ? await assignQueued(context, lease, view, unmined, suggestion)
    : await unpinQueued(context, lease)
  const waiting = watched.some(({ status }) => status === 'mined')
  return changed || unmined.length > 0 || queued || waiting
}

async function lookAtAll(
  context: LaneContext,
  view: View,
  watched: LaneTransaction[],
): Promise<{ findings: Finding[]; complete: boolean }> {
  // Under the same head everything that was mined is where it was.
  const seenBefore = context.memory.checkedHead === view.headHash
  let complete = true
  const findings = await Promise.all(
    watched.map(async (transaction): Promise<Finding> => {
      const settled = transaction.status === 'confirmed' || transaction.status === 'reverted'
      if (seenBefore && settled) return { kind: 'nothing' }
      try {
        return await inspect(context, view, transaction)
      } catch (error) {
        // A look that fails tells nothing; the next turn looks again.
        complete = false
        context.log.warn(
          { transaction: transaction.id, reason: nodeErrorText(error) },
          'could not look at a transaction',
        )
        return { kind: 'nothing' }
      }
    }),
  )
  return { findings, complete }
}

/** Asks at most once a turn. */
function once(ask: () => Promise<Fees>): () => Promise<Fees> {
  let answer: Promise<Fees> | undefined
  return () => {
    answer ??= ask()
    return answer
  }
}
