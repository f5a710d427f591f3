import { generateKeyPairSync } from 'node:crypto'
import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fastify } from 'fastify'
import { describe, expect, test } from 'vitest'
import { readConfig, suspectNames } from '../../server/config/config.ts'
import { exposedSecretFiles } from '../../server/config/secrets.ts'
import { settings } from '../../server/config/settings.ts'
import { temporaryDirectory } from '../embedded/support.ts'

const key = `0x${'11'.repeat(32)}`

/** The lines of the error. */
function problemsOf(environment: Record<string, string>): string[] {
  try {
    readConfig(environment)
    return []
  } catch (error) {
    return (error as Error).message.split('\n')
  }
}

async function file(content: string): Promise<string> {
  const path = join(await temporaryDirectory(), 'secret')
  await writeFile(path, content)
  return path
}

test('all wrong settings are reported together, and no line contains a value', () => {
  const problems = problemsOf({
    PORT: 'eighty',
    DATABASE_URL: 'mysql://root:hunter2@db',
    OPERATOR_PRIVATE_KEYS: 'hunter2',
    WALLET_MASTER_KEY: 'hunter2',
    PAYOUTS_ENABLED: 'perhaps',
  })
  expect(problems.map((line) => line.split(':')[0])).toEqual([
    'setting PORT',
    'setting DATABASE_URL',
    'setting OPERATOR_PRIVATE_KEYS',
    'setting WALLET_MASTER_KEY',
    'setting PAYOUTS_ENABLED',
  ])
  expect(problems.join()).not.toContain('hunter2')
})

test('every wrong value is refused in a sentence that begins with the name of its setting', () => {
  const lines = ['!', '99999999999999999999', 'x'.repeat(200), '0', '-1', 'a,b'].flatMap((value) =>
    problemsOf(Object.fromEntries(Object.keys(settings.shape).map((name) => [name, value]))),
  )
  expect(lines.length).toBeGreaterThan(150)
  for (const line of lines) {
    expect(line).toMatch(
      /^setting [A-Z_]+: (entry \d+ )?(must|is|has|needs|names|contains|not a PEM|a GitHub App needs) ?/,
    )
    expect(line).not.toMatch(/expected|invalid|regex|pattern/i)
  }
})

test('what cannot be read hides nothing that does not fit together', () => {
  const problems = problemsOf({ PORT: 'eighty', CHAIN_RPC_URL: 'http://127.0.0.1:8545', EMBEDDED: 'off' })
  expect(problems.map((line) => line.split(':')[0])).toEqual([
    'setting PORT',
    'setting OPERATOR_PRIVATE_KEYS',
    'setting DATABASE_URL',
  ])
})

test('the database has one address; a list of hosts is refused with what to do instead', () => {
  const several =
    'setting DATABASE_URL: names several hosts: give one address, that of the proxy in front of them or the name that the managed service keeps'
  const DATABASE_URL = 'postgres://u@one/db'
  for (const wrong of [
    'postgres://u:hunter2@one:5432,two:5433,[::1]/db?target_session_attrs=read-write',
    'postgres://u:p,q@one,two/a,b',
    'postgresql://one,two',
    'postgres://one,/db',
    'postgres:///db?host=one,two',
    'postgres:///db?host=one%2Ctwo',
  ])
    expect(problemsOf({ DATABASE_URL: wrong })).toEqual([several])
  // A password, a database or a parameter may have a comma.
  for (const right of ['postgres://u:p,q@one/db', 'postgres://one/a,b', 'postgres://one/db?options=-c,x'])
    expect(problemsOf({ DATABASE_URL: right })).toEqual([])
  expect(readConfig({ DATABASE_URL: ` ${DATABASE_URL}\n` }).DATABASE_URL).toBe(DATABASE_URL)
  for (const wrong of ['hunter2', 'postgres://u:hunter2@one:x/db', 'postgres://u:hunter2@two words/db'])
    expect(problemsOf({ DATABASE_URL: wrong })).toEqual([
      'setting DATABASE_URL: must be an address such as postgres://user:password@host/database',
    ])
})

test.each(['proxy.example', '10.0.0.0/33', '0.0.0.0/0', '::/0', '10.0.0', '1', '10.0.0.1:80', '10.0.0.0/x'])(
  'TRUSTED_PROXIES with the entry %s is refused in one line',
  (entry) => {
    expect(problemsOf({ EMBEDDED: 'auto', TRUSTED_PROXIES: `10.0.0.1, ${entry}` })).toEqual([
      expect.stringMatching(/^setting TRUSTED_PROXIES: entry 2 must be an IP address, a network such as/),
    ])
  },
)

test('TRUSTED_PROXIES accepts addresses, networks and their names', async () => {
  const TRUSTED_PROXIES =
    '10.0.0.1, 172.31.240.0/24, ::1, fd00::/8, ::ffff:10.0.0.1, loopback, uniquelocal, linklocal'
  const config = readConfig({ TRUSTED_PROXIES })
  expect(config.TRUSTED_PROXIES).toHaveLength(8)
  expect(() => fastify({ trustProxy: config.TRUSTED_PROXIES ?? false })).not.toThrow()
})

