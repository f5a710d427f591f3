import { randomUUID } from 'node:crypto'
import { createRandom } from '../../support/random.ts'
import type { Bench } from '../harness/bench.ts'
import { compare, summarize, withServers } from '../harness/compare.ts'
import type { LoadRequest } from '../harness/load.ts'
import { comparisonTable, type PartResult, standingOf } from '../harness/results/report.ts'
import { createTexts } from '../seeding/text.ts'
import { type Claimables, createClaimables } from './claimable.ts'
import { foundProject } from './founded.ts'

/** A kind of write. Each run sends the same number, however long it takes: as many as a machine may do in a second. */
interface Scenario {
  name: string
  perSecond: number
  expect: number
  /** Responses a second that are wanted. */
  least?: number
  requests(count: number): Promise<LoadRequest[]>
}

/** Claims, submissions and new bounties, each valid. */
export async function writes(bench: Bench): Promise<PartResult> {
  const { seconds, quick, connections, bounties } = bench.options
  const { url } = await bench.seeded(bounties)
  const claimables = await createClaimables(url, await bench.environment.createRepository('measured'))
  const result: PartResult = { tables: [], findings: [], data: {} }
  try {
    await withServers(bench, bench.ours(url), async (servers) => {
      const [first] = servers
      if (!first) return
      for (const { name, perSecond, expect, least, requests } of [
        ...works(claimables),
        await creation(first.url),
      ]) {
        const load = async (url: string, count: number) => ({
          url,
          connections,
          expect: [expect],
          requests: await requests(count),
        })
        // Lets each process verify every key, and run hot.
        for (const server of servers) await bench.generator.run(await load(server.url, 400))
        const count = quick ? 200 : Math.round(perSecond * seconds)
        const comparisons = await compare(bench, name, servers, ({ url }) => load(url, count))
        const standing = summarize(comparisons)
        result.tables.push(comparisonTable(`Writes: ${name}`, standing))
        result.findings.push(...standingOf(name, standing, least))
        result.data[name] = comparisons
      }
    })
  } finally {
    await claimables.close()
  }
  return result
}

function works({ bounties, repoUrl }: Claimables): Scenario[] {
  // A pull request backs one submission, so no load submits one again.
  let pulls = 0
  const claims = async (count: number, more?: () => Record<string, string>): Promise<LoadRequest[]> =>
    (await bounties(count, 'open')).map(({ id, agent }) => ({
      method: 'POST',
      path: `/api/bounties/${id}/claim`,
      headers: { authorization: `Bearer ${agent.key}`, ...more?.() },
    }))
  return [
    { name: 'claim', perSecond: 1600, expect: 200, least: 400, requests: (count) => claims(count) },
    {
      // As the SDK sends it.
      name: 'claim with an Idempotency-Key',
      perSecond: 1600,
      expect: 200,
      requests: (count) => claims(count, () => ({ 'idempotency-key': randomUUID() })),
    },
    {
      name: 'submit',
      perSecond: 400,
      expect: 201,
      requests: async (count) =>
        (await bounties(count, 'claimed')).map(({ id, agent }) => ({
          method: 'POST',
          path: `/api/bounties/${id}/submit`,
          headers: { authorization: `Bearer ${agent.key}`, 'content-type': 'application/json' },
          body: JSON.stringify({ pr_url: `${repoUrl}/pull/${++pulls}` }),
        })),
    },
  ]
}

/** New bounties of a project whose token is on the chain. Their texts are others each time, but the same in each run. */
async function creation(baseUrl: string): Promise<Scenario> {
  const { agent, project } = await foundProject(baseUrl)
  const random = createRandom(31)
  const texts = createTexts()
  let made = 0
  const request = (): LoadRequest => ({
    method: 'POST',
    path: `/api/projects/${project.id}/bounties`,
    headers: { authorization: `Bearer ${agent.api_key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      title: texts.title(random),
      description: texts.description(random, made++),
      reward_amount: 10,
    }),
  })
  const requests = async (count: number) => Array.from({ length: count }, request)
  return { name: 'create', perSecond: 250, expect: 201, requests }
}
