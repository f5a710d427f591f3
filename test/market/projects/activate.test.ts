import { sql } from 'kysely'
import { type Address, type Hex, parseEther } from 'viem'
import { describe, expect, test } from 'vitest'
import type { ErrorCode } from '../../../server/errors.ts'
import { projectToken } from '../../../server/money/chain/generated/contracts.ts'
import { projectKeyOf } from '../../../server/money/chain/on-chain-ids.ts'
import type { Api, ApiResponse } from '../../support/api.ts'
import { expectError } from '../../support/errors.ts'
import { createTestMarket, type TestMarket } from '../../support/market.ts'
import type { TestProject } from '../../support/scenarios.ts'
import { readRow } from '../../support/stored.ts'
import { until } from '../../support/until.ts'

const unit = 10n ** 18n
/** The status of the code host's refusals to create a repository. */
let refusal: number | undefined
const market = await createTestMarket({
  onGitHubRequest: async (request) =>
    refusal !== undefined && request.method === 'POST' && request.path.endsWith('/repos')
      ? {
          status: refusal,
          headers: {},
          body: { message: 'Resource not accessible', documentation_url: 'https://docs' },
        }
      : undefined,
})

const activateOn = (api: Api, { id }: { id: string }, key?: string, headers?: Record<string, string>) =>
  api('POST', `/api/projects/${id}/activate`, { key, headers })
const activate = (project: { id: string }, key?: string) => activateOn(market.api, project, key)

const activationOf = ({ id }: { id: string }) =>
  market.db.selectFrom('activations').selectAll().where('project_id', '=', id).executeTakeFirstOrThrow()

const readToken = (token: string, functionName: 'founder' | 'symbol' | 'totalSupply' | 'bountyReserve') =>
  market.chain.node.readContract({ abi: projectToken.abi, address: token as Address, functionName })

describe('200', () => {
  test('200 with a repository, a token and a curve that are really there', async () => {
    const project = await market.proposedProject()
    const { status, body } = await activate(project, project.founder.key)
    expect(status).toBe(200)
    expect(body).toEqual({
      project: {
        id: project.id,
        name: 'Calculator',
        status: 'active',
        repo_url: expect.stringContaining(`${market.github.webUrl}/test-organization/calculator-`),
        token_address: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/),
        curve_address: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/),
      },
    })
    const { repo_url, token_address, curve_address } = body.project
    expect((await fetch(repo_url)).status).toBe(200)
    expect(await readToken(token_address, 'founder')).toBe(project.founder.wallet_address)
    expect(await readToken(token_address, 'symbol')).toBe('CALC')
    expect(await readToken(token_address, 'totalSupply')).toBe(1_000_000n * unit)
    expect(await readToken(token_address, 'bountyReserve')).toBe(100_000n * unit)
    expect(await market.chain.balanceOf(token_address, curve_address)).toBe(900_000n * unit)
    const read = await market.api('GET', `/api/projects/${project.id}`)
    expect(read.body.project).toMatchObject({ status: 'active', repo_url, token_address, curve_address })
  })

  test('200 for names of any script and length, and symbols of 20 characters', async () => {
    const founder = await market.register()
    for (const name of ['计算器', '🦊'.repeat(200), '<script>alert(1)</script>', '../../etc/passwd']) {
      const body = { name, description: 'd', token_symbol: 'A'.repeat(20), token_supply: 1 }
      const { body: created } = await market.api('POST', '/api/projects', { key: founder.key, body })
      expect((await activate(created.project, founder.key)).status).toBe(200)
    }
  })

  test('200 for the smallest and the largest supply', async () => {
    for (const token_supply of [1, 1_000_000_000_000]) {
      const project = await market.activeProject({ token_supply })
      expect(await readToken(project.token_address, 'totalSupply')).toBe(BigInt(token_supply) * unit)
    }
  })

  test('200 for exactly one of twenty activations at once; one repository, one token', async () => {
    const project = await market.proposedProject()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => activate(project, project.founder.key)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const answer of answers.filter(({ status }) => status !== 200))
      expect(['activation_in_progress', 'project_already_active']).toContain(answer.body.error.code)
    const deploys = await market.db
      .selectFrom('transactions')
      .select('status')
      .where('entity_id', '=', project.id)
      .execute()
    expect(deploys).toEqual([{ status: 'confirmed' }])
  })
})

test('400 wallet_missing', async () => {
  const founder = await market.registerWithoutWallet()
  const project = await market.proposedProject(founder)
  expectError(await activate(project, founder.key), 'wallet_missing')
})