test('an empty variable counts as unset', () => {
  expect(readConfig({ PORT: '', DATABASE_URL: '' })).toMatchObject({ PORT: 3000 })
})

test('a previous master key is refused where it cannot be one', () => {
  const key = 'x'.repeat(32)
  const other = 'y'.repeat(32)
  const problem = (settings: Record<string, string>) =>
    problemsOf({ WALLET_MASTER_KEY_PREVIOUS: other, ...settings })
  expect(problem({ WALLET_MASTER_KEY_VERSION: '2' })).toEqual([
    expect.stringContaining('needs WALLET_MASTER_KEY, '),
  ])
  expect(problem({ WALLET_MASTER_KEY: other, WALLET_MASTER_KEY_VERSION: '2' })).toEqual([
    'setting WALLET_MASTER_KEY_PREVIOUS: is the same as WALLET_MASTER_KEY',
  ])
  expect(problem({ WALLET_MASTER_KEY: key })).toEqual([expect.stringContaining('above 1')])
  const rotated = {
    WALLET_MASTER_KEY: key,
    WALLET_MASTER_KEY_VERSION: '2',
    WALLET_MASTER_KEY_PREVIOUS: other,
  }
  expect(readConfig(rotated).WALLET_MASTER_KEY_PREVIOUS).toBe(other)
})

test('PLATFORM_FEE_BPS ends at 2,000, where the contract does', () => {
  expect(readConfig({ PLATFORM_FEE_BPS: '2000' }).PLATFORM_FEE_BPS).toBe(2000)
  expect(problemsOf({ PLATFORM_FEE_BPS: '2001' })).toEqual([
    expect.stringMatching(/^setting PLATFORM_FEE_BPS: /),
  ])
})

describe('secrets by file', () => {
  test('the file contains the value, with or without a line end', async () => {
    const { OPERATOR_PRIVATE_KEYS } = readConfig({ OPERATOR_PRIVATE_KEYS_FILE: await file(`${key}\n`) })
    expect(OPERATOR_PRIVATE_KEYS).toEqual([key])
  })

  test('every secret setting accepts one', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const values: Record<string, string> = {
      DATABASE_URL: 'postgres://db/bounty',
      CHAIN_RPC_URL: 'https://node.example/key',
      OPERATOR_PRIVATE_KEYS: key,
      DEPLOYER_PRIVATE_KEY: key,
      GITHUB_TOKEN: 'ghp_token',
      GITHUB_APP_PRIVATE_KEY: privateKey.export({ type: 'pkcs1', format: 'pem' }).toString(),
      WALLET_MASTER_KEY: 'x'.repeat(32),
      WALLET_MASTER_KEY_PREVIOUS: 'y'.repeat(32),
    }
    const files = Object.entries(values).map(async ([name, value]) => [`${name}_FILE`, await file(value)])
    const rest = { WALLET_MASTER_KEY_VERSION: '2', GITHUB_APP_ID: '1', GITHUB_APP_INSTALLATION_ID: '2' }
    const config = readConfig({ ...rest, ...Object.fromEntries(await Promise.all(files)) })
    expect(config).toMatchObject({ DATABASE_URL: values.DATABASE_URL, GITHUB_TOKEN: 'ghp_token' })
    expect(Object.keys(values).filter((name) => config[name as keyof typeof config] === undefined)).toEqual(
      [],
    )
  })

  test('a file that other accounts may read is named, and one that they may not is not', async () => {
    const open = await file('x')
    const closed = await file('y')
    await chmod(open, 0o644)
    await chmod(closed, 0o640)
    expect(
      exposedSecretFiles({
        GITHUB_TOKEN_FILE: open,
        DATABASE_URL_FILE: closed,
        CHAIN_RPC_URL_FILE: '/nowhere',
      }),
    ).toEqual([
      { level: 'warn', about: 'GITHUB_TOKEN_FILE', text: 'other accounts may read the file: chmod 600' },
    ])
  })

  test('a file that is missing, empty, or set together with its variable is reported', async () => {
    const problems = problemsOf({
      DATABASE_URL_FILE: '/nowhere/at/all',
      GITHUB_TOKEN_FILE: await file('\n'),
      WALLET_MASTER_KEY: 'x'.repeat(32),
      WALLET_MASTER_KEY_FILE: await file('y'.repeat(32)),
    })
    expect(problems).toEqual([
      'setting DATABASE_URL_FILE: the file cannot be read (ENOENT)',
      'setting GITHUB_TOKEN_FILE: the file is empty',
      'setting WALLET_MASTER_KEY: set it or WALLET_MASTER_KEY_FILE, not both',
    ])
  })
})

