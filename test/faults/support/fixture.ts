import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { type Address, encodeFunctionData, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { createDatabase, createPool, type Database } from '../../../server/db/client.ts'
import { migrate } from '../../../server/db/migrate/migrate.ts'
import { anvilClient } from '../../../server/embedded/chain/anvil-client.ts'
import { giveDollars } from '../../../server/embedded/chain/dollar.ts'
import { saveState } from '../../../server/embedded/chain/state.ts'
import { projectToken } from '../../../server/money/chain/generated/contracts.ts'
import type { Api } from '../../support/api.ts'
import { createTestChain } from '../../support/chain.ts'
import { databaseUrl } from '../../support/database-url.ts'
import { coinOn, dollars } from '../../support/locked-dollars.ts'
import { createTestMarket, type TestMarket } from '../../support/market.ts'
import { organization, startNodeAndHost, type World } from '../../support/world.ts'
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
  /** Finished work on bounties with a rule, which nobody approves; the reward of the second needs what was bought and approved. */
  ruled: RuledSubmission[]
  /** Open bounties for which dollars are locked. */
  funded: FundedBounty[]
  /** Projects that wait for their activation. */
  proposals: { id: string; founderKey: string }[]
}

/** An active project. `walletKey` moves what its founder has beyond the reserve. */
export interface FixtureProject {
  id: string
  founderKey: string
  founderId: string
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

/** Finished work on a bounty with a rule. */
export interface RuledSubmission extends FixtureSubmission {
  /** Path of its pull request in the REST interface of the code host, and its number. */
  path: string
  number: number
  repositoryId: number
  /** Branch that names its contributor and its bounty. */
  branch: string
  /** Id of the account that posts its check. */
  poster: number
}

/** An open bounty. Its dollars go back to the founder's wallet when it is cancelled. */
export interface FundedBounty {
  bountyId: string
  project: number
}

/** Positions of the submissions whose bounties have dollars, among them those that crashes and final faults meet. */
export const withDollars = [0, 3, 6]

/** The rule of bounties that have one. The pull requests of the fixture's code host change this path. */
const rule = { checks: ['test'], allowed_paths: ['work'], hours: 1 }

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
  const template = `faults_${randomBytes(4).toString('hex')}`
  const url = databaseUrl(postgresUrl, template)
  const secrets = {
    githubToken: randomBytes(16).toString('hex'),
    walletMasterKey: randomBytes(32).toString('hex'),
  }
  await client.query(`create database ${template}`)
  const { rpcUrl, github, stop } = await startNodeAndHost(directory, {
    organization,
    token: secrets.githubToken,
  })
  const db = createDatabase(createPool(url, { size: 5 }))
  try {
    await migrate(db)
    const chain = await createTestChain({ rpcUrl, operators })
    const work = await throughService({ databaseUrl: url, chain, github, ...secrets }, db)
    await recordHistory(db)
    await recordTrespass(db)
    await saveState(join(directory, 'chain'), anvilClient(rpcUrl))
    const { platformWallet, projectFactory, treasury, operatorKeys, owner } = chain
    return {
      postgresUrl,
      template,
      chainState: await readFile(join(directory, 'chain/state.json.gz')),
      codeHost: await readFile(join(directory, 'github', codeHostJournal), 'utf8'),
      platformWallet,
      projectFactory,
      treasury,
      operatorKeys,
      ownerKey: owner.privateKey,
      ...secrets,
      ...work,
    }
  } finally {
    await db.destroy()
    await stop()
    await rm(directory, { recursive: true, force: true })
  }
}

type Parts = Pick<World, 'databaseUrl' | 'chain' | 'github' | 'githubToken'> & { walletMasterKey: string }

/** Makes the work by requests to the service, with one operator, and leaves nothing of them for a schedule to go on with. */
async function throughService({ walletMasterKey, ...parts }: Parts, db: Database) {
  const [operator] = parts.chain.operatorKeys as [Hex, ...Hex[]]
  const market = await createTestMarket({
    sharing: { ...parts, chain: { ...parts.chain, operatorKeys: [operator] } },
    settings: { WALLET_MASTER_KEY: walletMasterKey },
  })
  const work = await fill(market.api, parts)
  await lockDollars(market, work)
  await market.close()
  // The heart of a copy has not stood still since then.
  await sql`update heartbeat set beaten_at = now() + interval '1 day'`.execute(db)
  await db.updateTable('transactions').set({ is_final: true }).where('status', '=', 'confirmed').execute()
  await db.deleteFrom('idempotency_keys').execute()
  return work
}

