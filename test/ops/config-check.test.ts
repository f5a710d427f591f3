import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { describe, expect, onTestFinished, test } from 'vitest'
import { migrations } from '../../migrations/index.ts'
import { readConfig } from '../../server/config/config.ts'
import type { Finding } from '../../server/config/finding.ts'
import { createDatabase, createPool } from '../../server/db/client.ts'
import { migrate } from '../../server/db/migrate/migrate.ts'
import { localDollar } from '../../server/embedded/chain/dollar.ts'
import { deployContracts } from '../../server/money/chain/deploy/deploy.ts'
import { checkConfiguration } from '../../server/ops/check-configuration.ts'
import { connectContracts } from '../../server/startup/connect/contracts.ts'
import { connectDatabase } from '../../server/startup/connect/database.ts'
import { type ChainSource, chainSource } from '../../server/startup/connect/nodes.ts'
import { rememberWallet } from '../../server/startup/connect/remembered-wallet.ts'
import { databaseUrl } from '../support/database-url.ts'
import { startOwnChain } from '../support/own-chain.ts'
import { createRpcProxy } from '../support/rpc-proxy.ts'
import { sharedPostgres } from '../support/shared/shared.ts'
import { codeHost, host, notOk, useDeployment, webhookSecret } from './support/configuration.ts'
import { built, run } from './support/service.ts'

const { around, check } = useDeployment()
const names = Object.keys(migrations)

test('the embedded code host is what it has to be', async () => {
  expect(notOk(await check({ GITHUB_API_URL: around().settings.GITHUB_API_URL }))).toEqual([])
})

test('everything right is said so, part by part', async () => {
  const findings = await check()
  expect(notOk(findings)).toEqual([])
  expect(findings.map(({ about }) => about)).toEqual([
    'DATABASE_URL',
    'schema',
    'CHAIN_RPC_URL',
    'contracts',
    'OPERATOR_PRIVATE_KEYS',
    'gas',
    'DOLLAR_ADDRESS',
    'logs',
    'GITHUB_ORGANIZATION',
    'GITHUB_TOKEN',
    'GITHUB_WEBHOOK_SECRET',
  ])
})

test('a HOST at which this machine cannot listen is said', async () => {
  const found = notOk(await check({ HOST: '192.0.2.1' })).filter(({ about }) => about === 'HOST')
  expect(found.map(({ text }) => text)).toEqual(['this machine cannot listen at 192.0.2.1: EADDRNOTAVAIL'])
})

test('everything wrong is said at once, and no line repeats a secret', async () => {
  const stranger = generatePrivateKey()
  const url = new URL(around().databaseUrl)
  url.password = 'hunter2'
  const findings = await check({
    DATABASE_URL: url.href,
    OPERATOR_PRIVATE_KEYS: stranger,
    GITHUB_API_URL: await host('gist'),
    DATABASE_POOLSIZE: '5',
  })
  expect(notOk(findings).map(({ level, about }) => `${level} ${about}`)).toEqual([
    'warn environment',
    'wrong DATABASE_URL',
    'wrong OPERATOR_PRIVATE_KEYS',
    'warn gas',
    'wrong GITHUB_TOKEN',
  ])
  expect(JSON.stringify(findings)).toContain(`${privateKeyToAddress(stranger)} is not an operator`)
  for (const secret of ['hunter2', stranger, around().githubToken, webhookSecret])
    expect(JSON.stringify(findings)).not.toContain(secret)
})

test('GitHub Enterprise without its path is said, and how to add it', async () => {
  const enterprise = await codeHost({
    'GET /api/v3/meta': { headers: { 'x-github-enterprise-version': '3.18.0' }, body: {} },
  })
  expect(notOk(await check({ GITHUB_API_URL: enterprise }))).toEqual([
    { level: 'wrong', about: 'GITHUB_API_URL', text: expect.stringContaining('without `/api/v3`') },
  ])
})

test('settings that cannot be read are said before anything is probed', async () => {
  expect(notOk(await check({ PORT: 'http', LOG_LEVEL: 'loud' })).map(({ about }) => about)).toEqual([
    'PORT',
    'LOG_LEVEL',
  ])
})

