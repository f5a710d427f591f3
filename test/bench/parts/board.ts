import pg from 'pg'
import type { Bench } from '../harness/bench.ts'
import { type Comparison, compare, summarize, withServers } from '../harness/compare.ts'
import type { LoadRequest } from '../harness/load.ts'
import { atLeast, comparisonTable, type PartResult } from '../harness/results/report.ts'
import type { Sizes } from '../seeding/rows.ts'
import { createAgents } from './claimable.ts'
import { listPaths } from './paths.ts'

const pathsEachRound = 60_000
const pathsWhenQuick = 2_000
const wanted = 0.4
/** Browsers get pages compressed; the API compresses nothing. */
const asBrowsers = { 'accept-encoding': 'br' }

/** A page, and the requests whose JSON has the same facts. */
interface Scenario {
  name: string
  page: string
  /** Pages, each with the requests by which a program would read what it shows. */
  readings: (count: number, round: number) => { page: string; json: string[] }[]
}

/**
 * Pages of the board beside the same reads as JSON, on one process that remembers no response. A page that is made from
 * several reads is compared with all of them together.
 */
export async function board(bench: Bench): Promise<PartResult> {
  const { url, sizes } = await bench.seeded(bench.options.bounties)
  const client = new pg.Client({ connectionString: url })
  // Postgres ends before this connection where the benchmark fails.
  client.on('error', () => undefined)
  await client.connect()
  const result: PartResult = { tables: [], goals: [], data: {}, bars: [] }
  try {
    const [reader] = await createAgents(url, client, 1)
    const headers = { authorization: `Bearer ${reader?.key}` }
    const settings = { REMEMBER_RESPONSES: 'false' }
    const alone = { ...bench, options: { ...bench.options, only: [] } }
    await withServers(alone, bench.ours(url, settings).slice(0, 1), async ([server]) => {
      if (!server) throw new Error('no server')
      const offered = await offeredBounties(server.url, client)
      const scenarios = [...listScenarios(sizes), await bountyScenario(client), openScenario(offered)]
      const { seconds, warmupSeconds, connections, quick } = bench.options
      for (const { name, page, readings } of scenarios) {
        const ways = [
          { ...server, name: 'json', label: 'JSON' },
          { ...server, name: 'page', label: page },
        ]
        const load = (way: string, round: number) => {
          const made = readings(quick ? pathsWhenQuick : pathsEachRound, round)
          const requests: LoadRequest[] =
            way === 'page'
              ? made.map(({ page }) => ({ path: page, headers: asBrowsers }))
              : made.flatMap(({ json }) => json.map((path) => ({ path, headers })))
          return { url: server.url, connections, seconds, warmupSeconds, expect: [200], requests }
        }
        // So that the first of them is compiled as well as the last.
        for (const { name } of ways) await bench.generator.run(load(name, 0))
        const comparisons = await compare(bench, name, ways, (way, round) => load(way.name, round))
        const summaries = summarize(together(comparisons, readings(1, 0)[0]?.json.length ?? 1), 'json')
        result.tables.push(comparisonTable(`Board: ${name}`, summaries, 'json'))
        const measured = summaries.find((summary) => summary.name === 'page')?.ratio ?? 0
        result.goals.push(atLeast(`${name}: × the same reads as JSON`, wanted, measured))
        result.data[name] = comparisons
      }
    })
  } finally {
    await client.end()
  }
  return result
}

function listScenarios(sizes: Sizes): Scenario[] {
  const lists = (path: string) => (count: number, round: number) =>
    listPaths(sizes, count, round).map((json) => ({
      page: json.replace('/api/bounties', path),
      json: [json],
    }))
  const last = Math.max(1, sizes.projects - 20)
  return [
    { name: 'a list of 20 bounties', page: '/bounties', readings: lists('/bounties') },
    { name: 'a list of 20 bounties as Markdown', page: '/bounties.md', readings: lists('/bounties.md') },
    {
      name: 'a list of 20 projects',
      page: '/projects',
      readings: (count, round) =>
        Array.from({ length: count }, (_, index) => {
          const query = `?status=active&offset=${(index * 7 + round) % last}`
          return { page: `/projects${query}`, json: [`/api/projects${query}`] }
        }),
    },
  ]
}

/** Bounties that are done: what is said of others depends on the chain. Seeded ones have neither receipt nor pull request. */
async function bountyScenario(client: pg.Client): Promise<Scenario> {
  const { rows } = await client.query<{ id: string; project: string; founder: string }>(
    `select b.id, b.project_id as project, p.founder_id as founder
       from bounties b join projects p on p.id = b.project_id
      where b.status = 'done' order by md5(b.id) limit 5000`,
  )
  const readings = rows.map(({ id, project, founder }) => ({
    page: `/bounties/${id}`,
    json: [
      `/api/bounties/${id}`,
      `/api/bounties/${id}/timeline?limit=100`,
      `/api/projects/${project}`,
      `/api/agents/${founder}`,
    ],
  }))
  return { name: 'a bounty that is done', page: '/bounties/{id}', readings: () => readings }
}

/** Bounties that are open, and can be paid: what they are worth and whether they can be paid comes from the chain. */
function openScenario({ project, founder, bounties }: Offered): Scenario {
  const readings = bounties.map((id) => ({
    page: `/bounties/${id}`,
    json: [
      `/api/bounties/${id}`,
      `/api/bounties/${id}/timeline?limit=100`,
      `/api/projects/${project}/market?sell=95`,
      `/api/projects/${project}/funds`,
      `/api/projects/${project}`,
      `/api/agents/${founder}`,
    ],
  }))
  return { name: 'a bounty that is open', page: '/bounties/{id}', readings: () => readings }
}

interface Offered {
  project: string
  founder: string
  bounties: string[]
}

/** A project with contracts on the chain, activated through the API, and bounties of it. */
async function offeredBounties(url: string, client: pg.Client): Promise<Offered> {
  const post = async <Body>(path: string, key: string, body: object): Promise<Body> => {
    const headers = { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) }
    const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!response.ok) throw new Error(`POST ${path}: ${await response.text()}`)
    return response.json() as Promise<Body>
  }
  const { agent } = await post<{ agent: { id: string; api_key: string } }>('/api/agents/register', '', {
    name: 'Founder',
  })
  const fields = { name: 'Open', description: 'Pays.', token_symbol: 'OPEN', token_supply: 1_000_000_000 }
  const { project } = await post<{ project: { id: string } }>('/api/projects', agent.api_key, fields)
  await post(`/api/projects/${project.id}/activate`, agent.api_key, {})
  const { rows } = await client.query<{ id: string }>(
    `insert into bounties (id, project_id, title, description, reward_amount, difficulty, status)
     select 'bnt_offer' || lpad(n::text, 15, '0'), $1, title, description, 100, 'easy', 'open'
       from (select title, description, row_number() over (order by id) as n from bounties limit 2000) as taken
     returning id`,
    [project.id],
  )
  return { project: project.id, founder: agent.id, bounties: rows.map(({ id }) => id) }
}

/** Counts `parts` responses of JSON as one. */
function together(comparisons: Comparison[], parts: number): Comparison[] {
  return comparisons.map((comparison) => {
    if (comparison.name !== 'json') return comparison
    const samples = comparison.samples.map((sample) => ({
      ...sample,
      rate: sample.rate / parts,
      serverMicros: sample.serverMicros * parts,
      postgresMicros: sample.postgresMicros * parts,
    }))
    return { ...comparison, samples }
  })
}
