import type { Bench } from '../harness/bench.ts'
import type { LoadRequest } from '../harness/load.ts'
import { connect } from '../harness/postgres.ts'
import { type Finding, goal, type PartResult } from '../harness/results/report.ts'
import { median, show } from '../harness/results/statistics.ts'
import type { RunningServer } from '../harness/server.ts'
import { ids } from '../seeding/rows.ts'
import { type Claimables, createClaimables } from './claimable.ts'
import { foundProject } from './founded.ts'
import { type Goal, type GrowthRequest, growthRequests } from './growth-requests.ts'
import { bountyPaths, listPaths } from './paths.ts'

const perRound = 40
const slowPerRound = 8
const rounds = 5

/** A service on a database of one size. */
interface Environment {
  bounties: number
  server: RunningServer
  claimables: Claimables
  /** With the API key of the founder of the biggest project, who has also submitted to others. */
  headers: Record<string, string>
  requests: GrowthRequest[]
}

/** An operation with its median latency at each size, in ms. */
interface Cost {
  name: string
  goal: Goal
  ms: number[]
}

/** One request after the other against the same service on databases of growing size. */
export async function growth(bench: Bench): Promise<PartResult> {
  const { sizes, quick } = bench.options
  const environments: Environment[] = []
  try {
    for (const bounties of sizes) environments.push(await openEnvironment(bench, bounties))
    return report(sizes, await measureAll(bench, environments, quick ? 1 : rounds))
  } finally {
    for (const { server, claimables, bounties } of environments) {
      await server.stop()
      await claimables.close()
      await bench.forget(bounties, 'growth')
    }
  }
}

async function openEnvironment(bench: Bench, bounties: number): Promise<Environment> {
  const { url, sizes } = await bench.seeded(bounties, 'growth')
  const repoUrl = await bench.environment.createRepository(`growth-${bounties}`)
  const claimables = await createClaimables(url, repoUrl)
  const server = await bench.start(url, {}, bench.placement.server)
  const headers = await foundBiggest(server.url, url)
  const { rows } = await claimables.client.query<{ id: string }>(
    `select id from activity where visibility = 'public' and seq in
       (select (random() * (select max(seq) from activity where visibility = 'public'))::bigint
        from generate_series(1, 300))`,
  )
  const requests = growthRequests(
    sizes,
    rows.map(({ id }) => id),
  )
  const warming = [...bountyPaths(sizes, 1000, 0), ...listPaths(sizes, 1000, 0)].map((path) => ({ path }))
  await bench.generator.run({ url: server.url, connections: 4, expect: [200], requests: warming })
  return { bounties, server, claimables, headers, requests }
}

/**
 * Activates a project through the service and gives its token, wallet and founder to the biggest of the seeded ones, so
 * that its funding can be asked for.
 */
async function foundBiggest(baseUrl: string, databaseUrl: string): Promise<Record<string, string>> {
  const { project, agent } = await foundProject(baseUrl)
  const client = await connect(databaseUrl)
  await client.query('set session_replication_role = replica')
  const { rows } = await client.query(
    `update projects p set token_address = '0x7' || repeat('0', 39), curve_address = '0x8' || repeat('0', 39)
       from projects former where p.id = $1 and former.id = p.id
     returning p.id, p.founder_id, p.founder_wallet, former.token_address, former.curve_address`,
    [project.id],
  )
  await client.query(
    `update projects set founder_id = $2, founder_wallet = $3, token_address = $4, curve_address = $5 where id = $1`,
    [ids.project(0), ...Object.values(rows[0]).slice(1)],
  )
  await client.query('update submissions set agent_id = $1 where agent_id = $2', [agent.id, ids.agent(7)])
  await client.end()
  return { authorization: `Bearer ${agent.api_key}` }
}

/** The sizes take turns at each operation, so that all of them meet the machine in the same mood. */
async function measureAll(bench: Bench, environments: Environment[], turns: number): Promise<Cost[]> {
  const costs: Cost[] = []
  const measure = async (
    name: string,
    goal: Goal,
    load: (environment: Environment, round: number) => Promise<LoadRequest[]>,
  ) => {
    const found: number[][] = environments.map(() => [])
    for (let round = 0; round < turns; round++)
      for (const [at, environment] of environments.entries()) {
        const requests = await load(environment, round)
        // Pages may be refused beyond some depth.
        const one = { url: environment.server.url, connections: 1, expect: [200, 400] }
        found[at]?.push((await bench.generator.run({ ...one, requests })).p50)
      }
    const ms = found.map(median)
    costs.push({ name, goal, ms })
    bench.log(`growth, ${name}: ${ms.map((value) => show(value)).join(', ')} ms`)
  }
  for (const [index, { name, goal }] of (environments[0]?.requests ?? []).entries()) {
    const count = goal === 'flat' ? perRound : slowPerRound
    await measure(name, goal, async ({ requests, headers }, round) => {
      const { path, isSigned } = requests[index] as GrowthRequest
      return Array.from({ length: count }, (_, turn) => ({
        path: path(round * count + turn),
        ...(isSigned && { headers }),
      }))
    })
  }
  await measure('claim', 'flat', async ({ claimables }) =>
    (await claimables.bounties(perRound, 'open')).map(({ id, agent }) => ({
      method: 'POST',
      path: `/api/bounties/${id}/claim`,
      headers: { authorization: `Bearer ${agent.key}` },
    })),
  )
  return costs
}

function report(sizes: number[], costs: Cost[]): PartResult {
  const ratio = ({ ms }: Cost) => (ms.at(-1) ?? Number.NaN) / (ms[0] ?? Number.NaN)
  return {
    tables: [
      {
        title: 'Growth: median latency in ms, one request at a time',
        columns: ['operation', ...sizes.map((size) => size.toLocaleString('en')), 'last / first'],
        rows: costs.map((cost) => [cost.name, ...[...cost.ms, ratio(cost)].map((value) => show(value))]),
      },
    ],
    findings: findingsOf(costs, ratio),
    data: { sizes, costs },
  }
}

/** The costliest of each kind. */
function findingsOf(costs: Cost[], ratio: (cost: Cost) => number): Finding[] {
  const last = ({ ms }: Cost) => ms.at(-1) ?? Number.NaN
  const worst = (kinds: Goal[], value: (cost: Cost) => number) => {
    const chosen = costs.filter((cost) => kinds.includes(cost.goal))
    return chosen.toSorted((a, b) => value(b) - value(a))[0] as Cost
  }
  const flat = worst(['flat'], ratio)
  const selective = worst(['selective keyword'], last)
  const other = worst(['keyword', 'deep'], last)
  return [
    goal(`what grows most: ${flat.name}, largest / smallest size`, ratio(flat), '≤', 1.5, '×'),
    goal(`slowest selective search: ${selective.name}`, last(selective), '≤', 20, 'ms'),
    goal(`slowest other search or deep page: ${other.name}`, last(other), '≤', 100, 'ms'),
  ]
}