describe('an empty database', () => {
  /** One of its own, and a role on it that may create tables in `public` and nothing else. */
  async function modestRole() {
    const server = createDatabase(createPool(await sharedPostgres(), { size: 1 }))
    const name = `modest_${randomBytes(4).toString('hex')}`
    await sql.raw(`create database ${name} template template0`).execute(server)
    await sql.raw(`create role ${name} login password 'x'`).execute(server)
    const inside = createDatabase(createPool(databaseUrl(await sharedPostgres(), name), { size: 1 }))
    await sql.raw(`grant create on schema public to ${name}`).execute(inside)
    onTestFinished(async () => {
      await inside.destroy()
      await sql.raw(`drop database ${name} with (force)`).execute(server)
      await sql.raw(`drop role ${name}`).execute(server)
      await server.destroy()
    })
    const url = new URL(databaseUrl(await sharedPostgres(), name))
    url.username = name
    url.password = 'x'
    return { name, url: url.href, server }
  }

  test.each([
    ['the newest migration taken back', names.slice(0, -1), []],
    ['the first two migrations alone', names.slice(0, 2), ['WALLET_MASTER_KEY']],
  ])(
    'and %s: what will be migrated, and the platform wallet that this database has paid with',
    async (_, known, unchecked) => {
      const { name, url, server } = await modestRole()
      await sql.raw(`grant create on database ${name} to ${name}`).execute(server)
      const db = createDatabase(createPool(url, { size: 1 }))
      onTestFinished(() => db.destroy())
      await migrate(
        db,
        Object.fromEntries(known.map((one) => [one, migrations[one as keyof typeof migrations]])) as never,
      )
      await rememberWallet(db, 31_337, around().chain.platformWallet)
      const settings = { DATABASE_URL: url, PLATFORM_WALLET_ADDRESS: undefined, BOUNTY_RESERVE_BPS: '1234' }
      const findings = await check({ ...settings, WALLET_MASTER_KEY: 'x'.repeat(40) })
      expect(notOk(findings).map(({ about }) => about)).toEqual(unchecked)
      expect(findings.find(({ about }) => about === 'schema')?.text).toBe(
        `will be migrated at the start: ${names.slice(known.length).join(', ')}`,
      )
      // As a start: with other settings than it was deployed with, the wallet stays.
      expect(findings.find(({ about }) => about === 'contracts')?.text).toContain(
        around().chain.platformWallet,
      )
    },
  )

  test('and a role that may not create tables: it is said what to grant, at the start as well', async () => {
    const { name, url, server } = await modestRole()
    await sql.raw(`grant create on database ${name} to ${name}`).execute(server)
    const superuser = new URL(await sharedPostgres())
    superuser.pathname = `/${name}`
    const inside = createDatabase(createPool(superuser.href, { size: 1 }))
    await sql.raw(`revoke create on schema public from ${name}`).execute(inside)
    await inside.destroy()
    const found = await check({ DATABASE_URL: url })
    expect(notOk(found).find(({ about }) => about === 'schema')?.text).toBe(
      `${name} may not create tables in public: grant create on schema public to ${name}, or run setup as the role that owns the schema`,
    )
    await expect(connectDatabase(url, { DATABASE_POOL_SIZE: 2 }, () => undefined)).rejects.toThrow(
      /permission denied for schema public\. The role that runs `setup` needs `grant create on schema public`/,
    )
  })

  test('and a role that may not create the extension, until it may', async () => {
    const { name, url, server } = await modestRole()
    const schema = async () => {
      const found = await check({ DATABASE_URL: url })
      return found.filter(({ about }) => about === 'schema').map(({ level, text }) => `${level}: ${text}`)
    }
    expect(await schema()).toEqual([
      `wrong: ${name} may not create the extension pg_trgm: have a superuser create it, or grant ${name} create on the database`,
    ])
    await expect(connectDatabase(url, { DATABASE_POOL_SIZE: 2 }, () => undefined)).rejects.toThrow(
      /permission denied to create extension .* Have a superuser create the extension/,
    )
    await sql.raw(`grant create on database ${name} to ${name}`).execute(server)
    expect(await schema()).toEqual([expect.stringMatching(/^ok: will be migrated at the start: 0001/)])
  })
})

