import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pLimit from 'p-limit'
import pg from 'pg'
import { privateKeyToAccount } from 'viem/accounts'
import { databaseUrl } from '../../support/database-url.ts'
import { requestFaults } from '../../support/request-faults.ts'
import { organization, settingsOf, startNodeAndHost } from '../../support/world.ts'
import type { Switch } from '../child/kill-switch.ts'
import { createGitHubFaults, type GitHubFaults } from '../proxies/github.ts'
import { createPostgresProxy, type PostgresProxy } from '../proxies/postgres.ts'
import { createRpcProxy, type RpcProxy } from '../proxies/rpc.ts'
import { codeHostJournal, type Fixture } from './fixture.ts'
import { type Fleet, launchFleet } from './fleet.ts'
import { createMiner, type Miner } from './miner.ts'
import { connectNode, type Node } from './node.ts'
import { feeBps, finalityBlocks } from './oracle/expected.ts'
import type { Evidence } from './oracle/oracle.ts'
import { windowMs } from './oracle/rules.ts'
import { createStoredFirst } from './oracle/stored-first.ts'
import { createPatientDatabase, untilAvailable } from './patient-database.ts'
import type { ProcessPool } from './process.ts'
import { createShownPulls } from './shown-pulls.ts'
import { removeGuard } from './unguarded.ts'
import { createWalletBook } from './wallets.ts'

/** A deployment that other programs run, in which an environment puts its database and its processes. */
export interface Deployment {
  /** The port of each slot's process; something in front of them sends requests to these. */
  ports: number[]
  /** Address to which clients send their requests. */
  front: string
  /** Settings of each process, from the name of the environment's database on top of those of every environment. */
  settings?(database: string): Record<string, string>
}

/** The parts that many schedules share. */
export interface Stage {
  fixture: Fixture
  processPool: ProcessPool
  /** Where processes and database run, if not on ports and behind proxies of the environment's own. */
  deployment?: Deployment | undefined
  /** Nothing may be unfinished this long after the last fault, in ms; default 60,000. */
  patienceMs?: number
  /** The platform wallet of every environment pays an id as often as it is asked to. */
  withoutGuard?: boolean
}

/** How the service runs in a schedule. */
export interface EnvironmentOptions {
  /** For each slot: the switches of its first process, of its second and so on. */
  slots: Switch[][][]
  restartMs: number
  /** How long a stopped process sleeps, in ms; null: until it is woken. */
  sleepMs: number | null
  /** How far the clock of each slot is ahead, in ms; default 0. */
  clocks?: number[]
  operators: number
  confirmations: number
  poolSize: number
  /** Whether the chain mines each transaction at once, or only what is there at the next block. */
  automine: boolean
  blockMs: number
  /** Whether the loops run that need no chain, as that which pays for merges; default: only in a deployment. */
  databaseLoops?: boolean
  /** The settings that each life of each slot adds, from all operator keys. */
  settingsByLife?(operatorKeys: string[]): Record<string, string>[][]
}

/** The environment of one schedule: the service with a database, a node and a code host of its own, all with proxies. */
export interface Environment extends Evidence {
  /** Settings that connect the service to the proxies. */
  connections: Record<string, string>
  fleet: Fleet
  /** Addresses to which clients send their requests. */
  addresses(): string[]
  rpc: RpcProxy
  postgres: PostgresProxy
  github: GitHubFaults
  /** The pull requests whose bounties have a rule. */
  pulls: ReturnType<typeof createShownPulls>
  miner: Miner
  /** Submissions that somebody else may have rejected or approved, so that an approval may come too late. */
  mayBeOver: Set<string>
  /** Aborted when clients hang up on all requests they wait for. */
  clients(): AbortSignal
  hangUp(): void
  /** Number of requests that wait for their response. */
  asking: number
  /** Number of requests that got a response. */
  answered: number
  /** Problems that were seen while the schedule ran. */
  violations: string[]
  /** Runs a statement on the database's server, past all faults. */
  maintain(statement: string): Promise<void>
  databaseName: string
  /** Restores the database to its first state while everything else goes on. */
  fallBack(): Promise<void>
  close(): Promise<void>
}

