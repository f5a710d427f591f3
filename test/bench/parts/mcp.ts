import type { Bench } from '../harness/bench.ts'
import { compare, summarize, withServers } from '../harness/compare.ts'
import type { LoadRequest } from '../harness/load.ts'
import { comparisonTable, type PartResult } from '../harness/results/report.ts'
import { type ClaimableBounty, createClaimables } from './claimable.ts'

/** What a request by REST and a call of a tool do, and how many are sent in a second of the measurement. */
const scenarios = [
  { tool: 'get_bounty', method: 'GET', suffix: '', perSecond: 2000 },
  { tool: 'claim', method: 'POST', suffix: '/claim', perSecond: 800 },
] as const

/** A call of a tool beside the request that it wraps, on one process, in turns. */
export async function mcp(bench: Bench): Promise<PartResult> {
  const { url } = await bench.seeded(bench.options.bounties)
  const claimables = await createClaimables(url, await bench.surroundings.createRepository('measured'))
  const result: PartResult = { tables: [], goals: [], data: {}, bars: [] }
  try {
    await withServers(
      { ...bench, options: { ...bench.options, only: [] } },
      bench.ours(url).slice(0, 1),
      async ([server]) => {
        if (!server) throw new Error('no server')
        const ways = [
          { ...server, name: 'rest', label: 'REST' },
          { ...server, name: 'mcp', label: 'MCP' },
        ]
        const loadOf = async (name: string, scenario: (typeof scenarios)[number], count: number) => {
          const bounties = await claimables.bounties(count, 'open')
          const requests = bounties.map((bounty) =>
            name === 'mcp' ? callOf(scenario, bounty) : requestOf(scenario, bounty),
          )
          return { url: server.url, connections: bench.options.connections, expect: [200], requests }
        }
        for (const scenario of scenarios) {
          await requireSuccess(
            server.url,
            callOf(scenario, (await claimables.bounties(1, 'open'))[0] as ClaimableBounty),
          )
          for (const { name } of ways) await bench.generator.run(await loadOf(name, scenario, 400))
          const count = bench.options.quick ? 200 : Math.round(scenario.perSecond * bench.options.seconds)
          const comparisons = await compare(bench, scenario.tool, ways, ({ name }) =>
            loadOf(name, scenario, count),
          )
          result.tables.push(comparisonTable(`MCP: ${scenario.tool}`, summarize(comparisons, 'rest'), 'rest'))
          result.data[scenario.tool] = comparisons
        }
      },
    )
  } finally {
    await claimables.close()
  }
  return result
}

type Scenario = (typeof scenarios)[number]

function requestOf({ method, suffix }: Scenario, { id, agent }: ClaimableBounty): LoadRequest {
  return { method, path: `/api/bounties/${id}${suffix}`, headers: { authorization: `Bearer ${agent.key}` } }
}

/** As a client of 2026-07-28 sends it. */
function callOf(
  { tool }: Scenario,
  { id, agent }: ClaimableBounty,
): LoadRequest & { headers: Record<string, string> } {
  const version = '2026-07-28'
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const params = { name: tool, arguments: { bounty_id: id }, _meta }
  return {
    method: 'POST',
    path: '/mcp',
    headers: {
      ...{ authorization: `Bearer ${agent.key}`, 'content-type': 'application/json' },
      ...{ 'mcp-protocol-version': version, 'mcp-method': 'tools/call', 'mcp-name': tool },
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  }
}

/** Failures of tools have status 200, too. */
async function requireSuccess(
  url: string,
  { path, headers, body }: ReturnType<typeof callOf>,
): Promise<void> {
  const response = await fetch(url + path, { method: 'POST', headers, body: body ?? null })
  const text = await response.text()
  if (!response.ok || text.includes('"isError":true')) throw new Error(`the tool fails: ${text}`)
}