test('409 project_already_active', async () => {
  const project = await market.activeProject()
  expectError(await activate(project, project.founder.key), 'project_already_active')
})

test.each([
  ['502 repository_failed', 422],
  ['502 repository_unauthorized', 403],
  ['502 repository_blocked', 451],
] as const)('%s leaves the project proposed, and 200 afterwards', async (outcome, status) => {
  const project = await market.proposedProject()
  refusal = status
  expectError(await activate(project, project.founder.key), outcome.split(' ')[1] as ErrorCode)
  refusal = undefined
  const { body } = await market.api('GET', `/api/projects/${project.id}`)
  expect(body.project.status).toBe('proposed')
  expect((await activate(project, project.founder.key)).status).toBe(200)
})

test('502 deployment_failed when the chain refuses, and 200 afterwards with the wallet of then', async () => {
  const project = await market.proposedProject()
  const deployer = market.services.chain.require().operators[0]?.address as Address
  const predicted = await market.services.chain
    .require()
    .predictProject(deployer, projectKeyOf(project.id) as Hex)
  const setWallet = (wallet_address?: string | null) =>
    market.api('PATCH', '/api/agents/me/wallet', { key: project.founder.key, body: { wallet_address } })
  // The one founder that the factory refuses and nobody can know to be reserved: the curve to come.
  await setWallet(predicted?.curve)
  expectError(await activate(project, project.founder.key), 'deployment_failed')
  const { body } = await market.api('GET', `/api/projects/${project.id}`)
  expect(body.project.status).toBe('proposed')
  await setWallet(project.founder.wallet_address)
  const active = await activate(project, project.founder.key)
  expect(active.status).toBe(200)
  expect(await readToken(active.body.project.token_address, 'founder')).toBe(project.founder.wallet_address)
})

describe('the operator keys pay the gas:', () => {
  async function onOther(settings: Record<string, string>, work: (other: TestMarket) => Promise<void>) {
    const other = await createTestMarket({ sharing: market, settings })
    await market.stopEngines()
    await work(other).finally(async () => {
      market.startEngines()
      await other.close()
    })
  }
  const statusOf = async ({ id }: { id: string }) =>
    (await market.api('GET', `/api/projects/${id}`)).body.project.status

  test('429 activation_limit_reached says when the next one is free; a failed one does not count', async () => {
    await onOther({ RATE_LIMITS: 'on', ACTIVATIONS_PER_DAY: '2' }, async (other) => {
      const founder = await market.register()
      const projects = await Promise.all(Array.from({ length: 4 }, () => market.proposedProject(founder)))
      const [failed, first, second, third] = projects as [TestProject, TestProject, TestProject, TestProject]
      const ask = (project: TestProject) => activateOn(other.api, project, founder.key)
      refusal = 422
      expectError(await ask(failed), 'repository_failed')
      refusal = undefined
      const together = await Promise.all([first, second, third].map(ask))
      expect(together.map(({ status }) => status).sort()).toEqual([200, 200, 429])
      const refused = together.find(({ status }) => status === 429) as ApiResponse
      expectError(refused, 'activation_limit_reached')
      const wait = Number(refused.headers.get('retry-after'))
      expect(wait).toBeGreaterThan(86_000)
      expect(wait).toBeLessThanOrEqual(86_400)
      const active = [first, second, third].filter((_, index) => together[index]?.status === 200)
      await market.db
        .updateTable('activations')
        .set({ started_at: new Date(Date.now() - 86_401_000) })
        .where('project_id', '=', active[0]?.id as string)
        .execute()
      expect((await ask(failed)).status).toBe(200)
      const [left] = [first, second, third].filter((project) => !active.includes(project))
      expectError(await ask(left as TestProject), 'activation_limit_reached')
    })
  })

  test('503 activations_unavailable when the gas of a day is used up, with no repository', async () => {
    const project = await market.proposedProject()
    await onOther({ ACTIVATION_GAS_ETH_PER_DAY: '0.0000001' }, async (other) => {
      expectError(await activateOn(other.api, project, project.founder.key), 'activations_unavailable')
    })
    expect(await statusOf(project)).toBe('proposed')
    expect(await activationOf(project)).toMatchObject({ repo_url: null, gas_reserved_wei: '0' })
    expect((await activate(project, project.founder.key)).status).toBe(200)
  })

  test('503 activations_unavailable while no operator key can fund enough payouts', async () => {
    const project = await market.proposedProject()
    const address = market.services.chain.require().operators[0]?.address as Address
    const balance = await market.chain.node.getBalance({ address })
    await onOther({ LOW_GAS_PAYOUTS: '1000000' }, async (other) => {
      await market.chain.node.setBalance({ address, value: parseEther('1') })
      expectError(await activateOn(other.api, project, project.founder.key), 'activations_unavailable')
      await market.chain.node.setBalance({ address, value: balance })
    })
    expect(await statusOf(project)).toBe('proposed')
  })

  test('200 without any budget where the contracts are deployed already', async () => {
    const project = await market.activeProject()
    await market.db.transaction().execute(async (trx) => {
      await sql`set local session_replication_role = replica`.execute(trx)
      const addresses = { repo_url: null, repository_id: null, token_address: null, curve_address: null }
      await trx
        .updateTable('projects')
        .set({ ...addresses, status: 'proposed', founder_wallet: null })
        .where('id', '=', project.id)
        .execute()
      await trx
        .updateTable('activations')
        .set({ status: 'failed', error_code: 'deployment_failed', error: 'lost', transaction_id: null })
        .where('project_id', '=', project.id)
        .execute()
      const { id } = await trx
        .deleteFrom('transactions')
        .where('entity_id', '=', project.id)
        .returning('id')
        .executeTakeFirstOrThrow()
      await trx.deleteFrom('transaction_attempts').where('transaction_id', '=', id).execute()
    })
    await onOther({ ACTIVATION_GAS_ETH_PER_DAY: '0.0000001' }, async (other) => {
      const { status, body } = await activateOn(other.api, project, project.founder.key)
      expect(status).toBe(200)
      expect(body.project.token_address).toBe(project.token_address)
    })
  })

  test('the budget counts what a deployment has cost, no longer what it could cost', async () => {
    const project = await market.activeProject()
    const { hash } = await market.db
      .selectFrom('transactions')
      .innerJoin('transaction_attempts', 'transaction_attempts.transaction_id', 'transactions.id')
      .select('hash')
      .where('entity_id', '=', project.id)
      .executeTakeFirstOrThrow()
    const { gasUsed, effectiveGasPrice } = await market.chain.node.getTransactionReceipt({
      hash: hash as Hex,
    })
    const { gas_reserved_wei } = await activationOf(project)
    expect(BigInt(gas_reserved_wei)).toBe(gasUsed * effectiveGasPrice)
  })

  test('the longest name costs less gas than is reserved', async () => {
    const project = await market.activeProject({ name: '🦊'.repeat(200) })
    const { gas_limit } = await readRow(market.db, 'transactions', { entity_id: project.id })
    // A gas limit is an estimate and a quarter.
    expect((Number(gas_limit) * 4) / 5).toBeLessThan(1_000_000)
  })
})

