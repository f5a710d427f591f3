import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Bench } from '../../harness/bench.ts'
import { type CapturedStatement, captureStatements, logStatements } from '../../harness/capture.ts'
import { compare, summarize, withServers } from '../../harness/compare.ts'
import type { LoadRequest, LoadSpec } from '../../harness/load.ts'
import { atLeast, atMost, comparisonTable, type PartResult } from '../../harness/results/report.ts'
import { show } from '../../harness/results/statistics.ts'
import { type RunningServer, type ServerUnderTest, startServer } from '../../harness/server.ts'
import { createRandom } from '../../seeding/random.ts'
import { createTexts } from '../../seeding/text.ts'
import { foundProject } from '../founded.ts'
import { storedBytesPerLife } from './life.ts'
import { storageOf } from './storage.ts'

const perSecond = 250

/** A build of the service on a database of its own, with a project that can pay. */
interface Marketplace {
  build: ServerUnderTest
  url: string
  founded: Awaited<ReturnType<typeof foundProject>>
  founderWallet: string
}

/** What a new bounty costs a build. */
interface Cost {
  label: string
  statements: CapturedStatement[]
  walBytes: number
  storedBytes: number
}

/**
 * New bounties beside their bare SQL, and what each costs the database. Every build has a database of its own, because
 * schemas differ.
 */
export async function creation(bench: Bench): Promise<PartResult> {
  const result: PartResult = { tables: [], goals: [], data: {}, bars: [] }
  const marketplaces: Marketplace[] = []
  for (const [index, build] of bench.ours('').entries())
    marketplaces.push(await openMarketplace(bench, build, index))
  const costs: Cost[] = []
  for (const marketplace of marketplaces) costs.push(await measureCost(bench, marketplace))
  result.data.costs = costs
  result.tables.push({
    title: 'Creation: what a bounty costs the database',
    columns: ['server', 'statements sent', 'WAL bytes', 'stored bytes, whole life'],
    rows: costs.map((cost) => [
      cost.label,
      String(cost.statements.length),
      show(cost.walBytes),
      show(cost.storedBytes),
    ]),
  })
  const [ours] = costs
  if (ours)
    result.goals.push(
      atMost('new bounty: WAL', 7000, ours.walBytes, 'bytes'),
      atMost('life of a bounty: stored', 6000, ours.storedBytes, 'bytes'),
    )
  await compareRates(bench, marketplaces, result)
  for (const { build } of marketplaces) await bench.forget(bench.options.bounties, purposeOf(build))
  return result
}

const purposeOf = ({ name }: ServerUnderTest) => `creation_${name.replaceAll(/\W/g, '_').toLowerCase()}`

async function openMarketplace(bench: Bench, build: ServerUnderTest, index: number): Promise<Marketplace> {
  const operator = bench.surroundings.spareOperatorKeys[index]
  if (!operator) throw new Error('too many builds beside the current one')
  const at = (url: string): ServerUnderTest => ({
    ...build,
    environment: { ...build.environment, DATABASE_URL: url, OPERATOR_PRIVATE_KEYS: operator },
  })
  // A build migrates an empty database when it starts.
  const migrate = async (url: string) => (await startServer(at(url), bench.placement.everything)).stop()
  const { url } = await bench.seeded(bench.options.bounties, purposeOf(build), migrate)
  const server = await startServer(at(url), bench.placement.server)
  const founded = await foundProject(server.url)
  await server.stop()
  return { build: at(url), url, founded, founderWallet: founded.agent.wallet_address }
}

async function measureCost(bench: Bench, marketplace: Marketplace): Promise<Cost> {
  const { build, url, founded } = marketplace
  const statements = await captureCreation(bench, marketplace, { isKeyed: true })
  const server = await startServer(build, bench.placement.server)
  const storage = await storageOf(url)
  try {
    // More than the list of pending index entries holds, so that its merge is part of the cost.
    const count = bench.options.quick ? 100 : 10_000
    // Statements are prepared and pages touched by the first ones.
    await bench.generator.run(loadOf(bench, server.url, marketplace, 100))
    const walBytes = await storage.walBytes(() =>
      bench.generator.run(loadOf(bench, server.url, marketplace, count)),
    )
    const lives = bench.options.quick ? 30 : 2000
    const storedBytes = await storedBytesPerLife(server.url, founded, storage, lives)
    bench.log(`${build.label}: ${show(walBytes / count)} bytes of WAL, ${show(storedBytes)} bytes stored`)
    return { label: build.label, statements, walBytes: walBytes / count, storedBytes }
  } finally {
    await storage.close()
    await server.stop()
  }
}