async function fill(
  api: Api,
  { chain, ...host }: Omit<Parts, 'walletMasterKey'>,
): Promise<Pick<Fixture, 'projects' | 'submissions' | 'ruled' | 'proposals' | 'holders' | 'funded'>> {
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
    return { id: agent.id as string, key: agent.api_key as string, wallet }
  }
  const propose = async (founderKey: string, name: string) => {
    const body = { name, description: 'Counts.', token_symbol: 'CALC', token_supply: 1_000_000 }
    return (await call('POST', '/api/projects', founderKey, body)).project.id as string
  }

  const holders: FixtureHolder[] = []
  const projects: FixtureProject[] = []
  const proposals: Fixture['proposals'] = []
  for (const name of ['Adder', 'Divider']) {
    const account = await chain.fundedAccount()
    const founder = await register(account.privateKey)
    const id = await propose(founder.key, name)
    const { project } = await call('POST', `/api/projects/${id}/activate`, founder.key)
    projects.push({
      id,
      founderKey: founder.key,
      founderId: founder.id,
      wallet: founder.wallet,
      walletKey: account.privateKey,
      token: project.token_address,
      curve: project.curve_address,
      repoUrl: project.repo_url,
    })
    proposals.push({ id: await propose(founder.key, `${name} again`), founderKey: founder.key })
    if (name === 'Divider') {
      await chain.buy(account, project.curve_address, inBaseUnits(bought))
      await chain.approve(account, project.token_address, inBaseUnits(100_000 + bought))
    }
    const { agent } = await call('POST', '/api/agents/register', undefined, { name: 'Grace' })
    const wallet = agent.wallet_address as Address
    // So that the curve can pay for them.
    await chain.buy(await chain.fundedAccount(), project.curve_address, inBaseUnits(held), wallet)
    holders.push({ key: agent.api_key, wallet, project: projects.length - 1, tokens: held })
  }

  const contributors = [await register(generatePrivateKey()), await register(generatePrivateKey())]
  let number = 0
  const finish = async (
    [project, contributor, reward]: readonly [number, number, number],
    acceptance?: typeof rule,
  ): Promise<FixtureSubmission> => {
    const { id: projectId, founderKey, repoUrl } = projects[project]!
    const { bounty } = await call('POST', `/api/projects/${projectId}/bounties`, founderKey, {
      title: 'Work',
      description: 'Do it.',
      reward_amount: reward,
      acceptance,
    })
    // One active claim an agent and project: so each bounty has a claimant of its own, with the wallet of the pair.
    const claimant = await register(generatePrivateKey())
    const { wallet } = contributors[contributor]!
    await call('PATCH', '/api/agents/me/wallet', claimant.key, { wallet_address: wallet })
    await call('POST', `/api/bounties/${bounty.id}/claim`, claimant.key)
    const { submission } = await call('POST', `/api/bounties/${bounty.id}/submit`, claimant.key, {
      pr_url: `${repoUrl}/pull/${++number}`,
    })
    const { key: contributorKey } = claimant
    return { id: submission.id, bountyId: bounty.id, project, contributorKey, wallet, reward }
  }
  const submissions: FixtureSubmission[] = []
  // Two pairs of founder and contributor meet twice; rewards above 50,000 need what was bought and approved.
  for (const work of [
    [0, 0, 101],
    [0, 0, 103],
    [0, 1, 107],
    [1, 1, 109],
    [1, 1, 90_000],
    [1, 0, 80_000],
    [0, 1, 113],
  ] as const)
    submissions.push(await finish(work))
  const ruled: RuledSubmission[] = []
  for (const work of [
    [0, 0, 127],
    [1, 1, 70_000],
  ] as const) {
    const { repoUrl } = projects[work[0]]!
    const path = `/repos${new URL(repoUrl).pathname}`
    const { id: repositoryId } = await onHost(host, path)
    const { creator } = await onHost(host, `${path}/statuses/heads%2Fmain`, {
      context: rule.checks[0],
      state: 'success',
    })
    const submission = await finish(work, rule)
    const { agent_id } = (await call('GET', `/api/submissions/${submission.id}`, submission.contributorKey))
      .submission
    ruled.push({
      ...submission,
      path: `${path}/pulls/${number}`,
      number,
      repositoryId,
      branch: `${agent_id}/${submission.bountyId}`,
      poster: creator.id,
    })
  }
  const funded: FundedBounty[] = []
  for (const [project, { id: projectId, founderKey }] of projects.entries()) {
    const { bounty } = await call('POST', `/api/projects/${projectId}/bounties`, founderKey, {
      title: 'Never done',
      description: 'Do it.',
      reward_amount: 100,
    })
    funded.push({ bountyId: bounty.id, project })
  }
  return { projects, proposals, submissions, ruled, holders, funded }
}

/** A request to the code host by the account that posts checks there; sends `body`, if there is one. */
async function onHost(
  { github, githubToken }: Pick<Parts, 'github' | 'githubToken'>,
  path: string,
  body?: object,
) {
  const response = await fetch(github.apiUrl + path, {
    headers: { authorization: `Bearer ${githubToken}`, 'content-type': 'application/json' },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
  // biome-ignore lint/suspicious/noExplicitAny: bodies of several routes
  return response.json() as Promise<any>
}

/** Locks dollars for some of the bounties, each another amount, so that none is taken for another. */
async function lockDollars(
  market: TestMarket,
  { projects, submissions, ruled, funded }: Pick<Fixture, 'projects' | 'submissions' | 'ruled' | 'funded'>,
): Promise<void> {
  const coin = coinOn(market)
  for (const { wallet } of projects) await giveDollars(market.chain.rpcUrl, wallet)
  const bounties = [...withDollars.map((submission) => submissions[submission]!), ...funded, ruled[0]!]
  for (const [index, { bountyId, project }] of bounties.entries()) {
    const { id, token, walletKey, founderId } = projects[project]!
    const funder = {
      id,
      token_address: token,
      account: privateKeyToAccount(walletKey),
      founder: { id: founderId },
    }
    await coin.lock(funder, bountyId, dollars(`${20 + index}.000001`))
  }
}

/** A founder's approval for the platform wallet; what it is beyond the reserve can be taken back. */
export function approveData(platformWallet: Address, amount: bigint): Hex {
  return encodeFunctionData({
    abi: projectToken.abi,
    functionName: 'approve',
    args: [platformWallet, amount],
  })
}
