import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { afterAll, describe, expect, test } from 'vitest'
import { createAgents } from '../../support/agents.ts'
import { expectError, expectInvalid } from '../../support/errors.ts'
import { createTestMarket } from '../../support/market.ts'
import { claimTerms } from '../../support/rows.ts'

const warnings: string[] = []
const log = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(line) })
const market = await createTestMarket({ log })
afterAll(market.close)
const project = await market.activeProject()

const claim = ({ id }: { id: string }, key?: string, idempotencyKey?: string) =>
  market.api('POST', `/api/bounties/${id}/claim`, {
    key,
    ...(idempotencyKey && { headers: { 'idempotency-key': idempotencyKey } }),
  })

test('200 claimed by the caller', async () => {
  const [bounty, agent] = await Promise.all([market.openBounty({ project }), market.register()])
  const { status, body } = await claim(bounty, agent.key)
  expect(status).toBe(200)
  expect(body).toEqual({ bounty: { id: bounty.id, status: 'claimed', claimed_by: agent.id } })
  const { body: after } = await market.api('GET', `/api/bounties/${bounty.id}`)
  expect(after.bounty.status).toBe('claimed')
})

test('409 bounty_changed unless the named revision is the newest one, and nothing is claimed', async () => {
  const [bounty, agent] = await Promise.all([market.openBounty({ project }), market.register()])
  const claimAs = (revision: unknown) =>
    market.api('POST', `/api/bounties/${bounty.id}/claim`, { key: agent.key, body: { revision } })
  const title = 'Add modulo'
  await market.api('PATCH', `/api/bounties/${bounty.id}`, { key: bounty.founder.key, body: { title } })
  for (const revision of [1, 3]) {
    const refused = await claimAs(revision)
    expectError(refused, 'bounty_changed')
    expect(refused.body.error.message).toContain('{"revision":2}')
  }
  for (const revision of [0, '2', 1.5]) expectInvalid(await claimAs(revision), 'revision')
  const { events } = (await market.api('GET', `/api/bounties/${bounty.id}/timeline`, { key: agent.key })).body
  expect(events.map(({ type }: { type: string }) => type)).toEqual(['bounty.created', 'bounty.updated'])
  const { status, body } = await claimAs(2)
  expect(status).toBe(200)
  expect(body).toEqual({ bounty: { id: bounty.id, status: 'claimed', claimed_by: agent.id } })
})

test('200 with a warning for a caller without a wallet', async () => {
  const [bounty, agent] = await Promise.all([market.openBounty({ project }), market.registerWithoutWallet()])
  const { status, body } = await claim(bounty, agent.key)
  expect(status).toBe(200)
  expect(body).toEqual({
    bounty: { id: bounty.id, status: 'claimed', claimed_by: agent.id },
    warnings: [expect.stringContaining('PATCH /api/agents/me/wallet')],
  })
})

test('200 for a bounty on each of two projects', async () => {
  const claimant = await market.register()
  for (const bounty of [await market.openBounty({ project }), await market.openBounty()])
    expect((await claim(bounty, claimant.key)).status).toBe(200)
})

test('200 after a rejection, for the previous claimant and for others', async () => {
  for (const again of [true, false]) {
    const bounty = await market.bountyInReview({ project })
    const body = { review_notes: 'No.' }
    await market.api('POST', `/api/bounties/${bounty.id}/reject`, { key: bounty.founder.key, body })
    const agent = again ? bounty.claimant : await market.register()
    expect((await claim(bounty, agent.key)).status).toBe(200)
  }
})

test('200 on the same project once the other claim is done', async () => {
  const { claimant } = await market.doneBounty({ project })
  expect((await claim(await market.openBounty({ project }), claimant.key)).status).toBe(200)
})

