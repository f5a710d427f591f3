import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { Address } from 'viem'
import type { Chain } from '../../chain/chain.ts'
import { nodeErrorText } from '../../chain/rpc-errors.ts'
import type { Database } from '../../db/client.ts'
import { createAlarms } from '../alarms.ts'
import type { Pace } from '../timing.ts'
import {
  isLaneOpen,
  LeaseLostError,
  listDeserted,
  openLane,
  releaseLeases,
  whileRenewing,
} from './lane-lease.ts'
import { type Look, lookAtLane } from './load-state.ts'
import type { SeenNonces } from './seen-nonces.ts'
import { type LaneContext, type TurnOutcome, takeTurn } from './tick.ts'
import type { LaneLimits, Owners } from './types.ts'
import { createBell } from './wake-signal.ts'

/** A loop that works until it is stopped. */
export interface Worker {
  /** Resolves when everything the loop is about was looked at once, whether that worked or not. */
  firstLook?: Promise<unknown>
  /** Something was stored that the loop should look at now. */
  nudge(): void
  /** Ends the loop after the turn it is in, and lets its leases go. */
  stop(): Promise<void>
}

/** Leases that a lane must have been silent for before its key counts as gone. */
const desertedLeases = 6

/** What the lanes of a process share. */
export interface LanesOptions {
  db: Database
  chain: Chain
  limits: LaneLimits
  owners: Owners
  pace: Pace
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
  const { db, chain, limits, owners, pace, log } = options
  const owner = randomUUID()
  const bell = createBell()
  const alarm = createAlarms(log)
  let stopped = false

  async function runLane(context: LaneContext, onTurn: () => void): Promise<void> {
    const sleep = bell.listen()
    while (!stopped) {
      const outcome = await turn(context)
      onTurn()
      const due = performance.now() + pace.idleMs
      // While only a block brings news, the node is asked for one and the database is left alone.
      while (!stopped) {
        const left = due - performance.now()
        if (left <= 0) break
        const rung = await sleep(outcome === 'idle' ? left : Math.min(left, pace.busyMs))
        if (rung && outcome !== 'full') break
        if (outcome !== 'idle' && (await hasNewBlock(context))) break
      }
    }
  }

  async function turn(context: LaneContext): Promise<TurnOutcome> {
    try {
      let look = await lookAsHolder(context)
      if (!look && (await openAgain(context))) look = await lookAsHolder(context)
      if (!look) return 'idle'
      const held = look
      return await whileRenewing(db, held.lease, limits.leaseSeconds, () => takeTurn(context, held))
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
    if (performance.now() - (memory.sawAt ?? Number.NEGATIVE_INFINITY) < pace.idleLookMs) return false
    const nonce = await chain.client.getTransactionCount({ address, blockTag: 'latest' })
    memory.sawAt = performance.now()
    options.seenNonces.saw(address, nonce)
    if (!account || (await isLaneOpen(db, chain.id, address))) return false
    if (nonce > 0) await options.onUnbooked(address)
    await openLane(db, { chainId: chain.id, address, nonce })
    return true
  }

  /** What is read while the lane changes hands may be older than the last write of its last holder. */
  async function lookAsHolder(context: LaneContext): Promise<Look | undefined> {
    const { address, share, memory } = context
    const looking = { chainId: chain.id, address, owner, seconds: limits.leaseSeconds, share, owners }
    for (;;) {
      const look = await lookAtLane(db, looking)
      if (!look || look.lease.fence === memory.fence) return look
      memory.fence = look.lease.fence
    }
  }

  /** What was sent with a key that no process has can still be watched and sent again, but never replaced. */
  async function watchDeserted(): Promise<void> {
    const sleep = bell.listen()
    const seconds = Math.max(pace.desertedSeconds, limits.leaseSeconds * desertedLeases)
    const ours = chain.operators.map(({ address }) => address.toLowerCase())
    let looked = performance.now()
    while (!stopped) {
      await sleep(pace.idleMs)
      if (stopped || performance.now() - looked < pace.desertedMs) continue
      looked = performance.now()
      const deserted = await listDeserted(db, { chainId: chain.id, ours, seconds }).catch(() => [])
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
    return { ...options, idleLookMs: pace.idleLookMs, address, account, share, alarm, memory: {} }
  }

  const loops = [watchDeserted()]
  const firstLooks = chain.operators.map(
    ({ address }) =>
      new Promise<void>((resolve) => {
        loops.push(runLane(contextOf(address), resolve))
      }),
  )
  return {
    firstLook: Promise.all(firstLooks),
    nudge: bell.ring,
    async stop() {
      stopped = true
      bell.ring()
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
