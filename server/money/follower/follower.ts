import { randomUUID } from 'node:crypto'
import { LeaseLostError, whileRenewing } from '../../db/lease.ts'
import { createAlarms } from '../../loops/alarms.ts'
import { createOutageReport } from '../../loops/outage-report.ts'
import { startRounds, type Worker } from '../../loops/rounds.ts'
import type { Timing } from '../../loops/timing.ts'
import { chainAddress } from '../chain/address.ts'
import type { FollowContext } from './context.ts'
import { follow } from './follow.ts'
import { acquireFollower, type FollowerLease, openFollower, releaseFollower, renewFollower } from './store.ts'

/** What the follower of a process needs. */
export interface FollowerOptions extends Omit<FollowContext, 'alarm' | 'memory' | 'settleSeconds'> {
  timing: Timing
  /** The first tick waits for this: until then payments may be unknown that a lane is about to recognise. */
  after: Promise<unknown> | undefined
}

/**
 * Starts the loop that reads the chain's logs. Any number of processes may run one on one database: the one that holds
 * the lease reads.
 */
export function startFollower(options: FollowerOptions): Worker {
  const { db, chain, timing, log } = options
  const owner = randomUUID()
  const wallet = chainAddress(chain.platformWallet)
  const context: FollowContext = {
    ...options,
    settleSeconds: timing.logsSettleSeconds,
    alarm: createAlarms(log),
    memory: {},
  }
  const outage = createOutageReport(log, {
    failing: "the chain's logs could not be read; trying again",
    working: "the chain's logs are read again",
  })

  async function tick(isStopped: () => boolean): Promise<void> {
    await options.after
    if (isStopped()) return
    const seconds = timing.followLeaseSeconds
    try {
      const held = await acquire()
      if (!held) return
      await whileRenewing({ seconds, renew: () => renewFollower(db, held, seconds) }, () =>
        follow(context, held),
      )
      outage.worked()
    } catch (error) {
      if (!(error instanceof LeaseLostError)) outage.failed(error)
    }
  }

  async function acquire(): Promise<FollowerLease | undefined> {
    const query = { chainId: chain.id, owner, seconds: timing.followLeaseSeconds }
    const held = await acquireFollower(db, query)
    if (held?.wallets.includes(wallet)) return held
    // The row is new, or lacks the wallet of this process's settings; or another process holds the lease.
    await openFollower(db, chain.id, wallet)
    return acquireFollower(db, query)
  }

  const loop = startRounds(tick, timing.followMs)
  return {
    // Only blocks bring news, and no request waits for them.
    wake: () => undefined,
    async stop() {
      await loop.stop()
      await releaseFollower(db, owner).catch(() => undefined)
    },
  }
}
