import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import { type Address, encodeFunctionData, type Hex, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { createApp } from '../../../server/app.ts'
import { createApiKeys, loadChecksumKey } from '../../../server/auth/api-keys.ts'
import { createRepositories } from '../../../server/code/host/repositories.ts'
import { readConfig } from '../../../server/config/config.ts'
import { createWalletVault } from '../../../server/crypto/wallet-vault.ts'
import { createDatabase, createPool, type Database } from '../../../server/db/client.ts'
import { migrate } from '../../../server/db/migrate/migrate.ts'
import { anvilClient } from '../../../server/embedded/chain/anvil-client.ts'
import { startChain } from '../../../server/embedded/chain/local-chain.ts'
import { saveState } from '../../../server/embedded/chain/state.ts'
import { startGitHub } from '../../../server/embedded/github/github.ts'
import { connectChain } from '../../../server/money/chain/chain.ts'
import { connectedTo } from '../../../server/money/chain/connection.ts'
import { deployContracts } from '../../../server/money/chain/deploy/deploy.ts'
import { bondingCurve, projectToken } from '../../../server/money/chain/generated/contracts.ts'
import { compose } from '../../../server/startup/compose.ts'
import { createApi } from '../../support/api.ts'
import { databaseUrl } from '../../support/database-url.ts'
import { connectNode, type Node } from './node.ts'
import { inBaseUnits } from './oracle/expected.ts'
import { recordHistory, recordTrespass } from './oracle/history.ts'

/** The state that every schedule starts from: a database and a chain with work that waits for approval. */
export interface Fixture {
  /** Address of the Postgres server's maintenance database. */
  postgresUrl: string
  /** Name of the database that each schedule gets a copy of. */
  template: string
  /** The chain as `startChain` finds it in its folder. */
  chainState: Buffer
  organization: string
  githubToken: string
  /** What the code host has stored, as `startGitHub` finds it in its folder. */
  codeHost: string
  platformWallet: Address
  projectFactory: Address
  treasury: Address
  ownerKey: Hex
  operatorKeys: Hex[]
  /** Seals the managed wallets. */
  walletMasterKey: string
  /** Agents with managed wallets, one for each project's token. */
  holders: FixtureHolder[]
  projects: FixtureProject[]
  /** Submissions that wait for their approval; the last one is for the final fault. */
  submissions: FixtureSubmission[]
  /** Projects that wait for their activation. */
  proposals: { id: string; founderKey: string }[]
}

/** An active project. `walletKey` moves what its founder has beyond the reserve. */
export interface FixtureProject {
  id: string
  founderKey: string
  wallet: Address
  walletKey: Hex
  token: Address
  curve: Address
  repoUrl: string
}

/** An agent that can withdraw; its managed wallet has so many whole tokens of a project. */
export interface FixtureHolder {
  key: string
  wallet: Address
  project: number
  tokens: number
}

/** Finished work. `wallet` is the contributor's when the schedule begins; amounts are in whole tokens. */
export interface FixtureSubmission {
  id: string
  bountyId: string
  project: number
  contributorKey: string
  wallet: Address
  reward: number
}

const organization = 'fault-tests'
/** Where the code host keeps what it has stored, below its folder. */
export const codeHostJournal = 'journal.jsonl'
const operators = 3
/** Tokens that each managed wallet has. */
const held = 2000
/** Tokens the second founder buys beyond the bounty reserve of 100,000, so that its rewards depend on an approval. */
const bought = 150_000

/** Creates the fixture through the service itself, once for each Postgres server; later calls reuse it. */
export async function loadFixture(postgresUrl: string): Promise<Fixture> {
  const client = new pg.Client({ connectionString: postgresUrl })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock(827364)')
    await client.query('create table if not exists faults_fixture (fixture jsonb, state bytea)')
    const { rows } = await client.query('select fixture, state from faults_fixture')
    if (rows.length > 0) return { ...rows[0].fixture, chainState: rows[0].state, postgresUrl }
    const { chainState, ...fixture } = await createFixture(client, postgresUrl)
    await client.query('insert into faults_fixture values ($1, $2)', [fixture, chainState])
    return { ...fixture, chainState }
  } finally {
    await client.end()
  }
}

