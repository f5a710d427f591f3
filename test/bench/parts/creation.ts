import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createRandom } from '../../support/random.ts'
import type { Bench } from '../harness/bench.ts'
import { type CapturedStatement, captureStatements, logStatements } from '../harness/capture.ts'
import { compare, summarize, withServers } from '../harness/compare.ts'
import type { LoadRequest, LoadSpec } from '../harness/load.ts'
import { comparisonTable, type PartResult, race } from '../harness/results/report.ts'
import { startServer } from '../harness/server.ts'
import { createTexts } from '../seeding/text.ts'
import { foundProject } from './founded.ts'

const perSecond = 250

type Founded = Awaited<ReturnType<typeof foundProject>>

/** New bounties beside a handler that sends the same statements and reads the same balances from the chain. */
export async function compareCreation(bench: Bench, url: string, result: PartResult): Promise<void> {
  const { founded, statements } = await captureCreation(bench, url)
  const path = join(bench.directory, 'creation.json')
  const { agent, project } = founded
  const known = { keyId: keyIdOf(agent.api_key), agent: agent.id, project: project.id }
  const { token_address: token } = project
  const creation = { statements, known, token, founderWallet: agent.wallet_address }
  await writeFile(path, JSON.stringify({ creation }))
  const bare = bench.peer('writes', 'the same SQL, bare', {
    ...bench.surroundings.settings,
    DATABASE_URL: url,
    WRITES_FILE: path,
  })
  await withServers(bench, [...bench.ours(url), bare], async (servers) => {
    for (const server of servers) await bench.generator.run(loadOf(bench, server.url, founded, 400))
    const count = bench.options.quick ? 100 : Math.round(perSecond * bench.options.seconds)
    const comparisons = await compare(bench, 'create', servers, (server) =>
      loadOf(bench, server.url, founded, count),
    )
    const standing = summarize(comparisons, ['writes'])
    result.tables.push(comparisonTable(`Writes: create (${statements.length} statements)`, standing))
    result.findings.push(...race('create', standing, { least: 0.6, inP99: false }))
    result.data.create = comparisons
  })
}

/** Text of another bounty each time, but the same in each run. */
const random = createRandom(31)
const texts = createTexts()
let made = 0

function bountyRequest({ agent, project }: Founded): LoadRequest & { body: string } {
  const fields = { title: texts.title(random), description: texts.description(random, made++) }
  return {
    method: 'POST',
    path: `/api/projects/${project.id}/bounties`,
    headers: { authorization: `Bearer ${agent.api_key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...fields, reward_amount: 10 }),
  }
}

function loadOf({ options }: Bench, url: string, founded: Founded, count: number): LoadSpec {
  const requests = Array.from({ length: count }, () => bountyRequest(founded))
  return { url, connections: options.connections, expect: [201], requests }
}

/**
 * Founds a project, and takes the statements of one new bounty from the log: the shortest list of several, because the
 * engines share the connections.
 */
async function captureCreation(bench: Bench, url: string) {
  const [ours] = bench.ours(url, { DATABASE_POOL_SIZE: '2' })
  if (!ours) throw new Error('no server')
  await logStatements(url, true)
  const server = await startServer(ours, bench.placement.server)
  try {
    const founded = await foundProject(server.url)
    const { id: agent, api_key: key } = founded.agent
    let shortest: CapturedStatement[] | undefined
    for (let turn = 0; turn < 5; turn++) {
      const { path, headers, body } = bountyRequest(founded)
      const { title, description } = JSON.parse(body)
      const all = await captureStatements({
        url,
        logPath: bench.postgres.logPath,
        known: { keyId: keyIdOf(key), agent, project: founded.project.id, title, description },
        request: async () => {
          const response = await fetch(server.url + path, { method: 'POST', headers, body })
          if (response.status !== 201) throw new Error(`${path}: ${response.status} ${await response.text()}`)
        },
      })
      const own = all.filter(isOfRequest)
      // The first request also prepares connections, and an engine may use one meanwhile.
      if (turn > 0 && own.length <= (shortest?.length ?? own.length)) shortest = own
    }
    return { founded, statements: shortest ?? [] }
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
