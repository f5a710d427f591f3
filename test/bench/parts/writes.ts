import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Bench } from '../harness/bench.ts'
import { type CapturedStatement, captureStatements, logStatements } from '../harness/capture.ts'
import { compare, summarize, withServers } from '../harness/compare.ts'
import type { LoadRequest, LoadSpec } from '../harness/load.ts'
import { atLeast, comparisonTable, type PartResult, race } from '../harness/results/report.ts'
import type { RunningServer } from '../harness/server.ts'
import { type ClaimableBounty, type Claimables, createClaimables } from './claimable.ts'
import { compareCreation } from './creation.ts'

/** A pull request backs one submission, so no load submits one again. The first two are those of the captured requests. */
let pulls = 2

/** As many as a machine may do in a second; each run does the same number, however long it takes. */
const scenarios = [
  { name: 'claim', action: 'claim', isKeyed: false, status: 'open', expect: 200, perSecond: 1600 },
  // As the SDK sends it. The bare handler keeps no keys.
  {
    name: 'claim with an Idempotency-Key',
    action: 'claim',
    isKeyed: true,
    status: 'open',
    expect: 200,
    perSecond: 1600,
  },
  { name: 'submit', action: 'submit', isKeyed: false, status: 'claimed', expect: 201, perSecond: 400 },
] as const

/** Claims, submissions and new bounties beside handlers that do nothing but send the same statements. */
export async function writes(bench: Bench): Promise<PartResult> {
  const { url } = await bench.seeded(bench.options.bounties)
  const claimables = await createClaimables(url, await bench.surroundings.createRepository('measured'))
  const result: PartResult = { tables: [], findings: [], data: {} }
  try {
    const captured = await captureWrites(bench, url, claimables)
    const path = join(bench.directory, 'writes.json')
    const agentByKeyId = Object.fromEntries(claimables.agents.map(({ keyId, id }) => [keyId, id]))
    const { projects, repoUrl } = claimables
    await writeFile(path, JSON.stringify({ work: { ...captured, agentByKeyId, projects, repoUrl } }))
    result.data.statements = captured
    const bare = bench.peer('writes', 'the same SQL, bare', {
      ...bench.surroundings.settings,
      DATABASE_URL: url,
      WRITES_FILE: path,
    })
    await withServers(bench, [...bench.ours(url), bare], async (servers) => {
      for (const server of servers) await warmUp(bench, server, claimables)
      for (const scenario of scenarios) {
        const comparisons = await compare(bench, scenario.name, servers, ({ url }) =>
          loadOf(bench, url, claimables, scenario),
        )
        const standing = summarize(comparisons, ['writes'])
        const title = `Writes: ${scenario.name} (${captured[scenario.action].length} statements)`
        result.tables.push(comparisonTable(title, standing))
        result.findings.push(...race(scenario.name, standing, { least: 0.35, inP99: false }))
        const rate = standing.summaries.find(({ name }) => name === 'ours')?.rate
        if (rate && scenario.name === 'claim')
          result.findings.push(atLeast('claim, rate alone', 400, rate, 'a second'))
        result.data[scenario.name] = comparisons
      }
    })
    await compareCreation(bench, url, result)
  } finally {
    await claimables.close()
  }
  return result
}

async function loadOf(
  { options }: Bench,
  url: string,
  claimables: Claimables,
  { action, isKeyed, status, expect, perSecond }: (typeof scenarios)[number],
  count?: number,
): Promise<LoadSpec> {
  const bounties = await claimables.bounties(
    count ?? (options.quick ? 200 : Math.round(perSecond * options.seconds)),
    status,
  )
  return {
    url,
    connections: options.connections,
    expect: [expect],
    requests: bounties.map((bounty) => {
      const request = requestFor(action, bounty, claimables.repoUrl, pulls++)
      return isKeyed
        ? { ...request, headers: { ...request.headers, 'idempotency-key': randomUUID() } }
        : request
    }),
  }
}

function requestFor(
  action: 'claim' | 'submit',
  { id, agent }: ClaimableBounty,
  repoUrl: string,
  index: number,
): LoadRequest & { path: string } {
  const authorization = `Bearer ${agent.key}`
  const path = `/api/bounties/${id}/${action}`
  if (action === 'claim') return { method: 'POST', path, headers: { authorization } }
  return {
    method: 'POST',
    path,
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ pr_url: `${repoUrl}/pull/${index + 1}` }),
  }
}

/** Lets a process verify every key, and run hot. */
async function warmUp(bench: Bench, server: RunningServer, claimables: Claimables): Promise<void> {
  for (const scenario of scenarios)
    await bench.generator.run(await loadOf(bench, server.url, claimables, scenario, 400))
}

/** What the service runs for one claim and one submission, without the engines, whose statements would be among them. */
async function captureWrites(
  bench: Bench,
  url: string,
  claimables: Claimables,
): Promise<Record<'claim' | 'submit', CapturedStatement[]>> {
  const captured = { claim: [] as CapturedStatement[], submit: [] as CapturedStatement[] }
  await logStatements(url, true)
  const [current] = bench.ours(url, { CHAIN_RPC_URL: '', OPERATOR_PRIVATE_KEYS: '', DATABASE_POOL_SIZE: '2' })
  if (!current) return captured
  const everybody = { ...bench, options: { ...bench.options, only: [] } }
  await withServers(everybody, [current], async ([server]) => {
    if (!server) return
    for (const { action, status } of scenarios.filter(({ isKeyed }) => !isKeyed)) {
      // The first one also verifies the key and prepares statements.
      const [first, second] = await claimables.bounties(201, status).then((all) => [all[0], all[200]])
      if (!first || !second) continue
      const send = (bounty: ClaimableBounty, index: number) =>
        call(server.url, requestFor(action, bounty, claimables.repoUrl, index))
      await send(first, 0)
      const { agent, id, project } = second
      captured[action] = await captureStatements({
        url,
        logPath: bench.postgres.logPath,
        known: {
          keyId: agent.keyId,
          agent: agent.id,
          bounty: id,
          project,
          repoUrl: claimables.repoUrl,
          prUrl: `${claimables.repoUrl}/pull/2`,
        },
        request: () => send(second, 1),
      })
    }
  })
  await logStatements(url, false)
  return captured
}

async function call(url: string, { method, path, headers, body }: LoadRequest): Promise<void> {
  const response = await fetch(url + path, { method, headers, body })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
}
