import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { PrivateKeyAccount } from 'viem'
import type { Chain } from '../chain/chain.ts'
import type { Database } from '../db/connect.ts'
import { nodeErrorText } from './answers.ts'
import { type LaneContext, takeTurn } from './lane.ts'
import { LeaseLostError, openLane, releaseLeases, takeLease } from './lease.ts'
import type { LaneLimits, Purpose, TransactionOwner } from './types.ts'

/** A loop that works until it is stopped. */
export interface Worker {
  /** Something was stored that the loop should look at now. */
  nudge(): void
  /** Ends the loop after the turn it is in, and lets its leases go. */
  stop(): Promise<void>
}

/** How often the loops look, in ms. */
export interface Pace {
  /** While something is on its way. */
  busyMs: number
  /** While nothing is. */
  idleMs: number
}

/**
 * Starts one loop per operator key of the chain. Any number of processes may run them on one database: a lane belongs
 * to whoever holds its lease.
 */
export function startLanes(options: {
  db: Database
  chain: Chain
  limits: LaneLimits
  owners: Record<Purpose, TransactionOwner>
  pace: Pace
  onOutcome(): void
  log: Logger
}): Worker {
  const owner = randomUUID()
  const stopping = new AbortController()
  const bell = createBell(stopping.signal)
  const loops = options.chain.operators.map((account) =>
    runLane({ ...options, account }, { owner, pace: options.pace, bell, signal: stopping.signal }),
  )
  return {
    nudge: bell.ring,
    async stop() {
      stopping.abort()
      await Promise.all(loops)
      await releaseLeases(options.db, owner).catch(() => undefined)
    },
  }
}

async function runLane(
  context: LaneContext,
  run: { owner: string; pace: Pace; bell: Bell; signal: AbortSignal },
): Promise<void> {
  const { signal, pace, bell } = run
  let open = false
  while (!signal.aborted) {
    let busy = false
    try {
      if (!open) {
        await openOperatorLane(context.db, context.chain, context.account)
        open = true
      }
      const lease = await takeLease(context.db, {
        chainId: context.chain.id,
        address: context.account.address,
        owner: run.owner,
        seconds: context.limits.leaseSeconds,
      })
      if (lease) busy = await takeTurn(context, lease)
    } catch (error) {
      if (!(error instanceof LeaseLostError))
        context.log.warn(
          { lane: context.account.address, reason: nodeErrorText(error) },
          'a lane could not take its turn; trying again',
        )
    }
    await bell.wait(busy ? pace.busyMs : pace.idleMs)
  }
}

async function openOperatorLane(db: Database, chain: Chain, account: PrivateKeyAccount): Promise<void> {
  const nonce = await chain.client.getTransactionCount({ address: account.address, blockTag: 'latest' })
  await openLane(db, { chainId: chain.id, address: account.address, nonce })
}

/** Lets loops sleep until it rings, the time is up or the worker stops. */
export interface Bell {
  ring(): void
  wait(ms: number): Promise<void>
}

export function createBell(signal: AbortSignal): Bell {
  let rung = new AbortController()
  return {
    ring() {
      rung.abort()
      rung = new AbortController()
    },
    async wait(ms) {
      await delay(ms, undefined, { signal: AbortSignal.any([rung.signal, signal]) }).catch(() => undefined)
    },
  }
}
