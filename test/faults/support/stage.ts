import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pLimit from 'p-limit'
import pg from 'pg'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { createDatabase, createPool, type Database } from '../../../server/db/client.ts'
import { startChain } from '../../../server/embedded/chain/chain.ts'
import { startGitHub } from '../../../server/embedded/github/github.ts'
import { databaseUrl } from '../../support/global-setup.ts'
import type { Switch } from '../child/kill-switch.ts'
import { createGitHubFaults, type GitHubFaults } from '../proxies/github.ts'
import { createPostgresProxy, type PostgresProxy } from '../proxies/postgres.ts'
import { createRpcProxy, type RpcProxy } from '../proxies/rpc.ts'
import { feeBps } from './expected.ts'
import { type Fleet, launchFleet } from './fleet.ts'
import { codeHostJournal, type Ground } from './ground.ts'
import { createMiner, type Miner } from './miner.ts'
import { connectNode, type Node } from './node.ts'
import type { Evidence } from './oracle.ts'
import type { Nursery } from './process.ts'
import { removeGuard } from './unguarded.ts'
import { createWalletBook } from './wallets.ts'

/** What many schedules share. */
export interface World {
  ground: Ground
  nursery: Nursery
  /** Nothing may be unfinished this long after the last fault, in ms; default 60,000. */
  patienceMs?: number
  /** The platform wallet of every stage pays an id as often as it is asked to. */
  withoutGuard?: boolean
}

/** How the service runs in a schedule. */
export interface Staging {
  /** For each place the service runs at: what its first process has to expect, its second and so on. */
  berths: Switch[][][]
  restartMs: number
  /** How long a stopped process sleeps, in ms; null: until it is woken. */
  sleepMs: number | null
  /** Of each place, what its clock is ahead, in ms; default 0. */
  clocks?: number[]
  operators: number
  confirmations: number
  poolSize: number
  /** Whether the chain mines each transaction at once, or only what is there at the next block. */
  automine: boolean
  blockMs: number
  /** Of each place, what its lives add to the settings, made of all operator keys. */
  settingsByLife?(operatorKeys: string[]): Record<string, string>[][]
}

/** Everything of one schedule: the service with all that it stands on, of its own and ready to be broken. */
export interface Stage extends Evidence {
  /** Settings that lead the service to what it stands on. */
  connections: Record<string, string>
  fleet: Fleet
  rpc: RpcProxy
  postgres: PostgresProxy
  github: GitHubFaults
  miner: Miner
  /** Submissions that somebody else may have rejected or approved, so that an approval may come too late. */
  mayBeOver: Set<string>
  /** Aborted when clients hang up on all requests they wait for. */
  clients(): AbortSignal
  hangUp(): void
  /** Requests of clients that wait for their answer. */
  asking: number
  /** Something that was wrong at the moment it happened. */
  violations: string[]
  /** Statements on the database's server, past all faults. */
  maintain(statement: string): Promise<void>
  databaseName: string
  /** Puts the database back to what it held at first, while everything else goes on. */
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
  idleCheckMs: 500,
}

const quiet = { info: () => undefined, warn: () => undefined }

