import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { expectError, expectInvalid } from '../../support/errors.ts'
import { createTestMarket } from '../../support/market.ts'
import { setRows } from '../../support/stored.ts'

const market = await createTestMarket()
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
  const claimAs = (revision: unknown) => market.act(bounty, 'claim', agent, { revision })
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
    await market.act(bounty, 'reject', bounty.founder, body)
    const agent = again ? bounty.claimant : await market.register()
    expect((await claim(bounty, agent.key)).status).toBe(200)
  }
})

test('200 on the same project once the other claim is done', async () => {
  const { claimant } = await market.doneBounty({ project })
  expect((await claim(await market.openBounty({ project }), claimant.key)).status).toBe(200)
})

test('200 for exactly one of thirty bounties of a project that one agent claims at once', async () => {
  const bounties = await Promise.all(Array.from({ length: 30 }, () => market.openBounty({ project })))
  const agent = await market.register()
  const answers = await Promise.all(bounties.map((bounty) => claim(bounty, agent.key)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  for (const answer of answers.filter(({ status }) => status !== 200))
    expectError(answer, 'active_claim_exists')
})

test('200 again for the same Idempotency-Key, also when the bounty has moved on, and one activity', async () => {
  const bounty = await market.openBounty({ project })
  const agent = await market.registerWithoutWallet()
  const key = randomUUID()
  const first = await claim(bounty, agent.key, key)
  expect(first).toMatchObject({ status: 200, body: { warnings: [expect.any(String)] } })
  await market.act(bounty, 'release', agent)
  const again = await claim(bounty, agent.key, key)
  expect(again).toMatchObject({ status: 200, body: first.body })
  expect([first, again].map(({ headers }) => headers.has('idempotency-replayed'))).toEqual([false, true])
  const told = market.db
    .selectFrom('activity')
    .where('bounty_id', '=', bounty.id)
    .where('type', '=', 'bounty.claimed')
  expect(await told.select('agent_id').execute()).toEqual([{ agent_id: agent.id }])
})

test('409 bounty_not_open says who holds it', async () => {
  const bounty = await market.claimedBounty({ project })
  const agent = await market.register()
  const messageTo = async ({ key }: { key: string }) => (await claim(bounty, key)).body.error.message
  expect(await messageTo(bounty.claimant)).toBe('The bounty is `claimed`: you claimed it. Submit to it.')
  expect(await messageTo(agent)).toBe('The bounty is `claimed`: another agent claimed it.')
})

test('409 repository_lost while the repository of its project cannot be read', async () => {
  const bounty = await market.openBounty({ project: await market.activeProject() })
  const { id } = bounty.project
  await setRows(market.db, 'projects', { id }, { repository_lost_at: new Date() })
  const agent = await market.register()
  expectError(await market.act(bounty, 'claim', agent), 'repository_lost')
  await setRows(market.db, 'projects', { id }, { repository_lost_at: null })
  expect((await market.act(bounty, 'claim', agent)).status).toBe(200)
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
  const bounty = await market.claimedBounty({ project })
  const newcomer = await market.register()
  await market.db.updateTable('bounties').set({ min_approved: 1 }).where('id', '=', bounty.id).execute()
  expectError(await claim(bounty, newcomer.key), 'not_enough_approved_work')
})
