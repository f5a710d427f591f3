import { randomUUID } from 'node:crypto'
import type { Address } from 'viem'
import { createAlarms } from '../../loops/alarms.ts'
import { askForWork } from '../../loops/look.ts'
import { createOutageReport } from '../../loops/outage-report.ts'
import { untilWork, type Worker } from '../../loops/rounds.ts'
import type { Timing } from '../../loops/timing.ts'
import { createWakeSignal } from '../../loops/wake-signal.ts'
import { isPast, type LaneContext, type LanesOptions } from './lane/context.ts'
import { hasUnfinished, listOrphaned, releaseLanes } from './lane/lease.ts'
import { tickLane } from './tick/tick-as-holder.ts'

/** A lane counts as orphaned when it was silent for at least this many leases. */
const orphanedLeases = 6

/**
 * Starts one loop for each operator key of the chain, and one that watches lanes of keys that no process has. Any number
 * of processes may run them on one database: a lane belongs to the process that holds its lease.
 */
export function startLanes(options: LanesOptions): Worker {
  const { db, chain, limits, timing, log } = options
  const owner = randomUUID()
  const wakeSignal = createWakeSignal()
  const alarm = createAlarms(log)
  const hasDue = () => hasUnfinished(chain.id)
  let stopped = false

  async function runLane(context: LaneContext, onTick: () => void): Promise<void> {
    const sleep = wakeSignal.createSleep()
    // An idle lane keeps its lease.
    const isDue = askForWork(db, hasDue, limits.leaseSeconds * 500)
    while (!stopped) {
      const outcome = await tickLane(context)
      onTick()
      if (outcome === 'idle') await untilWork(sleep, timing.idleMs, isDue)
      else await untilDue(context, outcome, { sleep, timing, isStopped: () => stopped })
    }
  }

  /** Without its key, a transaction can still be watched and sent again, but never replaced. */
  async function watchOrphaned(): Promise<void> {
    const sleep = wakeSignal.createSleep()
    const seconds = Math.max(timing.orphanedSeconds, limits.leaseSeconds * orphanedLeases)
    const ours = chain.operators.map(({ address }) => address.toLowerCase())
    let checkedAt = performance.now()
    while (!stopped) {
      await sleep(timing.orphanCheckMs)
      if (stopped || !isPast(checkedAt, timing.orphanCheckMs)) continue
      checkedAt = performance.now()
      const orphaned = await listOrphaned(db, { chainId: chain.id, ours, seconds }).catch(() => [])
      for (const lane of orphaned) {
        const why = 'transactions are left of an operator key that no process has'
        alarm({ kind: 'key_missing', lane, why })
        await tickLane(contextOf(lane as Address))
        await release(lane)
      }
    }
  }

  function release(lane?: string): Promise<void> {
    return releaseLanes(db, owner, lane).catch(() => undefined)
  }

  const contextOf = (address: Address) => laneContext(address, { ...options, owner, alarm })

  const loops = [watchOrphaned()]
  const firstTicks = chain.operators.map(
    ({ address }) =>
      new Promise<void>((resolve) => {
        loops.push(runLane(contextOf(address), resolve))
      }),
  )
  return {
    firstTick: Promise.all(firstTicks),
    wake: wakeSignal.wake,
    async stop() {
      stopped = true
      wakeSignal.wake()
      await Promise.all(loops)
      await release()
    },
  }
}

/** Whether the newest block is another one than at the last tick; false where the node does not answer. */
async function hasNewBlock({ chain, memory }: LaneContext): Promise<boolean> {
  const head = await chain.client.getBlockNumber().catch(() => undefined)
  return head !== undefined && Number(head) !== memory.head
}

function laneContext(
  address: Address,
  options: LanesOptions & Pick<LaneContext, 'owner' | 'alarm'>,
): LaneContext {
  const { operators } = options.chain
  const index = operators.findIndex((operator) => operator.address === address)
  const share = { index: Math.max(0, index), of: Math.max(1, operators.length) }
  const account = operators[index] ?? null
  const outage = createOutageReport(options.log.child({ lane: address }), {
    failing: 'a tick failed; trying again',
    working: 'ticks work again',
  })
  const { idleCheckMs, settledCheckMs } = options.timing
  return { ...options, idleCheckMs, settledCheckMs, address, account, share, outage, memory: {} }
}

/** Sleeps until the next tick of a busy lane. While only a block brings news, it asks the node for one and leaves the database alone. */
async function untilDue(
  context: LaneContext,
  outcome: Awaited<ReturnType<typeof tickLane>>,
  { sleep, timing, isStopped }: { sleep: Sleep; timing: Timing; isStopped(): boolean },
): Promise<void> {
  const due = performance.now() + timing.idleMs
  while (!isStopped()) {
    const left = due - performance.now()
    if (left <= 0) return
    const isWoken = await sleep(Math.min(left, timing.busyMs))
    if ((isWoken && outcome !== 'full') || (await hasNewBlock(context))) return
  }
}

type Sleep = ReturnType<ReturnType<typeof createWakeSignal>['createSleep']>
