import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { Address } from 'viem'
import type { Chain } from '../../chain/chain.ts'
import { nodeErrorText } from '../../chain/rpc-errors.ts'
import type { Database } from '../../db/client.ts'
import { createAlarms } from '../alarms.ts'
import type { Timing } from '../timing.ts'
import type { LaneContext } from './lane-context.ts'
import {
  isLaneOpen,
  LeaseLostError,
  listOrphaned,
  openLane,
  releaseLeases,
  whileRenewing,
} from './lane-lease.ts'
import { type LaneState, loadLaneState } from './load-state.ts'
import type { SeenNonces } from './seen-nonces.ts'
import { runTick, type TickOutcome } from './tick.ts'
import type { LaneLimits, TransactionHandlers } from './types.ts'
import { createWakeSignal } from './wake-signal.ts'

/** A loop that works until it is stopped. */
export interface Worker {
  /** Resolves when everything the loop is about was looked at once, whether that worked or not. */
  firstLook?: Promise<unknown>
  /** Something was stored that the loop should look at now. */
  wake(): void
  /** Ends the loop after the turn it is in, and lets its leases go. */
  stop(): Promise<void>
}

/** Leases that a lane must have been silent for before its key counts as gone. */
const orphanedLeases = 6

/** What the lanes of a process share. */
export interface LanesOptions {
  db: Database
  chain: Chain
  limits: LaneLimits
  handlers: TransactionHandlers
  timing: Timing
  seenNonces: SeenNonces
  onOutcome(): void
  /** The chain has used nonces that the database never gave out: looks up the payments among them. */
  onUnbooked(signer: Address): Promise<void>
  log: Logger
}

/**
 * Starts one loop per operator key of the chain, and one that watches what other keys have left behind. Any number of
 * processes may run them on one database: a lane belongs to whoever holds its lease.
 */
export function startLanes(options: LanesOptions): Worker {
  const { db, chain, limits, handlers, timing, log } = options
  const owner = randomUUID()
  const wakeSignal = createWakeSignal()
  const alarm = createAlarms(log)
  let stopped = false

  async function runLane(context: LaneContext, onTick: () => void): Promise<void> {
    const sleep = wakeSignal.listen()
    while (!stopped) {
      const outcome = await turn(context)
      onTick()
      const due = performance.now() + timing.idleMs
      // While only a block brings news, the node is asked for one and the database is left alone.
      while (!stopped) {
        const left = due - performance.now()
        if (left <= 0) break
        const rung = await sleep(outcome === 'idle' ? left : Math.min(left, timing.busyMs))
        if (rung && outcome !== 'full') break
        if (outcome !== 'idle' && (await hasNewBlock(context))) break
      }
    }
  }

  async function turn(context: LaneContext): Promise<TickOutcome> {
    try {
      let look = await loadStateAsHolder(context)
      if (!look && (await openAgain(context))) look = await loadStateAsHolder(context)
      if (!look) return 'idle'
      const held = look
      return await whileRenewing(db, held.lease, limits.leaseSeconds, () => runTick(context, held))
    } catch (error) {
      if (!(error instanceof LeaseLostError))
        log.warn(
          { lane: context.address, reason: nodeErrorText(error) },
          'a lane could not take its turn; trying again',
        )
      return 'idle'
    }
  }

  /**
   * Where another process holds the lease, this one still sees how far the signer is, so that it notices a database that
   * fell back. A signer that the database does not know is opened: it is new, or the database fell back behind its
   * opening, and then lost payments are looked up first. Returns whether it was opened.
   */
  async function openAgain({ address, account, memory }: LaneContext): Promise<boolean> {
    if (performance.now() - (memory.sawAt ?? Number.NEGATIVE_INFINITY) < timing.idleCheckMs) return false
    const nonce = await chain.client.getTransactionCount({ address, blockTag: 'latest' })
    memory.sawAt = performance.now()
    options.seenNonces.saw(address, nonce)
    if (!account || (await isLaneOpen(db, chain.id, address))) return false
    if (nonce > 0) await options.onUnbooked(address)
    await openLane(db, { chainId: chain.id, address, nonce })
    return true
  }

  /** What is read while the lane changes hands may be older than the last write of its last holder. */
  async function loadStateAsHolder(context: LaneContext): Promise<LaneState | undefined> {
    const { address, share, memory } = context
    const looking = { chainId: chain.id, address, owner, seconds: limits.leaseSeconds, share, handlers }
    for (;;) {
      const look = await loadLaneState(db, looking)
      if (!look || look.lease.fence === memory.fence) return look
      memory.fence = look.lease.fence
    }
  }

  /** What was sent with a key that no process has can still be watched and sent again, but never replaced. */
  async function watchOrphaned(): Promise<void> {
    const sleep = wakeSignal.listen()
    const seconds = Math.max(timing.orphanedSeconds, limits.leaseSeconds * orphanedLeases)
    const ours = chain.operators.map(({ address }) => address.toLowerCase())
    let looked = performance.now()
    while (!stopped) {
      await sleep(timing.idleMs)
      if (stopped || performance.now() - looked < timing.orphanCheckMs) continue
      looked = performance.now()
      const deserted = await listOrphaned(db, { chainId: chain.id, ours, seconds }).catch(() => [])
      for (const lane of deserted) {
        const why = 'work is left of an operator key that no process has'
        alarm({ kind: 'key_missing', lane, why })
        await turn(contextOf(lane as Address))
        await releaseLease(lane)
      }
    }
  }

  function releaseLease(lane?: string): Promise<void> {
    return releaseLeases(db, owner, lane).catch(() => undefined)
  }

  function contextOf(address: Address): LaneContext {
    const index = chain.operators.findIndex((operator) => operator.address === address)
    const share = { index: Math.max(0, index), of: Math.max(1, chain.operators.length) }
    const account = chain.operators[index] ?? null
    return { ...options, idleCheckMs: timing.idleCheckMs, address, account, share, alarm, memory: {} }
  }

  const loops = [watchOrphaned()]
  const firstLooks = chain.operators.map(
    ({ address }) =>
      new Promise<void>((resolve) => {
        loops.push(runLane(contextOf(address), resolve))
      }),
  )
  return {
    firstLook: Promise.all(firstLooks),
    wake: wakeSignal.ring,
    async stop() {
      stopped = true
      wakeSignal.ring()
      await Promise.all(loops)
      await releaseLease()
    },
  }
}

/** Whether there is another newest block than at the last turn; not where the node does not answer. */
async function hasNewBlock({ chain, memory }: LaneContext): Promise<boolean> {
  const head = await chain.client.getBlockNumber().catch(() => undefined)
  return head !== undefined && Number(head) !== memory.head
}