/** Times of the engines, short enough for a test to see the end. */
const timing = {
  busyMs: 30,
  idleMs: 80,
  resendAfterSeconds: 0.4,
  receiptCheckSeconds: 0.15,
  requestLockSeconds: 1,
  activationLeaseSeconds: 1.5,
  pauseSeconds: 0.2,
  orphanedSeconds: 3,
  orphanCheckMs: 500,
  sweepMs: 100,
  idleCheckMs: 500,
  settledCheckMs: 0,
  pullRequestsMs: 100,
}

/** Sent bytes wait at most so long for the check that they are stored, in ms, where the database may be gone for long. */
const longestHoldMs = 500

export async function createEnvironment(
  { fixture, processPool, withoutGuard, deployment }: Stage,
  options: EnvironmentOptions,
): Promise<Environment> {
  const directory = await mkdtemp(join(tmpdir(), 'bounty-marketplace-faults-'))
  await Promise.all(['chain', 'github'].map((folder) => mkdir(join(directory, folder))))
  await writeFile(join(directory, 'github', codeHostJournal), fixture.codeHost)
  await writeFile(join(directory, 'chain/state.json.gz'), fixture.chainState)
  const github = createGitHubFaults()
  const [host, database] = await Promise.all([
    startNodeAndHost(directory, {
      organization,
      token: fixture.githubToken,
      extend: requestFaults(github.onRequest),
    }),
    copyDatabase(fixture, deployment !== undefined),
  ])
  const pulls = createShownPulls(fixture.ruled, database.db)
  github.show(pulls.respond)
  const node = connectNode(host.rpcUrl)
  if (withoutGuard) await removeGuard(node, fixture)
  const since = await node.getBlockNumber()
  const violations: string[] = []
  let clients = new AbortController()
  const postgres = await createPostgresProxy(database.url)
  // Where the database may be gone for long, bytes go on without it, as they would without the test.
  const storedFirst = createStoredFirst(database.db, deployment && longestHoldMs)
  const rpc = await createRpcProxy({
    target: host.rpcUrl,
    beforeSend: storedFirst.arrive,
    strikeSender: (slot, action) => fleet[action](slot),
  })
  const miner = await createMiner(node, options)
  const { githubToken, walletMasterKey, platformWallet } = fixture
  const operatorKeys = fixture.operatorKeys.slice(0, options.operators)
  const connections = {
    ...settingsOf({
      chain: { rpcUrl: rpc.urlFor(0), operatorKeys, platformWallet },
      github: host.github,
      githubToken,
      organization,
      walletMasterKey,
    }),
    DATABASE_URL: deployment ? database.url : postgres.url,
    PLATFORM_FEE_BPS: String(feeBps),
    CONFIRMATIONS: String(options.confirmations),
    WITHDRAWALS_PER_DAY: '1000',
    DEPOSITS_PER_DAY: '1000',
    WITHDRAWAL_GAS_ETH_PER_DAY: '1000',
    ACTIVATION_GAS_ETH_PER_DAY: '1000',
    ACCEPTANCE_HOUR_SECONDS: String(windowMs / 1000),
  }
  const fleet: Fleet = launchFleet(
    processPool,
    options.slots.map((lives, index) => ({
      lives,
      clockOffsetMs: options.clocks?.[index] ?? 0,
      settingsByLife: options.settingsByLife?.(fixture.operatorKeys)[index],
      restartMs: options.restartMs,
      sleepMs: options.sleepMs,
      settings: {
        ...connections,
        CHAIN_RPC_URL: rpc.urlFor(index),
        DATABASE_POOL_SIZE: String(options.poolSize),
        FINALITY_BLOCKS: String(finalityBlocks),
        REPLACE_AFTER_SECONDS: '1',
        LANE_LEASE_SECONDS: '1',
        APPROVE_WAIT_SECONDS: '3',
        ACTIVATE_WAIT_SECONDS: '3',
        ...(deployment && { PORT: String(deployment.ports[index]), ...deployment.settings?.(database.name) }),
      },
    })),
    { timing, databaseLoops: options.databaseLoops ?? deployment !== undefined, directory },
  )
  const environment: Environment = {
    fixture,
    node,
    since,
    db: database.db,
    databaseName: database.name,
    maintain: database.maintain,
    added: [...fixture.ruled],
    wallets: createWalletBook([...fixture.submissions, ...fixture.ruled]),
    withdrawals: [],
    outside: new Set(),
    sent: rpc.sent,
    sentUnstored: storedFirst.problems,
    fellBack: false,
    fellBackAt: undefined,
    shownOf: pulls.shownOf,
    reported: new Map(),
    mayBeOver: new Set(),
    foreign: [],
    violations,
    asking: 0,
    answered: 0,
    clients: () => clients.signal,
    hangUp() {
      clients.abort()
      clients = new AbortController()
    },
    connections,
    fleet,
    addresses: () => (deployment ? [deployment.front] : fleet.addresses()),
    rpc,
    postgres,
    github,
    pulls,
    miner,
    alarms: () => fleet.alarms(),
    async fallBack() {
      postgres.refuse(Number.POSITIVE_INFINITY)
      // What it forgets excuses what the final checks would report.
      environment.fellBack = true
      environment.foreign.push(...(await usedNonces(node, fixture)))
      await storedFirst.remember()
      await database.reset()
      environment.fellBackAt = Date.now()
      postgres.accept()
    },
    async close() {
      await miner.stop()
      await fleet.close()
      await Promise.all([rpc.close(), postgres.close(), host.stop(), database.drop()])
      await rm(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
    },
  }
  return environment
}

/** Nonces of operator keys that are mined or wait for it. */
async function usedNonces(node: Node, fixture: Fixture): Promise<Evidence['foreign']> {
  const used = await Promise.all(
    fixture.operatorKeys.map(async (key) => {
      const { address } = privateKeyToAccount(key)
      const used = await node.getTransactionCount({ address, blockTag: 'pending' })
      return Array.from({ length: used }, (_, nonce) => ({ address, nonce }))
    }),
  )
  return used.flat()
}

/**
 * Copies the fixture's database.
 * @param mayFailOver whether another server may take over: a copied sequence gives out up to 32 numbers that no standby
 * hears of, and gives them out again there, unless a checkpoint comes before the first
 */
async function copyDatabase(fixture: Fixture, mayFailOver: boolean) {
  const name = `faults_${randomBytes(8).toString('hex')}`
  const run = async (statement: string) => {
    const client = new pg.Client({ connectionString: fixture.postgresUrl })
    client.on('error', () => undefined)
    try {
      await client.connect()
      // Another worker may be copying the same template.
      for (let attempt = 1; ; attempt++)
        try {
          await client.query(statement)
          return
        } catch (error) {
          const code = error instanceof pg.DatabaseError ? error.code : undefined
          // The reply to an earlier attempt was lost: nobody else takes this name.
          if (code === '42P04') return
          const busy = code === '55006'
          if (!busy || attempt === 100) throw error
          await delay(30)
        }
    } finally {
      await client.end().catch(() => undefined)
    }
  }
  // Two at once of one database's settings would collide.
  const inTurn = pLimit(1)
  const maintain = (statement: string) => inTurn(() => untilAvailable(() => run(statement)))
  const create = async () => {
    await maintain(`create database ${name} template ${fixture.template}`)
    if (mayFailOver) await maintain('checkpoint')
  }
  const remove = () => maintain(`drop database if exists ${name} with (force)`)
  await create()
  const url = databaseUrl(fixture.postgresUrl, name)
  const db = createPatientDatabase(url, 4)
  return {
    name,
    url,
    db,
    maintain,
    async reset() {
      await remove()
      await create()
    },
    async drop() {
      await db.destroy()
      await remove()
    },
  }
}