export async function setStage({ ground, nursery, withoutGuard }: World, staging: Staging): Promise<Stage> {
  const directory = await mkdtemp(join(tmpdir(), 'bounty-marketplace-stage-'))
  await mkdir(join(directory, 'chain'))
  await mkdir(join(directory, 'github'))
  await writeFile(join(directory, 'github', codeHostJournal), ground.codeHost)
  await writeFile(join(directory, 'chain/state.json.gz'), ground.chainState)
  const github = createGitHubFaults()
  const [chain, database, host] = await Promise.all([
    startChain({ directory: join(directory, 'chain'), port: 0, log: quiet, persist: false, proxy: false }),
    copyDatabase(ground),
    startGitHub({
      directory: join(directory, 'github'),
      port: 0,
      organization: ground.organization,
      token: ground.githubToken,
      log: quiet,
      onRequest: github.onRequest,
    }),
  ])
  const node = connectNode(chain.rpcUrl)
  if (withoutGuard) await removeGuard(node, ground)
  const since = await node.getBlockNumber()
  const violations: string[] = []
  let clients = new AbortController()
  const postgres = await createPostgresProxy(database.url)
  const rpc = await createRpcProxy({
    target: chain.rpcUrl,
    beforeSend: (hash) => mustBeStored(database.db, hash, violations),
    strikeSender: (berth, action) => fleet[action](berth),
  })
  const miner = await createMiner(node, staging)
  const connections = {
    DATABASE_URL: postgres.url,
    CHAIN_RPC_URL: rpc.urlFor(0),
    OPERATOR_PRIVATE_KEYS: ground.operatorKeys.slice(0, staging.operators).join(),
    PLATFORM_WALLET_ADDRESS: ground.platformWallet,
    PLATFORM_FEE_BPS: String(feeBps),
    CONFIRMATIONS: String(staging.confirmations),
    GITHUB_TOKEN: ground.githubToken,
    GITHUB_API_URL: host.apiUrl,
    GITHUB_ORGANIZATION: ground.organization,
  }
  const fleet: Fleet = launchFleet(
    nursery,
    staging.berths.map((lives, index) => ({
      lives,
      clockOffsetMs: staging.clocks?.[index] ?? 0,
      settingsByLife: staging.settingsByLife?.(ground.operatorKeys)[index],
      restartMs: staging.restartMs,
      sleepMs: staging.sleepMs,
      settings: {
        ...connections,
        CHAIN_RPC_URL: rpc.urlFor(index),
        DATABASE_POOL_SIZE: String(staging.poolSize),
        FINALITY_BLOCKS: '12',
        REPLACE_AFTER_SECONDS: '1',
        LANE_LEASE_SECONDS: '1',
        APPROVE_WAIT_SECONDS: '3',
        ACTIVATE_WAIT_SECONDS: '3',
      },
    })),
    { timing, idempotencyLeaseSeconds: 2, directory },
  )
  const stage: Stage = {
    ground,
    node,
    since,
    db: database.db,
    databaseName: database.name,
    maintain: database.maintain,
    added: [],
    wallets: createWalletBook(ground.submissions),
    fellBack: false,
    told: new Map(),
    mayBeOver: new Set(),
    foreign: [],
    operatorMayBeNeeded: false,
    violations,
    asking: 0,
    clients: () => clients.signal,
    hangUp() {
      clients.abort()
      clients = new AbortController()
    },
    connections,
    fleet,
    rpc,
    postgres,
    github,
    miner,
    alarms: () => fleet.alarms(),
    async fallBack() {
      stage.fellBack = true
      stage.operatorMayBeNeeded = true
      stage.foreign.push(...(await usedNonces(node, ground)))
      postgres.refuse(Number.POSITIVE_INFINITY)
      await database.reset()
      postgres.accept()
    },
    async close() {
      await miner.stop()
      await fleet.close()
      await Promise.all([rpc.close(), postgres.close(), host.stop(), chain.stop(), database.drop()])
      await rm(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
    },
  }
  return stage
}

/** No byte may reach a node whose hash the database does not know: a crash would forget it. */
async function mustBeStored(db: Database, hash: Hex, violations: string[]): Promise<void> {
  const row = await db
    .selectFrom('transaction_attempts')
    .select('hash')
    .where('hash', '=', hash)
    .executeTakeFirst()
  if (!row) violations.push(`${hash} was sent before it was stored`)
}

/** Nonces of operator keys that are mined or wait for it. */
async function usedNonces(node: Node, ground: Ground): Promise<Evidence['foreign']> {
  const used = await Promise.all(
    ground.operatorKeys.map(async (key) => {
      const { address } = privateKeyToAccount(key)
      const used = await node.getTransactionCount({ address, blockTag: 'pending' })
      return Array.from({ length: used }, (_, nonce) => ({ address, nonce }))
    }),
  )
  return used.flat()
}

async function copyDatabase(ground: Ground) {
  const name = `faults_${randomBytes(8).toString('hex')}`
  const run = async (statement: string) => {
    const client = new pg.Client({ connectionString: ground.postgresUrl })
    await client.connect()
    try {
      // Another worker may be copying the same template.
      for (let attempt = 1; ; attempt++)
        try {
          await client.query(statement)
          return
        } catch (error) {
          const busy = error instanceof pg.DatabaseError && error.code === '55006'
          if (!busy || attempt === 100) throw error
          await delay(30)
        }
    } finally {
      await client.end()
    }
  }
  // Two at once of one database's settings would collide.
  const inTurn = pLimit(1)
  const maintain = (statement: string) => inTurn(() => run(statement))
  const create = () => maintain(`create database ${name} template ${ground.template}`)
  const remove = () => maintain(`drop database ${name} with (force)`)
  await create()
  const url = databaseUrl(ground.postgresUrl, name)
  const db = createDatabase(createPool(url, { size: 4, name: 'faults' }))
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
