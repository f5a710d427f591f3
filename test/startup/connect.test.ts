import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import type { Address, Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../server/config/config.ts'
import { deployDollar, localDollar } from '../../server/embedded/chain/dollar.ts'
import { choosePort } from '../../server/embedded/ports.ts'
import type { ConnectedChain } from '../../server/money/chain/chain.ts'
import { platformWallet } from '../../server/money/chain/generated/contracts.ts'
import { observe } from '../../server/observability/observe.ts'
import { checkConfiguration } from '../../server/ops/check-configuration.ts'
import { explain } from '../../server/ops/explain.ts'
import { connect } from '../../server/startup/connect/connect.ts'
import { createTestDatabase } from '../support/database.ts'
import { startRpcServer } from '../support/rpc-server.ts'
import { until } from '../support/until.ts'
import { openWorld } from '../support/world.ts'

const around = await openWorld({ dollars: false })

const log = pino({ level: 'silent' })

/** Connects with these settings changed, until the test ends; undefined takes a setting away. */
async function connected(changes: Record<string, string | undefined> = {}) {
  const lines: string[] = []
  const settings = { ...around.settings, ...changes }
  const made = await connect(readConfig(settings), log, (line) => lines.push(line))
  onTestFinished(made.close)
  return { ...made, chain: await made.connectChain(), lines }
}

/** What the person at the terminal is told when connecting fails. */
async function refusal(changes: Record<string, string | undefined>): Promise<string> {
  const outcome = await connected(changes).catch((error) => explain(error))
  if (typeof outcome !== 'string') throw new Error('it did connect')
  return outcome
}

/** A node of chain 5 that knows nothing else; `answers` says whether it is there. */
async function strangeNode(answers: () => boolean = () => true): Promise<string> {
  const node = await startRpcServer(({ answer, hangUp }) =>
    answers() ? answer({ result: '0x5' }) : hangUp(),
  )
  return node.url
}

describe('what cannot be connected is named in one line', () => {
  test('a database that is not there', async () => {
    const port = await choosePort()
    expect(await refusal({ DATABASE_URL: `postgres://bounty:hunter2@127.0.0.1:${port}/bounty` })).toBe(
      `setting DATABASE_URL: connect ECONNREFUSED 127.0.0.1:${port}`,
    )
    expect(await refusal({ DATABASE_URL: `postgres://bounty:hunter2@localhost:${port}/bounty` })).toMatch(
      /^setting DATABASE_URL: connect ECONNREFUSED .*$/,
    )
  })

  test('a database that refuses the password, and one that does not exist', async () => {
    const url = new URL(around.databaseUrl)
    url.password = 'hunter2'
    expect(await refusal({ DATABASE_URL: url.href })).toMatch(
      /^setting DATABASE_URL: password authentication failed for user "\w+"$/,
    )
    const absent = new URL(around.databaseUrl)
    absent.pathname = '/absent'
    expect(await refusal({ DATABASE_URL: absent.href })).toBe(
      'setting DATABASE_URL: database "absent" does not exist',
    )
  })

  test('a node that does not answer, without its address', async () => {
    const url = `http://127.0.0.1:${await choosePort()}/secret-key`
    expect(await refusal({ CHAIN_RPC_URL: url })).toMatch(
      /^setting CHAIN_RPC_URL: no node responds \([^/]*\)$/,
    )
  })

  test('a node of another chain', async () => {
    expect(await refusal({ CHAIN_ID: '8453' })).toBe(
      'setting CHAIN_RPC_URL: address 1 serves chain 31337, but CHAIN_ID says 8453',
    )
    expect(await refusal({ CHAIN_RPC_URL: `${around.chain.rpcUrl},${await strangeNode()}` })).toBe(
      'setting CHAIN_RPC_URL: address 2 serves chain 5, but address 1 serves 31337',
    )
  })

  test('an address where no platform wallet is', async () => {
    const address = `0x${'12'.repeat(20)}`
    expect(await refusal({ PLATFORM_WALLET_ADDRESS: address })).toBe(
      `setting PLATFORM_WALLET_ADDRESS: there is no contract at ${address} on chain 31337`,
    )
    const { projectFactory } = around.chain
    expect(await refusal({ PLATFORM_WALLET_ADDRESS: projectFactory })).toMatch(
      /^setting PLATFORM_WALLET_ADDRESS: what is at 0x\w+ does not answer as a platform wallet \(.*revert.*\)$/,
    )
  })

  test('an operator key without its role', async () => {
    const stranger = generatePrivateKey()
    const address = privateKeyToAddress(stranger)
    const { chain, settings } = around
    const keys = `${settings.OPERATOR_PRIVATE_KEYS},${stranger}`
    const owner = privateKeyToAddress((chain.owner as unknown as { privateKey: `0x${string}` }).privateKey)
    expect(await refusal({ OPERATOR_PRIVATE_KEYS: keys })).toBe(
      `setting OPERATOR_PRIVATE_KEYS: ${address} is not an operator of the platform wallet ${chain.platformWallet}: ` +
        `its owner ${owner} has to add it: \`npm run contracts -- add-operator ${address}\` with OWNER_PRIVATE_KEY`,
    )
  })

  test('a metrics port that is taken', async () => {
    const taken = new URL(await strangeNode()).port
    const connections = await connected({ METRICS_PORT: taken })
    await expect(observe(connections)).rejects.toThrow(
      `Port ${taken} is taken: set METRICS_PORT to another one`,
    )
  })
})

/** The coin of a chain's platform wallet, and what it can pay of it a day. */
async function dollarsOf(chain: ConnectedChain | null) {
  const wallet = { abi: platformWallet.abi, address: chain?.platformWallet as Address } as const
  const read = chain?.client.readContract
  return Promise.all([
    read?.({ ...wallet, functionName: 'dollar' }),
    read?.({ ...wallet, functionName: 'dailyCap', args: [localDollar] }),
  ])
}

describe('contracts', () => {
  /** Settings of an operator who deploys for himself, on an empty database. */
  async function ownContracts() {
    const [account, database] = await Promise.all([around.chain.fundedAccount(), createTestDatabase()])
    onTestFinished(database.drop)
    return {
      DATABASE_URL: database.url,
      PLATFORM_WALLET_ADDRESS: undefined,
      OPERATOR_PRIVATE_KEYS: account.privateKey,
    }
  }

  test('are deployed once and found again', async () => {
    const settings = await ownContracts()
    const first = await connected(settings)
    expect(first.lines.join('\n')).toContain('contracts created')
    const second = await connected(settings)
    expect(second.lines.join('\n')).not.toContain('created')
    expect(second.chain?.platformWallet).toBe(first.chain?.platformWallet)
  })

  test('made without a stablecoin stay so, which is said at each start', async () => {
    await deployDollar(around.chain.rpcUrl)
    const line =
      'setting DOLLAR_ADDRESS: there are no dollars: the platform wallet was made without a stablecoin, which cannot be changed'
    const { lines, chain } = await connected({ DOLLAR_ADDRESS: localDollar })
    expect(lines).toContain(line)
    expect(chain?.platformWallet).toBe(around.chain.platformWallet)
    const unset = await connected()
    expect(unset.lines).not.toContain(line)
    expect(unset.lines.at(-1)).toMatch(/no dollars: the platform wallet was made without a stablecoin$/)
    expect(unset.chain?.dollar).toBeNull()
  })

  test('take the coin of the setting', async () => {
    await deployDollar(around.chain.rpcUrl)
    const settings = { ...(await ownContracts()), DOLLAR_ADDRESS: localDollar, DOLLAR_DAILY_CAP: '250' }
    const { chain, lines } = await connected(settings)
    expect(await dollarsOf(chain)).toEqual([localDollar, 250_000_000n])
    expect(lines.join('\n')).not.toContain('no dollars')
    expect(await dollarsOf((await connected(settings)).chain)).toEqual([localDollar, 250_000_000n])
  })

  test('of the embedded chain take the coin that it has made', async () => {
    const DATA_DIR = await mkdtemp(join(tmpdir(), 'bounty-marketplace-dollars-'))
    onTestFinished(() => rm(DATA_DIR, { recursive: true, force: true }))
    const { DATABASE_URL } = await ownContracts()
    const { chain, close } = await connected({
      DATABASE_URL,
      DATA_DIR,
      EMBEDDED: 'auto',
      EMBEDDED_CHAIN_PORT: String(await choosePort()),
      CHAIN_RPC_URL: undefined,
      OPERATOR_PRIVATE_KEYS: undefined,
      PLATFORM_WALLET_ADDRESS: undefined,
    })
    expect(await dollarsOf(chain)).toEqual([localDollar, 5_000_000_000n])
    await close()
  })

  test('of this database stay in use where a new version or another setting would make others', async () => {
    const settings = await ownContracts()
    const first = await connected(settings)
    const second = await connected({ ...settings, BOUNTY_RESERVE_BPS: '2000' })
    expect(second.chain?.platformWallet).toBe(first.chain?.platformWallet)
  })

  test('are not touched with the key of a lane, whose nonces are the lane’s', async () => {
    const settings = await ownContracts()
    const first = await connected(settings)
    const { address } = privateKeyToAccount(settings.OPERATOR_PRIVATE_KEYS)
    const chainId = first.chain?.id as number
    await first.connections.db
      .insertInto('lanes')
      .values({ chain_id: chainId, address: address.toLowerCase(), next_nonce: 7 })
      .execute()
    const added = generatePrivateKey()
    const changed = { ...settings, OPERATOR_PRIVATE_KEYS: `${settings.OPERATOR_PRIVATE_KEYS},${added}` }
    const text =
      `needed, because operator ${privateKeyToAddress(added)} has to be added, ` +
      `and operator ${address} is busy paying`
    expect(await refusal(changed)).toBe(`setting DEPLOYER_PRIVATE_KEY: ${text}`)
    const findings = await checkConfiguration({ ...around.settings, ...changed })
    expect(findings).toContainEqual({ level: 'wrong', about: 'DEPLOYER_PRIVATE_KEY', text })
  })

  test('of another owner get no operator by the deployer: the start prints the call, and ends', async () => {
    const settings = await ownContracts()
    const owner = await around.chain.fundedAccount()
    const operator = privateKeyToAddress(settings.OPERATOR_PRIVATE_KEYS)
    const lines: string[] = []
    const config = readConfig({ ...around.settings, ...settings, OWNER_ADDRESS: owner.address })
    const { connectChain, close } = await connect(config, log, (line) => lines.push(line))
    onTestFinished(close)
    for (const start of ['the first', 'another'])
      await expect(connectChain(), start).rejects.toThrow(
        new RegExp(`^setting OPERATOR_PRIVATE_KEYS: ${operator} is not an operator of [^\\n]*$`),
      )
    const line = lines.find((one) => one.startsWith(`operator ${operator} is missing`)) ?? ''
    const [, to, data] = /has to send (0x\w+) the call (0x\w+)$/.exec(line) ?? []
    await around.chain.send(owner, { to: to as Address, data: data as Hex })
    expect((await connectChain())?.platformWallet).toBe(to)
  })
})

test('a node that does not answer is gone on without, while another one does', async () => {
  const dead = `http://127.0.0.1:${await choosePort()}`
  const { chain, lines } = await connected({ CHAIN_RPC_URL: `${dead},${around.chain.rpcUrl}` })
  expect(lines.join('\n')).toMatch(/Address 1 of CHAIN_RPC_URL does not answer .*going on without it/)
  expect(chain?.id).toBe(31_337)
})

test('a chain that turns out to be another one is an alarm, and nothing is done on it', async () => {
  const lines: { level: number; msg: string; reason?: string }[] = []
  const loud = pino({ level: 'info' }, { write: (line) => void lines.push(JSON.parse(line)) })
  let isThere = false
  const settings = { ...around.settings, CHAIN_ID: '31337', CHAIN_RPC_URL: await strangeNode(() => isThere) }
  const { connections, reachChain, close } = await connect(readConfig(settings), loud, () => undefined)
  onTestFinished(close)
  const { chain } = connections

  await reachChain()
  expect(chain.state).toBe('unreachable')
  expect(() => chain.require()).toThrow('has not responded since the service started')
  isThere = true
  await until(() => chain.state === 'misconfigured')
  expect(lines).toContainEqual(
    expect.objectContaining({
      level: pino.levels.values.error,
      msg: expect.stringMatching(/^NEEDS OPERATOR/),
      reason: 'setting CHAIN_RPC_URL: address 1 serves chain 5, but CHAIN_ID says 31337',
    }),
  )
  expect(() => chain.require()).toThrow('has not responded since the service started')
})