describe('while the loops stand still', () => {
  const isServed = async (project: { id: string }) => {
    const { db } = market
    const row = db.selectFrom('activations').select('served_by').where('project_id', '=', project.id)
    return (await row.executeTakeFirst())?.served_by != null
  }

  test('409 activation_in_progress while another activation is served', async () => {
    const project = await market.proposedProject()
    await market.stopEngines()
    const first = activate(project, project.founder.key)
    await until(() => isServed(project))
    expectError(await activate(project, project.founder.key), 'activation_in_progress')
    market.startEngines()
    expect((await first).status).toBe(200)
  })

  test('409 idempotency_in_progress for the same Idempotency-Key while the first request waits, then its response', async () => {
    const project = await market.proposedProject()
    const ask = () => activateOn(market.api, project, project.founder.key, { 'idempotency-key': project.id })
    await market.stopEngines()
    const first = ask()
    await until(() => isServed(project))
    expectError(await ask(), 'idempotency_in_progress')
    market.startEngines()
    const { status, body } = await first
    expect(status).toBe(200)
    expect((await ask()).body).toEqual(body)
  })

  test('502 activation_unconfirmed when time runs out; activating again joins it, also under the same key', async () => {
    const { config } = market.services
    const usual = config.ACTIVATE_WAIT_SECONDS
    const project = await market.proposedProject()
    const ask = (key: string) =>
      activateOn(market.api, project, project.founder.key, { 'idempotency-key': key })
    await market.stopEngines()
    config.ACTIVATE_WAIT_SECONDS = 1
    expectError(await ask('first'), 'activation_unconfirmed')
    expectError(await ask('second'), 'activation_unconfirmed')
    config.ACTIVATE_WAIT_SECONDS = usual
    market.startEngines()
    await until(async () => {
      const { body } = await market.api('GET', `/api/projects/${project.id}`)
      return body.project.status === 'active'
    })
    expect((await ask('first')).status).toBe(200)
    expect((await ask('second')).status).toBe(200)
    expectError(await ask('third'), 'project_already_active')
  })
})
