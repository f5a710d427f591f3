/**
 * Counts the calls of a service to its node, on a chain with a block every two seconds: half a minute while nothing is
 * under way, and from an approval until its payout is final.
 *
 *   npx tsx test/bench/node-calls.ts
 */
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { fundAccount, startChain } from '../../server/embedded/chain/local-chain.ts'
import { startRpcServer } from '../support/rpc-server.ts'

const windowMs = 35_000
const directory = await mkdtemp(join(tmpdir(), 'node-calls-'))
const quiet = { info: () => undefined, warn: () => undefined }
const args = ['--block-time', '2']
const chain = await startChain({
  directory: join(directory, 'chain'),
  port: 0,
  log: quiet,
  persist: false,
  proxy: false,
  args,
})
const key = generatePrivateKey()
await fundAccount(chain.rpcUrl, privateKeyToAccount(key).address, 10n ** 20n)

let calls: Record<string, number> = {}
const proxy = await startRpcServer(async ({ call, answer, forwardTo }) => {
  calls[call.method] = (calls[call.method] ?? 0) + 1
  answer(await forwardTo(chain.rpcUrl))
})
const service = spawn(process.execPath, ['--import', 'tsx', 'server/main.ts'], {
  env: {
    PATH: process.env.PATH,
    DATA_DIR: join(directory, 'data'),
    CHAIN_RPC_URL: proxy.url,
    CHAIN_PUBLIC_RPC_URL: chain.rpcUrl,
    CHAIN_ID: String(chain.chainId),
    CONFIRMATIONS: '5',
    OPERATOR_PRIVATE_KEYS: key,
    DEPLOYER_PRIVATE_KEY: key,
    RATE_LIMITS: 'off',
    PORT: '0',
  },
  stdio: ['ignore', 'pipe', 'inherit'],
})
const baseUrl = await new Promise<string>((resolve, reject) => {
  let output = ''
  service.stdout.on('data', (chunk) => {
    output += chunk
    const address = /"address":"([^"]+)"|^ {2}API +(\S+)\/api$/m.exec(output)
    if (address) resolve((address[1] ?? address[2]) as string)
  })
  service.once('close', (code) => reject(new Error(`ended with ${code}:\n${output}`)))
})

async function count(about: string, until: Promise<unknown>) {
  calls = {}
  const start = performance.now()
  await until
  const minutes = (performance.now() - start) / 60_000
  const total = Object.values(calls).reduce((sum, one) => sum + one, 0)
  process.stdout.write(
    `${about}: ${total} calls, ${Math.round(total / minutes)} a minute: ${JSON.stringify(calls)}\n`,
  )
}

await delay(20_000)
await count('idle', delay(windowMs))
const smoke = spawn(process.execPath, ['--import', 'tsx', 'examples/lifecycle.ts', baseUrl], {
  stdio: 'inherit',
})
await count('lives', new Promise((resolve) => smoke.once('close', resolve)))
await count('the payouts are young', delay(windowMs))
service.kill('SIGTERM')
await new Promise((resolve) => service.once('close', resolve))
await proxy.close()
await chain.stop()
await rm(directory, { recursive: true, force: true })
