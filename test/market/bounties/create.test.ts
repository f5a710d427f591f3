import { randomUUID } from 'node:crypto'
import { describe, expect, onTestFinished, test } from 'vitest'
import { tokenUnit } from '../../../server/money/chain/units.ts'
import { expectError, expectInvalid } from '../../support/errors.ts'
import { createTestMarket } from '../../support/market.ts'
import { until } from '../../support/until.ts'
import { idOf, isoTime } from '../../support/values.ts'

const market = await createTestMarket({ proxied: true })
const project = await market.activeProject()

const fields = { title: 'Add division', description: 'Without remainder.', reward_amount: 100 }
const create = (body: unknown, { id, founder }: { id: string; founder: { key: string } } = project) =>
  market.api('POST', `/api/projects/${id}/bounties`, { key: founder.key, body })

test('201 open and of medium difficulty by default', async () => {
  const { status, body } = await create(fields)
  expect(status).toBe(201)
  expect(body).toEqual({
    bounty: {
      id: idOf('bnt_'),
      project_id: project.id,
      ...fields,
      difficulty: 'medium',
      status: 'open',
      created_at: isoTime,
    },
  })
})

test.each(['easy', 'medium', 'hard', 'extreme', null])('201 of difficulty %s', async (difficulty) => {
  const { status, body } = await create({ ...fields, difficulty })
  expect({ status, difficulty: body.bounty.difficulty }).toEqual({
    status: 201,
    difficulty: difficulty ?? 'medium',
  })
})

test('201 with the longest texts', async () => {
  const longest = { title: '🦀'.repeat(200), description: 'é'.repeat(2000) }
  const { status, body } = await create({ ...fields, ...longest })
  expect(status).toBe(201)
  expect(body.bounty).toMatchObject(longest)
})

describe('funds', () => {
  test('400 insufficient_funds names the figures, and what earlier bounties were promised', async () => {
    // A tenth of the supply is reserved for bounties.
    const fresh = await market.activeProject({ token_supply: 10_000 })
    const messageOf = async (reward_amount: number) =>
      (await create({ ...fields, reward_amount }, fresh)).body.error.message
    const alone = await messageOf(1001)
    for (const figure of ['1001', '1000 available', '0 committed']) expect(alone).toContain(figure)
    await create({ ...fields, reward_amount: 900 }, fresh)
    const together = await messageOf(101)
    for (const figure of ['101', '100 available', '900 committed', '1000']) expect(together).toContain(figure)
    expect(together).not.toMatch(/does not cover/)
    // The curve has the other 9,000.
    expect(await messageOf(9100)).toContain('buy 9000 tokens')
    expect(await messageOf(9101)).toMatch(/curve has only 9000 left. Lower|curve has only 9000 left, then/)
    // Both are short by one token: the request that quotes it, and the one that raises the allowance, work as they stand.
    const key = fresh.founder.key
    const [, path] = /\(GET (\S+)/.exec(together) ?? []
    const quoted = await market.api('GET', path as string, { key })
    expect(quoted.body.market.purchase_quote).toMatchObject({ amount: '1' })
    const [, change, body] = /POST (\S+) (\{.*?\})/.exec(together) ?? []
    const headers = { 'idempotency-key': randomUUID() }
    const raised = await market.api('POST', change as string, {
      key,
      headers,
      body: JSON.parse(body as string),
    })
    expect(raised.body.allowance).toMatchObject({ amount: '1001' })
    expect((await create({ ...fields, reward_amount: 100 }, fresh)).status).toBe(201)
  })

  test('201 for the last token, 400 insufficient_funds for one more', async () => {
    const fresh = await market.activeProject({ token_supply: 1000 })
    expectError(await create({ ...fields, reward_amount: 101 }, fresh), 'insufficient_funds')
    expect((await create({ ...fields, reward_amount: 60 }, fresh)).status).toBe(201)
    expectError(await create({ ...fields, reward_amount: 41 }, fresh), 'insufficient_funds')
    expect((await create({ ...fields, reward_amount: 40 }, fresh)).status).toBe(201)
    expectError(await create({ ...fields, reward_amount: 1 }, fresh), 'insufficient_funds')
  })

  test('201 again once a rejected bounty is not counted twice', async () => {
    const fresh = await market.activeProject({ token_supply: 1000 })
    const bounty = await market.bountyInReview({ project: fresh, reward_amount: 60 })
    const path = `/api/bounties/${bounty.id}/reject`
    await market.api('POST', path, { key: fresh.founder.key, body: { review_notes: 'No tests.' } })
    expect((await create({ ...fields, reward_amount: 40 }, fresh)).status).toBe(201)
    expectError(await create({ ...fields, reward_amount: 1 }, fresh), 'insufficient_funds')
  })

  test('400 insufficient_funds for tokens that are paid already', async () => {
    const fresh = await market.activeProject({ token_supply: 2000 })
    await market.doneBounty({ project: fresh })
    expectError(await create({ ...fields, reward_amount: 101 }, fresh), 'insufficient_funds')
    expect((await create({ ...fields, reward_amount: 100 }, fresh)).status).toBe(201)
  })

  test('400 insufficient_funds for tokens that are paid after the chain was read', async () => {
    const fresh = await market.activeProject({ token_supply: 1000 })
    const bounty = await market.bountyInReview({ project: fresh, reward_amount: 100 })
    const other = await createTestMarket({ proxied: true, sharing: market, engines: false })
    const funds = other.chainProxy.hold()
    onTestFinished(funds.release)
    const path = `/api/projects/${fresh.id}/bounties`
    const second = other.api('POST', path, {
      key: fresh.founder.key,
      body: { ...fields, reward_amount: 1 },
    })
    // Balance and allowance of the founder, and what the curve has.
    await until(() => funds.count() === 4)
    const paid = await market.act(bounty, 'approve', fresh.founder, {})
    expect(paid.status).toBe(200)
    funds.release()
    expectError(await second, 'insufficient_funds')
  })

  test('400 insufficient_funds for tokens that are there but not allowed, 201 once they are', async () => {
    const account = await market.chain.fundedAccount()
    const founder = await market.register({ wallet_address: account.address })
    const own = await market.activeProject({ founder, token_supply: 1000 })
    await market.chain.buy(account, own.curve_address, 50n * tokenUnit)
    expectError(await create({ ...fields, reward_amount: 150 }, own), 'insufficient_funds')
    await market.chain.approve(account, own.token_address, 150n * tokenUnit - 1n)
    expectError(await create({ ...fields, reward_amount: 150 }, own), 'insufficient_funds')
    await market.chain.approve(account, own.token_address, 150n * tokenUnit)
    expect((await create({ ...fields, reward_amount: 150 }, own)).status).toBe(201)
  })

  test('400 insufficient_funds for the greatest reward there is', async () => {
    expectError(await create({ ...fields, reward_amount: Number.MAX_SAFE_INTEGER }), 'insufficient_funds')
  })

  test('201 for ten of thirty at once if ten can be paid', async () => {
    const fresh = await market.activeProject({ token_supply: 1000 })
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => create({ ...fields, reward_amount: 10 }, fresh)),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(10)
    for (const refused of answers.filter(({ status }) => status !== 201))
      expectError(refused, 'insufficient_funds')
  })
})

test('400 validation_failed before 404 and 403', async () => {
  const stranger = await market.register()
  const refused = await create({}, { id: 'nothing', founder: stranger })
  expectInvalid(refused, 'title', 'description', 'reward_amount')
})