describe('races', () => {
  test('200 for exactly one of thirty bounties of a project that one agent claims at once', async () => {
    const bounties = await Promise.all(Array.from({ length: 30 }, () => market.openBounty({ project })))
    const agent = await market.register()
    const answers = await Promise.all(bounties.map((bounty) => claim(bounty, agent.key)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const answer of answers.filter(({ status }) => status !== 200))
      expectError(answer, 'active_claim_exists')
  })
})

describe('with an Idempotency-Key', () => {
  const step = (
    { id }: { id: string },
    change: { status: 'open' | 'in_review'; claimed_by?: null; claimed_at?: null },
  ) =>
    market.db
      .updateTable('bounties')
      .set({ ...change, ...claimTerms(change.status) })
      .where('id', '=', id)
      .execute()
  const reopen = async (bounty: { id: string }) => {
    await step(bounty, { status: 'in_review' })
    await step(bounty, { status: 'open', claimed_by: null, claimed_at: null })
  }
  const replayed = ({ headers }: { headers: Headers }) => headers.has('idempotency-replayed')

  test('200 again with the same response, also when the bounty has moved on, and one activity', async () => {
    const [bounty, agent] = await Promise.all([
      market.openBounty({ project }),
      market.registerWithoutWallet(),
    ])
    const key = randomUUID()
    const first = await claim(bounty, agent.key, key)
    expect(first).toMatchObject({
      status: 200,
      body: { bounty: { claimed_by: agent.id }, warnings: [expect.any(String)] },
    })
    await step(bounty, { status: 'in_review' })
    const again = await claim(bounty, agent.key, key)
    expect(again).toMatchObject({ status: 200, body: first.body })
    expect([first, again].map(replayed)).toEqual([false, true])
    const told = market.db
      .selectFrom('activity')
      .where('bounty_id', '=', bounty.id)
      .where('type', '=', 'bounty.claimed')
    expect(await told.select('agent_id').execute()).toEqual([{ agent_id: agent.id }])
  })

  test('200 for fifty at once with one key, and one claim', async () => {
    const [bounty, agent] = await Promise.all([market.openBounty({ project }), market.register()])
    const key = randomUUID()
    const answers = await Promise.all(Array.from({ length: 50 }, () => claim(bounty, agent.key, key)))
    for (const { status, body } of answers)
      expect({ status, body }).toEqual({
        status: 200,
        body: { bounty: { id: bounty.id, status: 'claimed', claimed_by: agent.id } },
      })
    expect(answers.filter((answer) => !replayed(answer))).toHaveLength(1)
  })

  test('200 for exactly one of fifty agents, which gets its response again; the others are refused again', async () => {
    const bounty = await market.openBounty({ project })
    const agents = (await createAgents(market.db, 50)).map((agent) => ({
      ...agent,
      idempotencyKey: randomUUID(),
    }))
    const claims = () =>
      Promise.all(agents.map(({ key, idempotencyKey }) => claim(bounty, key, idempotencyKey)))
    const first = await claims()
    expect(first.filter(({ status }) => status === 200)).toHaveLength(1)
    const again = await claims()
    expect(again.filter(replayed).map(({ body }) => body)).toEqual(
      first.filter(({ status }) => status === 200).map(({ body }) => body),
    )
    for (const response of again.filter(({ status }) => status !== 200))
      expectError(response, 'bounty_not_open')
  })

  test('409 active_claim_exists and bounty_not_open, and 200 under the same key once the claim is possible', async () => {
    const held = await market.claimedBounty({ project })
    const [bounty, stranger] = [await market.openBounty({ project }), await market.register()]
    const [key, others] = [randomUUID(), randomUUID()]
    const tries = async () => [
      await claim(bounty, held.claimant.key, key),
      await claim(held, stranger.key, others),
    ]
    const first = await tries()
    expect(first.map(({ body }) => body.error.code)).toEqual(['active_claim_exists', 'bounty_not_open'])
    await reopen(held)
    expect((await tries()).map(({ status }) => status)).toEqual([200, 200])
    const { body } = await market.api('GET', `/api/bounties/${bounty.id}`)
    expect(body.bounty.status).toBe('claimed')
  })

  test('422 idempotency_key_reused for another bounty, which stays open; nobody need be warned', async () => {
    const [first, second] = [await market.openBounty({ project }), await market.openBounty()]
    const [agent, key] = [await market.register(), randomUUID()]
    expect((await claim(first, agent.key, key)).status).toBe(200)
    warnings.length = 0
    expectError(await claim(second, agent.key, key), 'idempotency_key_reused')
    expect(warnings).toEqual([])
    const { body } = await market.api('GET', `/api/bounties/${second.id}`)
    expect(body.bounty.status).toBe('open')
  })
})

test('409 bounty_not_open says who holds it', async () => {
  const bounty = await market.claimedBounty({ project })
  const agent = await market.register()
  const messageTo = async ({ key }: { key: string }) => (await claim(bounty, key)).body.error.message
  expect(await messageTo(bounty.claimant)).toBe('The bounty is `claimed`: you claimed it. Submit to it.')
  expect(await messageTo(agent)).toBe('The bounty is `claimed`: another agent claimed it.')
})

test('409 active_claim_exists while another bounty of the project is claimed or in review', async () => {
  for (const held of [await market.claimedBounty({ project }), await market.bountyInReview({ project })]) {
    const bounty = await market.openBounty({ project })
    const refused = await claim(bounty, held.claimant.key)
    expectError(refused, 'active_claim_exists')
    expect(refused.body.error.message).toContain(held.id)
    const { body } = await market.api('GET', `/api/bounties/${bounty.id}`)
    expect(body.bounty.status).toBe('open')
  }
})

test('403 not_enough_approved_work also for a bounty that is taken', async () => {
  const [bounty, newcomer] = [await market.claimedBounty({ project }), await market.register()]
  await market.db.updateTable('bounties').set({ min_approved: 1 }).where('id', '=', bounty.id).execute()
  expectError(await claim(bounty, newcomer.key), 'not_enough_approved_work')
})

test('409 claim_dismissed after the founder has ended a claim of the agent', async () => {
  const bounty = await market.claimedBounty({ project })
  const body = { review_notes: 'No work.' }
  await market.api('POST', `/api/bounties/${bounty.id}/dismiss`, { key: bounty.founder.key, body })
  expectError(await claim(bounty, bounty.claimant.key), 'claim_dismissed')
  expect((await claim(bounty, (await market.register()).key)).status).toBe(200)
})

test('409 claimed_too_often for an agent that has given it up three times', async () => {
  const [bounty, agent] = [await market.openBounty({ project }), await market.register()]
  for (let time = 0; time < 3; time++) {
    expect((await claim(bounty, agent.key)).status).toBe(200)
    await market.api('POST', `/api/bounties/${bounty.id}/release`, { key: agent.key })
  }
  expectError(await claim(bounty, agent.key), 'claimed_too_often')
})
