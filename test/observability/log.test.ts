import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Hex } from 'viem'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createLog } from '../../server/observability/log.ts'

const key: Hex = `0x${'ab'.repeat(32)}`
const pem = '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBg\n-----END PRIVATE KEY-----'

/** A log with every kind of secret configured; `text` is what it wrote. */
function recorded() {
  const lines: string[] = []
  const log = createLog(
    {
      LOG_LEVEL: 'debug',
      DATABASE_URL: 'postgres://bounty:correct%20horse%20battery@db:5432/bounty',
      CHAIN_RPC_URL: ['https://node.example/v2/node-access-key'],
      OPERATOR_PRIVATE_KEYS: [key],
      DEPLOYER_PRIVATE_KEY: undefined,
      GITHUB_TOKEN: 'ghp_thegithubtoken',
      GITHUB_APP_PRIVATE_KEY: pem,
      WALLET_MASTER_KEY: 'the master key of all the wallets',
    },
    { write: (line) => void lines.push(line) },
  )
  return { log, text: () => lines.join('') }
}

test('no line contains the value of a secret setting, wherever it was logged', () => {
  const { log, text } = recorded()
  log.info({ key, nested: { deep: [pem, 'the master key of all the wallets'] } }, 'token ghp_thegithubtoken')
  log.child({ url: 'https://node.example/v2/node-access-key' }).warn('the password correct horse battery')
  log.error(new Error(`no such key: ${key}`))
  for (const secret of [key, 'MIIEvQ', 'master key of', 'ghp_the', 'node-access-key', 'correct horse'])
    expect(text()).not.toContain(secret)
  expect(
    text()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).level),
  ).toEqual(['info', 'warn', 'error'])
})

test('no line contains the API key of an agent', () => {
  const { log, text } = recorded()
  log.info({ header: 'Bearer bmk_abcdefgh_0123456789' }, 'bmk_abcdefgh_0123456789')
  expect(text()).not.toContain('0123456789')
})

test('an error keeps its class, code and frames; addresses are removed from its message', () => {
  const { log, text } = recorded()
  const cause = Object.assign(new TypeError('connect to http://10.0.0.1:8545/secret failed'), {
    code: 'EFAIL',
  })
  log.warn({ err: new Error('could not pay', { cause }) }, 'failed')
  const { err } = JSON.parse(text())
  expect(err).toMatchObject({
    type: 'Error',
    message: 'could not pay',
    cause: { type: 'TypeError', code: 'EFAIL' },
  })
  expect(err.stack).toContain('log.test.ts')
  expect(text()).not.toContain('10.0.0.1')
})

describe('on standard output', () => {
  /** A process that logs 1,000 lines and then runs `ending`. */
  function logging(ending: string) {
    const script = `
      import { createLog } from './server/observability/log.ts'
      const log = createLog({ LOG_LEVEL: 'info' })
      for (let line = 1; line <= 1000; line++) log.info({ line }, 'logged')
      ${ending}`
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', script], {
      cwd: join(import.meta.dirname, '../..'),
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    return { child, lines: createInterface(child.stdout) }
  }

  test.each([
    ['has no more to do', ''],
    ['exits', 'process.exit(0)'],
    ['fails', 'throw new Error("broken")'],
  ])('every line is written when the process %s', async (_when, ending) => {
    const { lines } = logging(ending)
    const written: number[] = []
    for await (const line of lines) written.push(JSON.parse(line).line)
    expect(written).toEqual(Array.from({ length: 1000 }, (_, index) => index + 1))
  })

  test('a single line is written while the process goes on', async () => {
    const { child, lines } = logging(`
      setTimeout(() => log.info('alone'), 1000)
      setInterval(() => undefined, 1000)`)
    for await (const line of lines) if (JSON.parse(line).msg === 'alone') break
    expect(child.exitCode).toBeNull()
    child.kill()
    await once(child, 'exit')
  })
})
