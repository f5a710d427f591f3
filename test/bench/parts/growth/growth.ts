import pg from 'pg'
import type { Bench, SeededDatabase } from '../../harness/bench.ts'
import type { LoadRequest } from '../../harness/load.ts'
import { atMost, type Finding, type PartResult } from '../../harness/results/report.ts'
import { median, show } from '../../harness/results/statistics.ts'
import { type RunningServer, startServer } from '../../harness/server.ts'
import { type Claimables, createClaimables } from '../claimable.ts'
import { foundMeasuredProject, type MeasuredProject } from '../founded.ts'
import { bountyPaths, listPaths } from '../paths.ts'
import { type Caller, type GrowthRequest, growthRequests } from './growth-requests.ts'

const perRound = 40
const slowPerRound = 8
const rounds = 5

/** A service on a database of one size. */
interface Environment {
  bounties: number
  database: SeededDatabase
  server: RunningServer
  claimables: Claimables
  project: MeasuredProject
  activityIds: string[]
}

/** An operation with its median latency at each size, in ms. */
interface Cost {
  name: string
  goal: GrowthRequest['goal']
  ms: number[]
}

/** One request after the other against the same service on databases of growing size. */
export async function growth(bench: Bench): Promise<PartResult> {
  const { sizes, quick } = bench.options
  const environments: Environment[] = []
  try {
    for (const bounties of sizes) environments.push(await openEnvironment(bench, bounties))
    const costs = await measureAll(bench, environments, quick ? 1 : rounds)
    return report(bench, costs)
  } finally {
    for (const { server, claimables } of environments) {
      await server.stop()
      await claimables.close()
    }
    for (const { bounties } of environments) await bench.forget(bounties, 'growth')
  }
}

async function openEnvironment(bench: Bench, bounties: number): Promise<Environment> {
  const database = await bench.seeded(bounties, 'growth')
  const repoUrl = await bench.surroundings.createRepository(`growth-${bounties}`)
  const claimables = await createClaimables(database.url, repoUrl)
  const [ours] = bench.ours(database.url)
  if (!ours) throw new Error('no server')
  const server = await startServer(ours, bench.placement.server)
  const project = await foundMeasuredProject(server.url, database.url)
  const activityIds = await someActivity(database.url)
  const warming = [...bountyPaths(database.sizes, 1000, 0), ...listPaths(database.sizes, 1000, 0)]
  await bench.generator.run({
    url: server.url,
    connections: 4,
    expect: [200],
    requests: warming.map((path) => ({ path })),
  })
  return { bounties, database, server, claimables, project, activityIds }
}

/** Ids from everywhere in the feed. */
async function someActivity(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ id: string }>(
    `select id from activity where visibility = 'public' and seq in
       (select (random() * (select max(seq) from activity where visibility = 'public'))::bigint
        from generate_series(1, 300))`,
  )
  await client.end()
  return rows.map(({ id }) => id)
}

/** The sizes take turns at each operation, so that all of them meet the machine in the same mood. */
async function measureAll(bench: Bench, environments: Environment[], turns: number): Promise<Cost[]> {
  const requests = environments.map(({ database, activityIds }) =>
    growthRequests(database.sizes, activityIds),
  )
  const names = requests[0]?.map(({ name, goal }) => ({ name, goal })) ?? []
  const costs: Cost[] = []
  for (const [index, { name, goal }] of names.entries()) {
    const count = goal === 'flat' ? perRound : slowPerRound
    const ms = await eachEnvironment(environments, turns, (environment, at, round) => {
      const request = requests[at]?.[index]
      const load = Array.from({ length: count }, (_, turn) => ({
        path: request?.path(round * count + turn) ?? '',
        ...(request?.caller && { headers: keyOf(environment, request.caller) }),
      }))
      return medianMs(bench, environment, load)
    })
    costs.push({ name, goal, ms })
    bench.log(`growth, ${name}: ${ms.map((value) => show(value)).join(', ')} ms`)
  }
  const own: [string, (environment: Environment) => Promise<LoadRequest[]>][] = [
    ['own profile', async ({ claimables }) => signed(claimables, () => '/api/agents/me')],
    ['funding status', async ({ project }) => repeat(project.fundingRequest)],
    ['claim', claims],
  ]
  for (const [name, load] of own) {
    const ms = await eachEnvironment(environments, turns, async (environment) =>
      medianMs(bench, environment, await load(environment)),
    )
    costs.push({ name, goal: 'flat', ms })
    bench.log(`growth, ${name}: ${ms.map((value) => show(value)).join(', ')} ms`)
  }
  return costs
}

