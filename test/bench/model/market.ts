import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { anvilClient } from '../../../server/embedded/chain/anvil-client.ts'
import type { Bench } from '../harness/bench.ts'
import { startBenchPostgres } from '../harness/postgres.ts'
import { type RunningServer, startServer } from '../harness/server.ts'
import { masterKey } from '../parts/webhooks.ts'
import { createRandom } from '../seeding/random.ts'
import { createTexts } from '../seeding/text.ts'
import { rpcMethods, startCountingProxy } from './counting-proxy.ts'
import { type Meter, openMeter, type Tally } from './meter.ts'

/** Someone with an API key. */
export interface Caller {
  id: string
  key: string
}

/** An active project and its founder. */
export interface Founded {
  id: string
  repoUrl: string
  founder: Caller
}

/** A bounty on its way. */
export interface Work {
  id: string
  project: Founded
  worker: Caller
  number: number
}

/** The blocks of the chain. One comes each second until they are stopped. */
export interface Blocks {
  stop(): Promise<void>
  start(): Promise<void>
  /** Makes some at once. */
  mine(count: number): Promise<void>
}

/** The service, real parts around it, and the steps that callers take. Each step resolves when its work is done. */
export interface Market {
  server: RunningServer
  meter: Meter
  databaseUrl: string
  client: pg.Client
  /** Where webhooks are sent; it responds at once. */
  receiverUrl: string
  blocks: Blocks
  register(): Promise<Caller>
  propose(founder: Caller): Promise<{ id: string; founder: Caller }>
  activate(proposed: { id: string; founder: Caller }): Promise<Founded>
  createBounty(project: Founded): Promise<string>
  claim(work: Work): Promise<void>
  submit(work: Work): Promise<void>
  approve(work: Work): Promise<void>
  reject(work: Work): Promise<void>
  merge(work: Work): Promise<void>
  withdraw(work: Work): Promise<void>
  /** Sends a request that has to succeed. */
  // biome-ignore lint/suspicious/noExplicitAny: bodies of several operations
  call(method: string, path: string, key?: string, body?: object): Promise<any>
  close(): Promise<void>
}

const recipient = '0x00000000000000000000000000000000000a9e27'
const retryMs = 50
const mergeCommit = 'c'.repeat(40)

/** Starts the service on a database of its own, a chain with a block a second, and proxies that count. */
export async function openMarket(bench: Bench, name: string): Promise<Market> {
  const closers: (() => unknown)[] = []
  const postgres = await startBenchPostgres(join(bench.directory, name), bench.placement, {
    shared_preload_libraries: 'pg_stat_statements',
  })
  closers.push(postgres.stop)
  const tally: Tally = { rpcCalls: 0, hostReads: 0, hostUnchanged: 0, hostWrites: 0, deliveries: 0 }
  const { settings } = bench.surroundings
  const chain = await startCountingProxy(settings.CHAIN_RPC_URL ?? '', ({ body }) => {
    tally.rpcCalls += rpcMethods(body).length
  })
  const host = await startCountingProxy(
    settings.GITHUB_API_URL ?? '',
    ({ method, status }) => {
      if (method !== 'GET') tally.hostWrites++
      else if (status === 304) tally.hostUnchanged++
      else tally.hostReads++
    },
    // The stand-in has no code here, so it could not merge.
    ({ path }) =>
      path.endsWith('/merge') ? { sha: mergeCommit, merged: true, message: 'merged' } : undefined,
  )
  const receiver = createServer((request, response) => {
    tally.deliveries++
    request.resume().on('end', () => response.writeHead(204).end())
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  closers.push(chain.close, host.close, () => receiver.close())
  const node = anvilClient(settings.CHAIN_RPC_URL ?? '')
  const blocks: Blocks = {
    stop: () => node.setIntervalMining({ interval: 0 }),
    start: () => node.setIntervalMining({ interval: 1 }),
    mine: (count) => node.mine({ blocks: count }),
  }
  await node.setAutomine(false)
  await blocks.start()
  const databaseUrl = await postgres.create(name)
  const [ours] = bench.ours(databaseUrl, {
    CHAIN_RPC_URL: chain.url,
    GITHUB_API_URL: host.url,
    WALLET_MASTER_KEY: masterKey,
    WEBHOOKS_ALLOW_LOOPBACK: 'true',
    WITHDRAWALS_PER_DAY: '1000000',
    WITHDRAWAL_GAS_ETH_PER_DAY: '1000',
    ACTIVATION_GAS_ETH_PER_DAY: '1000',
  })
  if (!ours) throw new Error('no server')
  const server = await startServer(ours, bench.placement.server)
  closers.push(server.stop)
  const client = new pg.Client({ connectionString: databaseUrl })
  client.on('error', () => undefined)
  await client.connect()
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 4 })
  const meter = await openMeter({ url: databaseUrl, postgresPid: postgres.pid, serverPid: server.pid, tally })
  closers.push(
    () => client.end(),
    () => pool.end(),
    meter.close,
  )
  const receiverUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
  return {
    ...{ server, meter, databaseUrl, client, receiverUrl, blocks },
    ...stepsOf(server.url, pool),
    async close() {
      for (const end of closers.reverse()) await end()
      await node.setAutomine(true)
    },
  }
}