async function createFixture(client: pg.Client, postgresUrl: string): Promise<Fixture> {
  const directory = await mkdtemp(join(tmpdir(), 'bounty-marketplace-fixture-'))
  const log = { info: () => undefined, warn: () => undefined }
  const template = `faults_${randomBytes(4).toString('hex')}`
  const githubToken = randomBytes(16).toString('hex')
  const walletMasterKey = randomBytes(32).toString('hex')
  await client.query(`create database ${template}`)
  const chain = await startChain({
    directory: join(directory, 'chain'),
    port: 0,
    log,
    persist: false,
    proxy: false,
  })
  const github = await startGitHub({
    directory: join(directory, 'github'),
    port: 0,
    git: false,
    organization,
    token: githubToken,
    log,
  })
  const db = createDatabase(createPool(databaseUrl(postgresUrl, template), { size: 5 }))
  try {
    await migrate(db)
    const node = connectNode(chain.rpcUrl)
    const contracts = await deploy(node, chain.rpcUrl)
    const market = await serve(db, {
      ...contracts,
      rpcUrl: chain.rpcUrl,
      apiUrl: github.apiUrl,
      githubToken,
      walletMasterKey,
    })
    const work = await fill(market.baseUrl, node)
    await market.close()
    await recordHistory(db)
    await recordTrespass(db)
    await saveState(join(directory, 'chain'), anvilClient(chain.rpcUrl))
    const chainState = await readFile(join(directory, 'chain/state.json.gz'))
    const codeHost = await readFile(join(directory, 'github', codeHostJournal), 'utf8')
    const secrets = { githubToken, walletMasterKey }
    return { postgresUrl, template, chainState, organization, codeHost, ...secrets, ...contracts, ...work }
  } finally {
    await db.destroy()
    await Promise.all([chain.stop(), github.stop()])
    await rm(directory, { recursive: true, force: true })
  }
}

async function deploy(node: Node, rpcUrl: string) {
  const ownerKey = generatePrivateKey()
  const operatorKeys = Array.from({ length: operators }, generatePrivateKey)
  const accounts = [ownerKey, ...operatorKeys].map((key) => privateKeyToAccount(key).address)
  for (const address of accounts) await node.setBalance({ address, value: parseEther('1000') })
  const treasury = privateKeyToAccount(generatePrivateKey()).address
  const [owner, ...addresses] = accounts
  const { platformWallet, projectFactory } = await deployContracts({
    rpcUrl,
    deployerPrivateKey: ownerKey,
    owner,
    treasury,
    operators: addresses,
  })
  return { ownerKey, operatorKeys, treasury, platformWallet, projectFactory }
}