describe('a chain preset', () => {
  const preset = { CHAIN_PRESET: 'base', OPERATOR_PRIVATE_KEYS: key }

  test('supplies settings that are not set', () => {
    expect(readConfig(preset)).toMatchObject({
      CHAIN_ID: 8453,
      CHAIN_NAME: 'Base',
      CHAIN_RPC_URL: ['https://mainnet.base.org'],
      CHAIN_EXPLORER_URL: 'https://basescan.org',
    })
    expect(readConfig({ ...preset, CHAIN_PRESET: 'base-sepolia' }).CHAIN_ID).toBe(84532)
  })

  test('is overridden by a setting, but not by another chain', () => {
    expect(
      readConfig({ ...preset, CHAIN_RPC_URL: 'https://a.example,https://b.example' }).CHAIN_RPC_URL,
    ).toEqual(['https://a.example', 'https://b.example'])
    expect(problemsOf({ ...preset, CHAIN_ID: '1' })).toEqual([
      'setting CHAIN_ID: CHAIN_PRESET=base is chain 8453',
    ])
  })
})

test('contradictory settings are reported', () => {
  expect(problemsOf({ CHAIN_RPC_URL: 'http://node.example' })).toEqual([
    'setting OPERATOR_PRIVATE_KEYS: needed with CHAIN_RPC_URL',
  ])
  expect(problemsOf({ EMBEDDED: 'off' })).toEqual(['setting DATABASE_URL: needed with EMBEDDED=off'])
  expect(problemsOf({ PORT: '9000', METRICS_PORT: '9000' })).toEqual([
    'setting METRICS_PORT: must differ from PORT',
  ])
  expect(problemsOf({ GITHUB_APP_ID: '1' })[0]).toMatch(/^setting GITHUB_APP_ID: a GitHub App needs /)
  expect(
    problemsOf({ GITHUB_APP_ID: '1', GITHUB_APP_INSTALLATION_ID: '2', GITHUB_APP_PRIVATE_KEY: 'no key' }),
  ).toEqual(['setting GITHUB_APP_PRIVATE_KEY: not a PEM private key'])
})

test('misspelled settings are reported, variables of other programs are not', () => {
  expect(suspectNames({ DATABASE_ULR: 'x', CHAIN_RPC_URLS: 'x', WALLET_MASTER_KEY_FLE: 'x' })).toEqual([
    'DATABASE_ULR is not a setting: did you mean DATABASE_URL?',
    'CHAIN_RPC_URLS is not a setting: did you mean CHAIN_RPC_URL?',
    'WALLET_MASTER_KEY_FLE is not a setting: did you mean WALLET_MASTER_KEY_FILE?',
  ])
  const both = { FINALITY_BLOCK: '1', FINALITY_BLOCKS: '64' }
  expect(suspectNames(both)).toEqual(['FINALITY_BLOCK is not a setting: did you mean FINALITY_BLOCKS?'])
  expect(suspectNames({ HOSTNAME: 'x', PATH: 'x', GITHUB_SHA: 'x', GITHUB_REPOSITORY: 'x' })).toEqual([])
})

describe('addresses', () => {
  const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
  const names = ['PLATFORM_WALLET_ADDRESS', 'OWNER_ADDRESS', 'TREASURY_ADDRESS', 'DOLLAR_ADDRESS'] as const

  test.each(names)('%s is accepted in one letter case, or with its checksum', (name) => {
    const upper = `0x${address.slice(2).toUpperCase()}`
    for (const given of [address, address.toLowerCase(), upper])
      expect(readConfig({ [name]: given })[name]).toBe(address)
  })

  test.each(names)('%s with a wrong checksum, or malformed, is refused by name', (name) => {
    expect(problemsOf({ [name]: address.replace('C51812', 'c51812') })).toEqual([
      `setting ${name}: has a wrong checksum`,
    ])
    expect(problemsOf({ [name]: `${address}0` })).toEqual([
      `setting ${name}: is not 0x and 40 hex characters`,
    ])
  })
})

describe('operator keys', () => {
  test.each([`0x${'00'.repeat(32)}`, `0x${'ff'.repeat(32)}`, 'hunter2'])('%s cannot sign', (given) => {
    const [problem, ...more] = problemsOf({ DEPLOYER_PRIVATE_KEY: given })
    expect(problem).toBe('setting DEPLOYER_PRIVATE_KEY: must be 0x and 64 hex characters that can sign')
    expect(more).toEqual([])
  })

  test('the same key twice is refused', () => {
    const upper = key.toUpperCase().replace('X', 'x')
    const same = `0x${'ab'.repeat(32)},0x${'AB'.repeat(32)}`
    expect(problemsOf({ OPERATOR_PRIVATE_KEYS: `${key},${upper}` })).toHaveLength(1)
    expect(problemsOf({ OPERATOR_PRIVATE_KEYS: same })).toEqual([
      'setting OPERATOR_PRIVATE_KEYS: contains the same key twice',
    ])
  })
})
