import pLimit from 'p-limit'
import type { Logger } from 'pino'
import { type Address, parseGwei } from 'viem'
import type { ApiKeys } from '../auth/api-keys.ts'
import { startClaims } from '../code/claims/loop.ts'
import type { Repositories } from '../code/host/repositories.ts'
import { startOwnRepositories } from '../code/own-repositories/loop.ts'
import { createPullRequests } from '../code/pull-requests/engine.ts'
import { startPullRequests } from '../code/pull-requests/loop.ts'
import type { Config } from '../config/config.ts'
import type { WalletVault } from '../crypto/wallet-vault.ts'
import type { Database } from '../db/client.ts'
import { pooledReads, type Reads } from '../db/reads/reads.ts'
import { createEventLog, type EventLog } from '../events/log/event-log.ts'
import { createEventReader } from '../events/log/reader.ts'
import { createEndpoints, type Endpoints } from '../events/webhooks/deliveries/endpoint.ts'
import { startWebhooks } from '../events/webhooks/deliveries/worker.ts'
import { listOperations } from '../http/adapter/operations.ts'
import { createAlarms } from '../loops/alarms.ts'
import type { Worker } from '../loops/rounds.ts'
import { defaultTiming, type Timing } from '../loops/timing.ts'
import { startAcceptances } from '../market/acceptances/loop.ts'
import { startDeadlines } from '../market/deadlines/loop.ts'
import { createDeployHandler } from '../money/activation/deploy-handler.ts'
import { createActivationEngine } from '../money/activation/engine.ts'
import { startActivations } from '../money/activation/worker.ts'
import type { Chain } from '../money/chain/chain.ts'
import type { ChainConnection } from '../money/chain/connection.ts'
import { finalityOf } from '../money/chain/finality.ts'
import { createRecentReadings } from '../money/chain/recent.ts'
import { startFollower } from '../money/follower/follower.ts'
import { createPayoutEngine } from '../money/payouts/engine.ts'
import { createPayoutHandler } from '../money/payouts/payout-handler.ts'
import { recognizePayments } from '../money/payouts/recognize/recognize.ts'
import { createRefundHandler } from '../money/refunds/handler.ts'
import { recognizeRefunds, startRefunds } from '../money/refunds/sweep.ts'
import { createRelayHandler } from '../money/relays/handler.ts'
import { startSweep } from '../money/relays/sweep.ts'
import { createSeenNonces, type SeenNonces } from '../money/transactions/seen-nonces.ts'
import { startLanes } from '../money/transactions/worker.ts'
import { router } from '../router.ts'
import type { Services } from '../services.ts'

/** What is connected before the services are composed. */
export interface Connections {
  config: Config
  log: Logger
  db: Database
  /** Default: over the pool of `db`. */
  reads?: Reads
  apiKeys: ApiKeys
  chain: ChainConnection
  repositories: Repositories | null
  wallets: WalletVault | null
  /** Default: as WEBHOOKS_ALLOW_LOOPBACK says. */
  endpoints?: Endpoints
  /** Overrides of {@link defaultTiming}. */
  timing?: Partial<Timing>
}

/** The services, and the loops that carry out what requests have stored. */
export interface Composition {
  services: Services
  /**
   * Starts the loops when the chain was reached. Requests get the chain only after every lane has had its first tick,
   * because lost payments are known then. Resolves after that if the chain was reached before.
   */
  start(): Promise<void>
  /** Starts the loops that need no chain, once requests are served: while they are not, no claim may lapse. */
  startDatabaseLoops(): void
  /** Ends the loops after the tick or step they are in. */
  stop(): Promise<void>
}

