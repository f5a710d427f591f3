import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { type Hex, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { createApp } from '../../../server/app.ts'
import { createApiKeys, loadChecksumKey } from '../../../server/auth/api-keys.ts'
import { connectChain } from '../../../server/chain/chain.ts'
import { connectedTo } from '../../../server/chain/connection.ts'
import { deployContracts } from '../../../server/chain/deploy/deploy.ts'
import { readConfig } from '../../../server/config/config.ts'
import { createDatabase, createPool, type Database } from '../../../server/db/client.ts'
import { migrate } from '../../../server/db/migrate/migrate.ts'
import { anvilClient } from '../../../server/embedded/chain/anvil-client.ts'
import { startChain } from '../../../server/embedded/chain/chain.ts'
import { startGitHub } from '../../../server/embedded/github/github.ts'
import { startPostgres } from '../../../server/embedded/postgres/postgres.ts'
import { createRepositories } from '../../../server/repositories/repositories.ts'
import { compose } from '../../../server/startup/compose.ts'

/** The whole service on parts of its own, at the pace it has in production. */
export interface BenchMarket {
  baseUrl: string
  db: Database
  node: ReturnType<typeof anvilClient>
  /** API key of the founder of every bounty. */
  founderKey: string
  platformWallet: Hex
  /** Stores `count` bounties whose work waits for its approval; returns their ids. */
  bountiesInReview(count: number): Promise<string[]>
  close(): Promise<void>
}

export const applicationName = 'bench-service'
const reward = 100
const organization = 'bench'

/** Starts everything, with one project; the chain mines each transaction at once until a test changes that. */
export async function startBenchMarket(operators: number): Promise<BenchMarket> {
  const directory = await mkdtemp(join(tmpdir(), 'bounty-marketplace-bench-'))
  const quiet = { info: () => undefined, warn: () => undefined }
  const token = randomBytes(16).toString('hex')
  const [postgres, anvil, github] = await Promise.all([
    startPostgres({ directory: join(directory, 'postgres'), log: quiet }),
    startChain({ directory: join(directory, 'chain'), port: 0, log: quiet, persist: false, proxy: false }),
    startGitHub({
      directory: join(directory, 'github'),
      port: 0,
      git: false,
      organization,
      token,
      log: quiet,
    }),
  ])
  const databaseUrl = postgres.url
  const node = anvilClient(anvil.rpcUrl)
  const keys = Array.from({ length: operators + 1 }, generatePrivateKey)
  const accounts = keys.map((key) => privateKeyToAccount(key))
  for (const { address } of accounts) await node.setBalance({ address, value: parseEther('1000') })
  const [ownerKey] = keys as [Hex]
  const { platformWallet } = await deployContracts({
    rpcUrl: anvil.rpcUrl,
    deployerPrivateKey: ownerKey,
    owner: accounts[0]?.address as Hex,
    treasury: privateKeyToAccount(generatePrivateKey()).address,
    operators: accounts.slice(1).map(({ address }) => address),
  })
  const log = pino({ level: process.env.BENCH_LOG_LEVEL ?? 'silent' })
  const config = readConfig({ EMBEDDED: 'off', DATABASE_URL: 'postgres://unused/unused', RATE_LIMITS: 'off' })
  const db = createDatabase(
    createPool(databaseUrl, { size: config.DATABASE_POOL_SIZE, name: applicationName }),
  )
  const own = createDatabase(createPool(databaseUrl, { size: 2, name: 'bench' }))
  await migrate(own)
  const composition = compose({
    config,
    log,
    db,
    apiKeys: createApiKeys({ checksumKey: await loadChecksumKey(db) }),
    chain: connectedTo(
      await connectChain({ rpcUrls: [anvil.rpcUrl], operators: accounts.slice(1), platformWallet }),
    ),
    repositories: createRepositories({ apiUrl: github.apiUrl, organization, auth: { token }, log }),
    wallets: null,
  })
  composition.start()
  const app = await createApp(composition.services)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const baseUrl = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  const founder = await activeProject(baseUrl)
  return {
    baseUrl,
    db: own,
    node,
    founderKey: founder.key,
    platformWallet,
    bountiesInReview: (count) => storeBounties(own, founder, count),
    async close() {
      await app.close()
      await composition.stop()
      await Promise.all([db.destroy(), own.destroy()])
      await Promise.all([github.stop(), anvil.stop(), postgres.stop()])
      await rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
    },
  }
}

async function activeProject(baseUrl: string): Promise<{ key: string; projectId: string }> {
  const call = async (path: string, key: string | undefined, body: object | undefined) => {
    const response = await fetch(baseUrl + path, {
      method: 'POST',
      headers: {
        ...(key && { authorization: `Bearer ${key}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      body: body && JSON.stringify(body),
    })
    // biome-ignore lint/suspicious/noExplicitAny: bodies of three operations
    const parsed: any = await response.json()
    if (!response.ok) throw new Error(`${path}: ${JSON.stringify(parsed)}`)
    return parsed
  }
  const wallet = privateKeyToAccount(generatePrivateKey()).address
  const { agent } = await call('/api/agents/register', undefined, { name: 'Founder', wallet_address: wallet })
  const project = {
    name: 'Bench',
    description: 'Pays.',
    token_symbol: 'PAY',
    token_supply: 100_000_000,
  }
  const { project: proposed } = await call('/api/projects', agent.api_key, project)
  await call(`/api/projects/${proposed.id}/activate`, agent.api_key, undefined)
  return { key: agent.api_key, projectId: proposed.id }
}

/** Straight into the tables: what leads to a review is another benchmark's. */
async function storeBounties(db: Database, founder: { projectId: string }, count: number): Promise<string[]> {
  const names = Array.from({ length: count }, () => randomBytes(10).toString('hex'))
  const agents = names.map((name) => ({
    id: `agt_${name}`,
    name: 'Contributor',
    wallet_address: privateKeyToAccount(generatePrivateKey()).address,
    wallet_type: 'external' as const,
    key_id: `bench-${name}`,
    key_hash: '$argon2id$bench',
  }))
  const bounties = names.map((name) => ({
    id: `bnt_${name}`,
    project_id: founder.projectId,
    title: 'Work',
    description: 'Do it.',
    reward_amount: reward,
    difficulty: 'easy' as const,
    status: 'in_review' as const,
    claimed_by: `agt_${name}`,
    claimed_at: new Date(),
  }))
  const submissions = names.map((name, index) => ({
    id: `sub_${name}`,
    bounty_id: `bnt_${name}`,
    project_id: founder.projectId,
    review_due_at: new Date(Date.now() + 86_400_000),
    agent_id: `agt_${name}`,
    pr_url: `http://127.0.0.1/bench/bench/pull/${index + 1}`,
  }))
  await db.insertInto('agents').values(agents).execute()
  await db.insertInto('bounties').values(bounties).execute()
  await db.insertInto('submissions').values(submissions).execute()
  return bounties.map(({ id }) => id)
}