function keyOf({ claimables, project }: Environment, caller: Caller): Record<string, string> {
  if (caller === 'any agent') return { authorization: `Bearer ${claimables.agents[0]?.key}` }
  return project.founderHeaders
}

async function eachEnvironment(
  environments: Environment[],
  turns: number,
  measure: (environment: Environment, at: number, round: number) => Promise<number>,
): Promise<number[]> {
  const found: number[][] = environments.map(() => [])
  for (let round = 0; round < turns; round++)
    for (const [at, environment] of environments.entries())
      found[at]?.push(await measure(environment, at, round))
  return found.map(median)
}

async function medianMs(bench: Bench, { server }: Environment, requests: LoadRequest[]): Promise<number> {
  const { p50 } = await bench.generator.run({
    url: server.url,
    connections: 1,
    // Pages may be refused beyond some depth.
    expect: [200, 400],
    requests,
  })
  return p50
}

async function claims({ claimables }: Environment): Promise<LoadRequest[]> {
  const bounties = await claimables.bounties(perRound, 'open')
  return bounties.map(({ id, agent }) => ({
    method: 'POST',
    path: `/api/bounties/${id}/claim`,
    headers: { authorization: `Bearer ${agent.key}` },
  }))
}

/** The same caller again and again, so that keys are verified once. */
function signed({ agents }: Claimables, path: () => string): LoadRequest[] {
  return Array.from({ length: perRound }, () => ({
    path: path(),
    headers: { authorization: `Bearer ${agents[0]?.key}` },
  }))
}

function repeat(request: LoadRequest): LoadRequest[] {
  return Array.from({ length: perRound }, () => ({ ...request }))
}

function report(bench: Bench, costs: Cost[]): PartResult {
  const { sizes } = bench.options
  const ratio = ({ ms }: Cost) => (ms.at(-1) ?? Number.NaN) / (ms[0] ?? Number.NaN)
  const pick = (names: string[]) => costs.filter(({ name }) => names.includes(name))
  const lines = (chosen: Cost[]) =>
    chosen.map(({ name, ms }) => ({
      label: name,
      points: ms.map((value, index): [number, number] => [sizes[index] ?? 0, value]),
    }))
  return {
    tables: [
      {
        title: 'Growth: median latency in ms, one request at a time',
        columns: ['operation', ...sizes.map((size) => size.toLocaleString('en')), 'last / first'],
        rows: costs.map((cost) => [cost.name, ...cost.ms.map((value) => show(value)), show(ratio(cost))]),
      },
    ],
    findings: findingsOf(costs, ratio),
    data: { sizes, costs },
    lines: [
      {
        title: 'reads and claim',
        lines: lines(
          pick(['bounty by id', 'bounties, status', 'activity', 'statistics', 'funding status', 'claim']),
        ),
      },
      {
        title: 'keyword search and deep pages',
        lines: lines(
          pick([
            'keyword: selective',
            'keyword: nothing found',
            'keyword: common word',
            'keyword: most common word',
            'keyword: two letters',
            'last page',
          ]),
        ),
      },
    ],
  }
}

/** The costliest of each kind. */
function findingsOf(costs: Cost[], ratio: (cost: Cost) => number): Finding[] {
  const last = ({ ms }: Cost) => ms.at(-1) ?? Number.NaN
  const worst = (kinds: Cost['goal'][], value: (cost: Cost) => number) => {
    const chosen = costs.filter(({ goal }) => kinds.includes(goal))
    return chosen.toSorted((a, b) => value(b) - value(a))[0] as Cost
  }
  const flat = worst(['flat'], ratio)
  const selective = worst(['selective keyword'], last)
  const other = worst(['keyword', 'deep'], last)
  return [
    atMost(`what grows most: ${flat.name}, largest / smallest size`, 1.5, ratio(flat), '×'),
    atMost(`slowest selective search: ${selective.name}`, 20, last(selective), 'ms'),
    atMost(`slowest other search or deep page: ${other.name}`, 100, last(other), 'ms'),
  ]
}