/** The service in this process, undisturbed. */
async function serve(
  db: Database,
  services: {
    rpcUrl: string
    apiUrl: string
    githubToken: string
    walletMasterKey: string
    platformWallet: Address
    operatorKeys: Hex[]
  },
) {
  const log = pino({ level: 'silent' })
  const chain = await connectChain({
    chainId: 31_337,
    rpcUrls: [services.rpcUrl],
    operators: services.operatorKeys.slice(0, 1).map((key) => privateKeyToAccount(key)),
    platformWallet: services.platformWallet,
  })
  const composition = compose({
    config: readConfig({ EMBEDDED: 'off', DATABASE_URL: 'postgres://unused/unused', RATE_LIMITS: 'off' }),
    log,
    db,
    apiKeys: createApiKeys({ checksumKey: await loadChecksumKey(db) }),
    chain: connectedTo(chain),
    repositories: createRepositories({
      apiUrl: services.apiUrl,
      organization,
      auth: { token: services.githubToken },
      log,
    }),
    wallets: createWalletVault(services.walletMasterKey, 1),
    timing: { busyMs: 10, idleMs: 20 },
  })
  await composition.start()
  const app = await createApp(composition.services)
  await app.listen({ port: 0, host: '127.0.0.1' })
  return {
    baseUrl: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`,
    async close() {
      await app.close()
      await composition.stop()
      // The history of a schedule starts after this.
      await db.updateTable('transactions').set({ is_final: true }).where('status', '=', 'confirmed').execute()
      await db.deleteFrom('idempotency_keys').execute()
    },
  }
}

async function fill(
  baseUrl: string,
  node: Node,
): Promise<Pick<Fixture, 'projects' | 'submissions' | 'proposals' | 'holders'>> {
  const api = createApi(baseUrl)
  const call = async (method: string, path: string, key?: string, body?: unknown) => {
    const answer = await api(method, path, { key, body })
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const register = async (walletKey: Hex) => {
    const wallet = privateKeyToAccount(walletKey).address
    const { agent } = await call('POST', '/api/agents/register', undefined, {
      name: 'Ada',
      wallet_address: wallet,
    })
    return { key: agent.api_key as string, wallet }
  }
  const propose = async (founderKey: string, name: string) => {
    const body = { name, description: 'Counts.', token_symbol: 'CALC', token_supply: 1_000_000 }
    return (await call('POST', '/api/projects', founderKey, body)).project.id as string
  }

  const holders: FixtureHolder[] = []
  const projects: FixtureProject[] = []
  const proposals: Fixture['proposals'] = []
  for (const name of ['Adder', 'Divider']) {
    const walletKey = generatePrivateKey()
    const founder = await register(walletKey)
    const id = await propose(founder.key, name)
    const { project } = await call('POST', `/api/projects/${id}/activate`, founder.key)
    projects.push({
      id,
      founderKey: founder.key,
      wallet: founder.wallet,
      walletKey,
      token: project.token_address,
      curve: project.curve_address,
      repoUrl: project.repo_url,
    })
    proposals.push({ id: await propose(founder.key, `${name} again`), founderKey: founder.key })
    if (name === 'Divider') await buyAndApprove(node, walletKey, project)
    const { agent } = await call('POST', '/api/agents/register', undefined, { name: 'Grace' })
    const wallet = agent.wallet_address as Address
    await buyFor(node, wallet, project)
    holders.push({ key: agent.api_key, wallet, project: projects.length - 1, tokens: held })
  }

  const contributors = [await register(generatePrivateKey()), await register(generatePrivateKey())]
  const submissions: FixtureSubmission[] = []
  // Two pairs of founder and contributor meet twice; rewards above 50,000 need what was bought and approved.
  for (const [project, contributor, reward] of [
    [0, 0, 101],
    [0, 0, 103],
    [0, 1, 107],
    [1, 1, 109],
    [1, 1, 90_000],
    [1, 0, 80_000],
    [0, 1, 113],
  ] as const) {
    const { id: projectId, founderKey } = projects[project]!
    const { bounty } = await call('POST', `/api/projects/${projectId}/bounties`, founderKey, {
      title: 'Work',
      description: 'Do it.',
      reward_amount: reward,
    })
    // One active claim an agent and project: so each bounty has a claimant of its own, with the wallet of the pair.
    const claimant = await register(generatePrivateKey())
    const { wallet } = contributors[contributor]!
    await call('PATCH', '/api/agents/me/wallet', claimant.key, { wallet_address: wallet })
    await call('POST', `/api/bounties/${bounty.id}/claim`, claimant.key)
    const { submission } = await call('POST', `/api/bounties/${bounty.id}/submit`, claimant.key, {
      pr_url: `${projects[project]!.repoUrl}/pull/${submissions.length + 1}`,
    })
    submissions.push({
      id: submission.id,
      bountyId: bounty.id,
      project,
      contributorKey: claimant.key,
      wallet,
      reward,
    })
  }
  return { projects, proposals, submissions, holders }
}

async function buyAndApprove(
  node: Node,
  walletKey: Hex,
  project: { token_address: Address; curve_address: Address },
): Promise<void> {
  const account = privateKeyToAccount(walletKey)
  await node.setBalance({ address: account.address, value: parseEther('1000') })
  await node.sendAndWait(account, {
    to: project.curve_address,
    value: parseEther('500'),
    data: encodeFunctionData({
      abi: bondingCurve.abi,
      functionName: 'buy',
      args: [inBaseUnits(bought), 2n ** 255n, account.address, 2n ** 63n],
    }),
  })
  await node.sendAndWait(account, {
    to: project.token_address,
    data: approveData(await platformWalletOf(node, project.token_address), inBaseUnits(100_000 + bought)),
  })
}

/** Somebody buys tokens for a managed wallet, so that the curve can pay for them. */
async function buyFor(
  node: Node,
  wallet: Address,
  { curve_address: to }: { curve_address: Address },
): Promise<void> {
  const account = privateKeyToAccount(generatePrivateKey())
  await node.setBalance({ address: account.address, value: parseEther('1000') })
  await node.sendAndWait(account, {
    to,
    value: parseEther('500'),
    data: encodeFunctionData({
      abi: bondingCurve.abi,
      functionName: 'buy',
      args: [inBaseUnits(held), 2n ** 255n, wallet, 2n ** 63n],
    }),
  })
}

function platformWalletOf(node: Node, token: Address): Promise<Address> {
  return node.readContract({ abi: projectToken.abi, address: token, functionName: 'platformWallet' })
}

/** A founder's approval for the platform wallet; what it is beyond the reserve can be taken back. */
export function approveData(platformWallet: Address, amount: bigint): Hex {
  return encodeFunctionData({
    abi: projectToken.abi,
    functionName: 'approve',
    args: [platformWallet, amount],
  })
}