function stepsOf(baseUrl: string, pool: pg.Pool) {
  const random = createRandom(41)
  const texts = createTexts()
  let made = 0
  const call: Market['call'] = async (method, path, key, body) => {
    const id = randomUUID() + randomUUID()
    for (;;) {
      const response = await fetch(baseUrl + path, {
        method,
        headers: {
          ...(key && { authorization: `Bearer ${key}` }),
          ...(body && { 'content-type': 'application/json' }),
          ...(method === 'POST' && { 'idempotency-key': id }),
        },
        ...(body && { body: JSON.stringify(body) }),
      })
      // biome-ignore lint/suspicious/noExplicitAny: bodies of several operations
      const parsed: any = response.status === 304 ? undefined : await response.json()
      if (response.ok || response.status === 304) return parsed
      if (!parsed.error?.retryable) throw new Error(`${path}: ${response.status} ${JSON.stringify(parsed)}`)
      await delay(retryMs)
    }
  }
  const post = (path: string, caller: Caller | undefined, body?: object) =>
    call('POST', path, caller?.key, body)
  const steps = {
    call,
    async register() {
      const { agent } = await post('/api/agents/register', undefined, { name: `Agent ${made++}` })
      return { id: agent.id as string, key: agent.api_key as string }
    },
    async propose(founder: Caller) {
      const fields = { name: `Project ${made++}`, description: texts.description(random, made) }
      const token = { token_symbol: 'PAY', token_supply: 1_000_000_000 }
      const { project } = await post('/api/projects', founder, { ...fields, ...token })
      return { id: project.id as string, founder }
    },
    async activate({ id, founder }: { id: string; founder: Caller }) {
      const { project } = await post(`/api/projects/${id}/activate`, founder)
      return { id, founder, repoUrl: project.repo_url as string }
    },
    async createBounty({ id, founder }: Founded) {
      const fields = { title: texts.title(random), description: texts.description(random, made++) }
      const { bounty } = await post(`/api/projects/${id}/bounties`, founder, { ...fields, reward_amount: 10 })
      return bounty.id as string
    },
    claim: ({ id, worker }: Work) => post(`/api/bounties/${id}/claim`, worker),
    submit: ({ id, worker, project, number }: Work) =>
      post(`/api/bounties/${id}/submit`, worker, { pr_url: `${project.repoUrl}/pull/${number}` }),
    approve: ({ id, project }: Work) => post(`/api/bounties/${id}/approve`, project.founder, {}),
    reject: ({ id, project }: Work) =>
      post(`/api/bounties/${id}/reject`, project.founder, { review_notes: 'Please handle the empty list.' }),
    async merge({ id, project, number }: Work) {
      const { rows } = await pool.query('/* meter */ select head_sha from pull_requests where url = $1', [
        `${project.repoUrl}/pull/${number}`,
      ])
      return post(`/api/bounties/${id}/merge`, project.founder, { expected_head_sha: rows[0].head_sha })
    },
    async withdraw({ worker, project }: Work) {
      const body = { project_id: project.id, amount: '1', to: recipient, as: 'tokens' }
      const { withdrawal } = await post('/api/agents/me/withdrawals', worker, body)
      for (;;) {
        const { rows } = await pool.query('/* meter */ select status from relays where id = $1', [
          withdrawal.id,
        ])
        if (rows[0]?.status === 'confirmed') return
        if (rows[0]?.status === 'failed') throw new Error(`withdrawal ${withdrawal.id} failed`)
        await delay(retryMs)
      }
    },
  }
  return steps
}
