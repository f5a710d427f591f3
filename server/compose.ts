import pLimit from 'p-limit'
import type { Logger } from 'pino'
import { parseGwei } from 'viem'
import { createActivationEngine } from './activation/engine.ts'
import { createDeployOwner } from './activation/owner.ts'
import { startActivations } from './activation/worker.ts'
import { createAlarms } from './alarms.ts'
import type { ApiKeys } from './auth/api-keys.ts'
import type { Chain } from './chain/chain.ts'
import { finalityOf } from './chain/finality.ts'
import type { Config } from './config.ts'
import type { Database } from './db/connect.ts'
import { pooledReads, type Reads } from './db/reads.ts'
import { recognizePayments } from './operate/recognize/recognize.ts'
import { defaultPace, type Pace } from './pace.ts'
import type { Parts } from './parts.ts'
import { createPayoutEngine } from './payouts/engine.ts'
import { createPayoutOwner } from './payouts/owner.ts'
import type { Repositories } from './repositories/repositories.ts'
import { createSeenNonces } from './transactions/seen-nonces.ts'
import { startLanes, type Worker } from './transactions/worker.ts'
import type { WalletVault } from './wallets/vault.ts'

/** What is connected before anything is composed. */
export interface Connections {
  config: Config
  log: Logger
  db: Database
  /** Default: over the pool of `db`. */
  reads?: Reads
  apiKeys: ApiKeys
  chain: Chain | null
  repositories: Repositories | null
  wallets: WalletVault | null
  /** What of the engines' pace is not the default. */
  pace?: Partial<Pace>
}

/** The parts, and the loops that carry out what requests have stored. */
export interface Composition {
  parts: Parts
  /** Starts the loops; without a chain there are none. Resolves when every signer was looked at once, if that worked. */
  start(): Promise<void>
  /** Ends the loops after the step they are in. */
  stop(): Promise<void>
}

/** Makes the engines around the connections. The only place that knows which engine wakes which. */
export function compose(connections: Connections): Composition {
  const { config, log, db, chain, repositories } = connections
  const pace = { ...defaultPace, ...connections.pace }
  let workers: Worker[] = []
  const wake = () => {
    for (const worker of workers) worker.nudge()
  }
  const { servingSeconds, resendAfterSeconds, lookSeconds } = pace
  const waiting = { db, log, pollMs: pace.idleMs, servingSeconds, onWait: wake }
  const seenNonces = createSeenNonces()
  const payouts = createPayoutEngine({ ...waiting, chain, seenNonces })
  const activations = createActivationEngine(waiting)
  const ring = () => {
    payouts.ring()
    activations.ring()
  }
  return {
    parts: { ...connections, reads: connections.reads ?? pooledReads(db), payouts, activations },
    async start() {
      if (!chain || workers.length > 0) return
      const finality = finalityOf(config, chain.id)
      const owners = {
        payout: createPayoutOwner({ db, chain, payoutsEnabled: config.PAYOUTS_ENABLED }),
        deploy: createDeployOwner({ db, chain }),
      }
      const limits = {
        finality,
        replaceAfterSeconds: config.REPLACE_AFTER_SECONDS,
        resendAfterSeconds,
        lookSeconds,
        maxFeePerGas: parseGwei(String(config.MAX_FEE_GWEI)),
        leaseSeconds: config.LANE_LEASE_SECONDS,
      }
      const oneAtATime = pLimit(1)
      const alarm = createAlarms(log)
      const onUnbooked = () => oneAtATime(() => recognizePayments({ db, chain, payouts, alarm, log }))
      workers = [
        startLanes({ db, chain, limits, owners, pace, log, seenNonces, onUnbooked, onOutcome: ring }),
        startActivations({
          db,
          chain,
          repositories,
          finality,
          log,
          pace,
          onProgress() {
            wake()
            ring()
          },
        }),
      ]
      await Promise.all(workers.map(({ firstLook }) => firstLook))
    },
    async stop() {
      await Promise.all(workers.map((worker) => worker.stop()))
      workers = []
    },
  }
}