/** Creates the engines around the connections. No other place knows which engine wakes which. */
export function compose(connections: Connections): Composition {
  const { config, log, db, repositories } = connections
  const timing = { ...defaultTiming, ...connections.timing }
  let workers: Worker[] = []
  let databaseLoops: Worker[] = []
  let isStarted = false
  const wake = () => {
    for (const worker of workers) worker.wake()
  }
  const waiting = {
    db,
    log,
    pollMs: timing.idleMs,
    requestLockSeconds: timing.requestLockSeconds,
    onWait: wake,
  }
  const seenNonces = createSeenNonces()
  const payouts = createPayoutEngine({ ...waiting, chain: connections.chain, seenNonces, config })
  const activations = createActivationEngine(waiting)
  const eventLog = createEventLog({ db, timing, log })
  const poll = (id?: string) => {
    payouts.poll(id)
    activations.poll(id)
  }
  const allowLoopback = config.WEBHOOKS_ALLOW_LOOPBACK ?? false
  const endpoints = connections.endpoints ?? createEndpoints({ allowLoopback })
  return {
    services: createServices(connections, { endpoints, payouts, activations, eventLog, wake }),
    start() {
      isStarted = true
      return connections.chain.whenReached(async (chain) => {
        if (!isStarted || workers.length > 0) return
        workers = startWorkers(connections, {
          chain,
          timing,
          seenNonces,
          onOutcome: poll,
          onProgress() {
            wake()
            poll()
          },
        })
        await Promise.all(workers.map(({ firstTick }) => firstTick))
      })
    },
    startDatabaseLoops() {
      if (databaseLoops.length > 0) return
      const webhooks = startWebhooks({ db, endpoints, vault: connections.wallets, log, timing })
      databaseLoops = [startDeadlines({ db, log, timing }), eventLog.start(), webhooks]
      if (!repositories) return
      const onHost = { db, repositories, log, timing }
      const { REVIEW_DAYS: reviewDays, ACCEPTANCE_HOUR_SECONDS: ruleHourSeconds } = config
      databaseLoops.push(
        startPullRequests({ ...onHost, hasWebhook: hasWebhook(config) }),
        startClaims(onHost),
        startOwnRepositories(onHost),
        startAcceptances({ ...onHost, payouts, onBegun: wake, reviewDays, ruleHourSeconds }),
      )
    },
    async stop() {
      isStarted = false
      await Promise.all([...databaseLoops, ...workers].map((worker) => worker.stop()))
      databaseLoops = []
      workers = []
    },
  }
}

const hasWebhook = (config: Config) => config.GITHUB_WEBHOOK_SECRET !== undefined

function createServices(
  connections: Connections,
  engines: Pick<Services, 'endpoints' | 'payouts' | 'activations' | 'wake'> & { eventLog: EventLog },
): Services {
  const { config, db, reads, repositories } = connections
  const { eventLog, ...others } = engines
  return {
    ...connections,
    ...others,
    reads: reads ?? pooledReads(db),
    pullRequests: createPullRequests({ db, repositories, hasWebhook: hasWebhook(config) }),
    events: createEventReader(db, eventLog, {
      retentionDays: config.EVENT_RETENTION_DAYS,
      mostWaits: config.MAX_EVENT_WAITS,
    }),
    recent: createRecentReadings(),
    routes: new Map(listOperations(router).map((operation) => [operation.id, operation])),
  }
}

interface WorkerOptions {
  chain: Chain
  timing: Timing
  seenNonces: SeenNonces
  onOutcome(id: string): void
  onProgress(): void
}

function startWorkers(
  { config, log, db, repositories }: Connections,
  { chain, timing, seenNonces, onOutcome, onProgress }: WorkerOptions,
): Worker[] {
  const { resendAfterSeconds, receiptCheckSeconds } = timing
  const finality = finalityOf(config, chain.id)
  const relayHandler = createRelayHandler({
    db,
    chain,
    isEnabled: config.WITHDRAWALS_ENABLED,
    limits: config,
  })
  const handlers = {
    payout: createPayoutHandler({ db, chain, payoutsEnabled: config.PAYOUTS_ENABLED, limits: config }),
    deploy: createDeployHandler({ db, chain, limits: config }),
    refund: createRefundHandler({ db, chain, limits: config }),
    withdrawal: relayHandler,
    permit: relayHandler,
    deposit: relayHandler,
  }
  const limits = {
    finality,
    replaceAfterSeconds: config.REPLACE_AFTER_SECONDS,
    resendAfterSeconds,
    receiptCheckSeconds,
    maxFeePerGas: parseGwei(String(config.MAX_FEE_GWEI)),
    leaseSeconds: config.LANE_LEASE_SECONDS,
  }
  const oneAtATime = pLimit(1)
  const alarm = createAlarms(log)
  const onUnbooked = (signer: Address) =>
    oneAtATime(async () => {
      await recognizePayments({ db, chain, alarm, log }, signer)
      await recognizeRefunds(db, chain, log)
    })
  const sweep = startSweep({
    db,
    chain,
    finality,
    log,
    timing,
    onLocked: (relayId) => recognizeRefunds(db, chain, log, relayId),
  })
  const onLaneOutcome = (id: string) => {
    onOutcome(id)
    sweep.wake()
  }
  const shared = { db, chain, limits, handlers, timing, log, seenNonces, onUnbooked }
  const lanes = startLanes({ ...shared, onOutcome: onLaneOutcome })
  return [
    lanes,
    startActivations({ db, chain, repositories, finality, limits: config, log, timing, onProgress }),
    sweep,
    startRefunds({ db, chain, timing, log, onQueued: lanes.wake }),
    startFollower({ db, chain, finality, log, timing, after: lanes.firstTick }),
  ]
}