describe('the chain', () => {
  test('operators that a start adds, and those that the owner has to add', async () => {
    const other = generatePrivateKey()
    const keys = `${around().settings.OPERATOR_PRIVATE_KEYS},${other}`
    const about = (findings: Finding[]) => findings.find((found) => found.about === 'OPERATOR_PRIVATE_KEYS')
    const deployer = {
      PLATFORM_WALLET_ADDRESS: undefined,
      DEPLOYER_PRIVATE_KEY: (around().chain.owner as unknown as { privateKey: string }).privateKey,
      TREASURY_ADDRESS: around().chain.treasury,
      DOLLAR_ADDRESS: localDollar,
    }
    expect(about(await check({ ...deployer, OPERATOR_PRIVATE_KEYS: keys }))).toMatchObject({
      level: 'ok',
      text: expect.stringContaining('will be added at the start'),
    })
    expect(about(await check({ OPERATOR_PRIVATE_KEYS: keys }))).toMatchObject({
      level: 'wrong',
      text: expect.stringContaining(`npm run contracts -- add-operator ${privateKeyToAddress(other)}`),
    })
  })

  test('contracts that are not there yet, and who will deploy them', async () => {
    const findings = await check({ PLATFORM_WALLET_ADDRESS: undefined, BOUNTY_RESERVE_BPS: '1234' })
    expect(findings.find(({ about }) => about === 'contracts')?.text).toMatch(
      /^will be deployed at the start by 0x\w+; the platform wallet will be 0x\w+$/,
    )
  })

  test('contracts that are not there yet, and nobody with the ether to deploy them or to pay', async () => {
    const deployer = generatePrivateKey()
    const operator = generatePrivateKey()
    const parameters = { bountyReserveBps: 1234, owner: privateKeyToAddress(deployer) }
    const findings = await check({
      PLATFORM_WALLET_ADDRESS: undefined,
      BOUNTY_RESERVE_BPS: String(parameters.bountyReserveBps),
      DEPLOYER_PRIVATE_KEY: deployer,
      OPERATOR_PRIVATE_KEYS: operator,
    })
    const deploying = deployContracts({
      ...parameters,
      rpcUrl: around().chain.rpcUrl,
      deployerPrivateKey: deployer,
      operators: [privateKeyToAddress(operator)],
    })
    await expect(deploying).rejects.toMatchObject({ code: 'insufficient_funds' })
    expect(notOk(findings)).toEqual([
      {
        level: 'wrong',
        about: 'contracts',
        text: expect.stringMatching(
          `^cannot be deployed: ${privateKeyToAddress(deployer)} holds 0 ether and needs about 0[.][0-9]+$`,
        ),
      },
      {
        level: 'warn',
        about: 'gas',
        text: `${privateKeyToAddress(operator)} holds 0 ether, enough for about 0 payouts`,
      },
    ])
  })

  test('contracts that are not there yet, on a chain without the instructions that they use', async () => {
    const { rpcUrl, stop } = await startOwnChain(['--hardfork', 'shanghai'])
    onTestFinished(stop)
    const findings = await check({ CHAIN_RPC_URL: rpcUrl, PLATFORM_WALLET_ADDRESS: undefined })
    expect(notOk(findings)).toContainEqual({
      level: 'wrong',
      about: 'contracts',
      text: 'cannot be deployed: the chain lacks the Cancun instructions that they use (EIP-1153, EIP-5656)',
    })
  })

  test('a node of another chain, one that is silent, and a wallet that is not there', async () => {
    expect(notOk(await check({ CHAIN_ID: '8453' }))[0]?.text).toBe('serves chain 31337 instead of 8453')
    const both = `${around().chain.rpcUrl},http://127.0.0.1:59999`
    expect(notOk(await check({ CHAIN_RPC_URL: both }))).toMatchObject([
      { level: 'warn', about: 'CHAIN_RPC_URL, address 2' },
    ])
    const nowhere = `0x${'12'.repeat(20)}`
    expect(notOk(await check({ PLATFORM_WALLET_ADDRESS: nowhere }))).toEqual([
      { level: 'wrong', about: 'PLATFORM_WALLET_ADDRESS', text: `there is no contract at ${nowhere}` },
    ])
  })

  test('a block tag of FINALITY: how far behind it is, or that a node does not know it, at the start as well', async () => {
    const finality = async (settings: Record<string, string> = {}) =>
      (await check({ FINALITY: 'finalized', ...settings }))
        .filter(({ about }) => about === 'FINALITY')
        .map(({ level, text }) => `${level}: ${text}`)
    expect(await finality()).toEqual([
      expect.stringMatching(/^ok: finalized is block \d+, \d+ behind the newest$/),
    ])
    const proxy = await createRpcProxy(around().chain.rpcUrl)
    proxy.refuse(({ params }) =>
      params?.[0] === 'finalized' ? 'invalid argument 0: hex string without 0x prefix' : undefined,
    )
    expect(await finality({ CHAIN_RPC_URL: proxy.url })).toEqual([
      expect.stringMatching(
        /^wrong: the node does not know the block tag finalized \(.*\): no payout would ever be confirmed$/,
      ),
    ])
    const db = createDatabase(createPool(around().databaseUrl, { size: 1 }))
    onTestFinished(() => db.destroy())
    const config = readConfig({ ...around().settings, FINALITY: 'finalized', CHAIN_RPC_URL: proxy.url })
    const context = { db, embedded: undefined, report: () => undefined }
    const starting = connectContracts(config, context, chainSource(config, undefined) as ChainSource)
    await expect(starting).rejects.toThrow(
      /^setting FINALITY: the node does not know the block tag finalized/,
    )
  })

  test.each([[], ['--timestamp', '0']])(
    'with few blocks says no pace that it does not have (%s)',
    async (...args) => {
      const { rpcUrl, node, stop } = await startOwnChain(args)
      onTestFinished(stop)
      const logs = async () => {
        const found = await check({ CHAIN_RPC_URL: rpcUrl, PLATFORM_WALLET_ADDRESS: undefined })
        return found.find(({ about }) => about === 'logs')?.text
      }
      expect(await logs()).toBe('the chain is too young to measure eth_getLogs: its newest block is 0')
      await node.mine({ blocks: 1 })
      expect(await logs()).toBe('the chain is too young to measure eth_getLogs: its newest block is 1')
      await node.mine({ blocks: 2, interval: 2 })
      const [, pace] =
        /^eth_getLogs lists at least 3 blocks at a time, and a block comes every (\S+) s$/.exec(
          (await logs()) ?? '',
        ) ?? []
      // A busy machine makes the blocks later; years since 1970 it would not be.
      expect(Number(pace)).toBeLessThan(3600)
    },
  )

  test('how many blocks of logs a node lists at a time, and how far behind that can fall', async () => {
    const { rpcUrl, node, stop } = await startOwnChain()
    onTestFinished(stop)
    await node.mine({ blocks: 700, interval: 2 })
    const logs = async (blocks: number) => {
      const proxy = await createRpcProxy(rpcUrl)
      proxy.refuse(({ method, params }) => {
        if (method !== 'eth_getLogs') return undefined
        const { fromBlock = 0, toBlock = 0, blockHash } = params[0] as Record<string, string>
        if (blockHash) return blocks === 0 ? 'unknown field `blockHash`' : undefined
        return Number(toBlock) - Number(fromBlock) >= blocks ? 'block range is too wide' : undefined
      })
      const found = await check({ CHAIN_RPC_URL: proxy.url, PLATFORM_WALLET_ADDRESS: undefined })
      return found.filter(({ about }) => about === 'logs').map(({ level, text }) => `${level}: ${text}`)
    }
    const pace = /, and a block comes every (\d(?:\.\d)?) s/
    expect(await logs(5000)).toEqual([
      'ok: eth_getLogs lists at least 700 blocks at a time, and a block comes every 2 s',
    ])
    const [limited = ''] = await logs(5)
    expect(limited).toMatch(/^warn: eth_getLogs lists 5 blocks at a time/)
    // In two days, because each block is read twice.
    const calls = Math.ceil(172_800 / Number(pace.exec(limited)?.[1]) / 5)
    expect(limited).toMatch(
      new RegExp(`: ${calls} calls a day, and \\d+ s behind after an outage of an hour$`),
    )
    expect(await logs(0)).toEqual([
      'wrong: eth_getLogs fails (unknown field `blockHash`): payments and trades would not be noticed',
    ])
  })

  test('paused payouts and too little gas balance', async () => {
    await around().chain.pause()
    const findings = notOk(await check({ LOW_GAS_PAYOUTS: '1000000', PAYOUTS_ENABLED: 'false' }))
    await around().chain.unpause()
    expect(findings.map(({ level, about }) => `${level} ${about}`)).toEqual([
      'warn payouts',
      'warn PAYOUTS_ENABLED',
    ])
  })
})

test('nothing set at all is said to be a trial, because the servers may have settings that this command was not given', async () => {
  const trial = expect.objectContaining({ level: 'warn', about: 'environment' })
  expect(await checkConfiguration({ PATH: '/bin', EMBEDDED: '' })).toContainEqual(trial)
  expect(await checkConfiguration({ PORT: '3005' })).not.toContainEqual(trial)
})

test('the command prints a line a finding and ends with status 1 where something is wrong', async () => {
  const command = run(await built('ops/config-check'), { EMBEDDED: 'off', PORT: 'http' })
  expect(await command.exited).toBe(1)
  expect(command.output()).toBe(
    'wrong  PORT          must be a whole number\nwrong  DATABASE_URL  needed with EMBEDDED=off\n',
  )
})