/** Rates of all builds and of a bare handler that runs the statements of the current one, on its database. */
async function compareRates(bench: Bench, marketplaces: Marketplace[], result: PartResult): Promise<void> {
  const [current] = marketplaces
  if (!current) return
  const statements = await captureCreation(bench, current, { isKeyed: false })
  const path = join(bench.directory, 'creation.json')
  const { agent, project } = current.founded
  const known = { keyId: keyIdOf(agent.api_key), agent: agent.id, project: project.id }
  const { token_address: token } = project
  await writeFile(path, JSON.stringify({ statements, known, token, founderWallet: current.founderWallet }))
  const bare = bench.peer('creation', 'the same SQL, bare', current.url, {
    ...bench.surroundings.settings,
    CREATION_FILE: path,
  })
  await withServers(bench, [...marketplaces.map(({ build }) => build), bare], async (servers) => {
    const load = (server: RunningServer, count: number) => {
      const own = marketplaces.find(({ build }) => build.name === server.name) ?? current
      return loadOf(bench, server.url, own, count)
    }
    for (const server of servers) await bench.generator.run(load(server, 400))
    const count = bench.options.quick ? 100 : Math.round(perSecond * bench.options.seconds)
    const comparisons = await compare(bench, 'create', servers, (server) => load(server, count))
    const summaries = summarize(comparisons, 'creation')
    result.tables.push(comparisonTable(`Creation (${statements.length} statements)`, summaries, 'bare'))
    const ours = summaries.find(({ name }) => name === 'ours')
    if (ours) result.goals.push(atLeast('create: × the same SQL, bare', 0.6, ours.ratio))
    result.data.create = comparisons
  })
}

/** Text of another bounty each time, but the same in each run. */
const random = createRandom(31)
const texts = createTexts()
let made = 0

function bountyRequest({ founded }: Marketplace, isKeyed: boolean): LoadRequest & { body: string } {
  const fields = { title: texts.title(random), description: texts.description(random, made++) }
  return {
    method: 'POST',
    path: `/api/projects/${founded.project.id}/bounties`,
    headers: {
      authorization: `Bearer ${founded.agent.api_key}`,
      'content-type': 'application/json',
      ...(isKeyed && { 'idempotency-key': randomUUID() }),
    },
    body: JSON.stringify({ ...fields, reward_amount: 10 }),
  }
}

function loadOf({ options }: Bench, url: string, marketplace: Marketplace, count: number): LoadSpec {
  const requests = Array.from({ length: count }, () => bountyRequest(marketplace, false))
  return { url, connections: options.connections, expect: [201], requests }
}

/** The statements of one new bounty: the shortest list of several, because the engines share the connections. */
async function captureCreation(
  bench: Bench,
  marketplace: Marketplace,
  { isKeyed }: { isKeyed: boolean },
): Promise<CapturedStatement[]> {
  const { build, url, founded } = marketplace
  await logStatements(url, true)
  const environment = { ...build.environment, DATABASE_POOL_SIZE: '2' }
  const server = await startServer({ ...build, environment }, bench.placement.server)
  const send = async ({ path, headers, body }: LoadRequest) => {
    const response = await fetch(server.url + path, { method: 'POST', headers, body })
    if (response.status !== 201) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  }
  try {
    const { id: agent, api_key: key } = founded.agent
    let shortest: CapturedStatement[] | undefined
    for (let turn = 0; turn < 5; turn++) {
      const request = bountyRequest(marketplace, isKeyed)
      const { title, description } = JSON.parse(request.body)
      const all = await captureStatements({
        url,
        logPath: bench.postgres.logPath,
        known: { keyId: keyIdOf(key), agent, project: founded.project.id, title, description },
        request: () => send(request),
      })
      const own = all.filter(isOfRequest)
      // The first request also prepares connections, and an engine may use one meanwhile.
      if (turn > 0 && own.length <= (shortest?.length ?? own.length)) shortest = own
    }
    return shortest ?? []
  } finally {
    await server.stop()
    await logStatements(url, false)
  }
}

/** Whether a statement belongs to the request, and not to an engine on the same connection. */
function isOfRequest({ text, values }: CapturedStatement): boolean {
  if (/^(begin|commit)/i.test(text)) return true
  return values.some((value) => value !== null && /^\{(keyId|agent|project)\}$/.test(value))
}

const keyIdOf = (key: string) => /bmk_([0-9A-Za-z]+)_/.exec(key)?.[1] ?? ''
