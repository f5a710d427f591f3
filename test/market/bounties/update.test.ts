import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { reviewsOn } from '../../money/payouts/support/reviews.ts'
import { expectError, expectInvalid } from '../../support/errors.ts'
import { createTestMarket } from '../../support/market.ts'
import type { TestBounty } from '../../support/scenarios.ts'

const market = await createTestMarket({ proxied: true, databaseLoops: true })
const project = await market.activeProject()
const { founder } = project
const { approve, endings } = reviewsOn(market)

const update = ({ id, founder: { key } }: Pick<TestBounty, 'id' | 'founder'>, body: unknown) =>
  market.api('PATCH', `/api/bounties/${id}`, { key, body })
const revisionsOf = async ({ id }: { id: string }) =>
  (await market.api('GET', `/api/bounties/${id}/revisions`, { key: founder.key })).body.revisions
const committed = async ({ id, founder: { key } } = project) =>
  (await market.api('GET', `/api/projects/${id}/approval-status`, { key })).body.committed
const eventsOf = ({ id }: { id: string }) =>
  market.db
    .selectFrom('activity')
    .where('bounty_id', '=', id)
    .where('type', '=', 'bounty.updated')
    .select(['agent_id', 'data'])
    .orderBy('seq')
    .execute()

test('200 with every field changed, and the specified read shows it at once', async () => {
  const bounty = await market.openBounty({ project })
  // The response cache knows it after the second reading.
  const read = () => market.api('GET', `/api/bounties/${bounty.id}`)
  await read()
  const before = await read()
  const changes = { title: 'Add modulo', description: 'Of negatives.', difficulty: 'hard', reward_amount: 70 }
  const { status, body } = await update(bounty, { ...changes, tags: ['math', 'js'] })
  expect(status).toBe(200)
  const { submissions, ...shown } = before.body.bounty
  expect(body).toEqual({
    bounty: { ...shown, ...changes },
    revision: 2,
    tags: ['math', 'js'],
    min_approved: null,
    acceptance: null,
  })
  const after = await read()
  expect(after.body.bounty).toEqual({ ...shown, ...changes, submissions })
  expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'))
  const { body: list } = await market.api('GET', `/api/bounties?project_id=${project.id}&limit=1`)
  expect(list.bounties).toEqual([body.bounty])
})

test('200 for null as for a field that is left out, and without tags for an empty list', async () => {
  const bounty = await market.openBounty({ project })
  await update(bounty, { tags: ['a'] })
  const { body } = await update(bounty, { title: null, reward_amount: null, tags: [] })
  expect(body).toMatchObject({ bounty: { title: 'Add division', reward_amount: 100 }, revision: 3, tags: [] })
})

test('200 and what is committed follows the reward, up and down', async () => {
  const own = await market.activeProject({ token_supply: 10_000 })
  const bounty = await market.openBounty({ project: own })
  await market.openBounty({ project: own, reward_amount: 300 })
  const sums: string[] = []
  for (const reward_amount of [700, 40, 41]) {
    expect((await update(bounty, { reward_amount })).status).toBe(200)
    sums.push(await committed(own))
  }
  expect(sums).toEqual(['1000', '340', '341'])
})

test('200 records what has changed, for the founder while it is open', async () => {
  const bounty = await market.openBounty({ project })
  await update(bounty, { title: 'Add modulo', description: 'Without remainder.', reward_amount: 120 })
  await update(bounty, { tags: ['math'] })
  expect(await eventsOf(bounty)).toEqual([
    {
      agent_id: founder.id,
      data: { changed: ['title', 'reward_amount'], revision: 2, old_reward: '100', new_reward: '120' },
    },
    { agent_id: founder.id, data: { changed: ['tags'], revision: 3, old_reward: '120', new_reward: '120' } },
  ])
})

test('200 and its claimant hears of a raise by `mine`, as done by the founder', async () => {
  const bounty = await market.claimedBounty({ project })
  const { key } = bounty.claimant
  const { cursor } = (await market.api('GET', '/api/events?mine=true', { key })).body
  expect((await update(bounty, { reward_amount: 130 })).status).toBe(200)
  const path = `/api/events?mine=true&wait=10&after=${cursor}&types=bounty.updated`
  expect((await market.api('GET', path, { key })).body.events).toMatchObject([
    { bounty_id: bounty.id, agent_id: founder.id, actor_id: founder.id, data: { new_reward: '130' } },
  ])
})

test('200 and whoever has asked about it hears of the change by `mine`', async () => {
  const bounty = await market.openBounty({ project })
  const { key } = await market.register({ name: 'Asker' })
  await market.act(bounty, 'comments', { key }, { text: 'Which division?' })
  const { cursor } = (await market.api('GET', '/api/events?mine=true', { key })).body
  await update(bounty, { title: 'Add integer division' })
  const path = `/api/events?mine=true&wait=10&after=${cursor}&types=bounty.updated`
  expect((await market.api('GET', path, { key })).body.events).toMatchObject([
    { type: 'bounty.updated', bounty_id: bounty.id, agent_id: founder.id, data: { changed: ['title'] } },
  ])
})

test.each(['open', 'claimed'] as const)('200 and no revision where nothing changes: %s', async (status) => {
  const bounty = await market[`${status}Bounty`]({ project })
  for (const body of [{}, { title: 'Add division', reward_amount: 100, tags: [] }])
    expect((await update(bounty, body)).body).toMatchObject({ bounty: { status }, revision: 1, tags: [] })
  expect(await eventsOf(bounty)).toEqual([])
})

test('200 and its page says which revision it is, and what has changed', async () => {
  const bounty = await market.openBounty({ project })
  const page = async () => (await fetch(`${market.baseUrl}/bounties/${bounty.id}.md`)).text()
  expect(await page()).not.toContain('Revision')
  await update(bounty, { title: 'Add modulo', reward_amount: 120 })
  await update(bounty, { tags: ['math'] })
  const text = await page()
  expect(text).toMatch(/Revision.*3, changed 2/)
  expect(text).toMatch(/The founder changed the title, reward \(revision 2\): from 100 .*CALC.* to 120/)
  expect(text).toContain('The founder changed the tags (revision 3)')
})

describe('searches', () => {
  const search = async (q: string) =>
    (await market.api('GET', `/api/bounties?q=${q}`)).body.bounties.map(({ id }: { id: string }) => id)

  test('200 and the new words are found, and the old ones no longer', async () => {
    const bounty = await market.openBounty({ project, title: 'Parse Quokka dates' })
    // The first words of a description stay while the title changes.
    await update(bounty, { description: 'For a wombat.' })
    expect([await search('quokka'), await search('WOMBAT')]).toEqual([[bounty.id], [bounty.id]])
    await update(bounty, { title: 'Parse Numbat dates' })
    for (const [word, found] of [
      ['quokka', []],
      ['numbat', [bounty.id]],
      ['wombat', [bounty.id]],
    ] as const)
      expect(await search(word)).toEqual(found)
    await update(bounty, { reward_amount: 101 })
    expect(await search('numbat')).toEqual([bounty.id])
  })
})

describe('once it is claimed', async () => {
  const once = {
    claimed: await market.claimedBounty({ project }),
    in_review: await market.bountyInReview({ project }),
  }
  const refused = [
    { title: 'Another' },
    { description: 'More.' },
    { difficulty: 'easy' },
    { tags: ['a'] },
    { reward_amount: 99 },
    { reward_amount: 200, title: 'Another' },
  ]
  test.each(Object.entries(once))('409 bounty_not_open for all but a raise: %s', async (status, bounty) => {
    for (const body of refused) {
      const response = await update(bounty, body)
      expectError(response, 'bounty_not_open')
      expect(response.body.error.message).toBe(
        `The bounty is \`${status}\`: until it is open again, you can only raise \`reward_amount\`.`,
      )
    }
    expect(await revisionsOf(bounty)).toMatchObject([{ revision: 1, reward_amount: 100 }])
  })

  test.each(Object.entries(once))('200 for a raise: %s', async (status, bounty) => {
    // What stays as it is changes nothing.
    const { body } = await update(bounty, { reward_amount: 150, title: 'Add division' })
    expect(body).toMatchObject({ bounty: { status, reward_amount: 150 }, revision: 2 })
  })

  test('409 bounty_not_open when it is done, whatever is sent', async () => {
    const bounty = await market.doneBounty({ project })
    for (const body of [{}, { title: 'Another' }, { reward_amount: 1000 }])
      expectError(await update(bounty, body), 'bounty_not_open')
  })

  test('200 for everything again once it is open again', async () => {
    const bounty = await market.bountyInReview({ project })
    await endings.rejected(bounty)
    expect((await update(bounty, { title: 'Another', reward_amount: 10 })).body).toMatchObject({
      revision: 2,
    })
  })
})

describe('payments', () => {
  const balanceOf = ({ wallet_address }: { wallet_address: string | null }) =>
    market.chain.balanceOf(project.token_address, wallet_address as string)

  test('200 and the raised reward is paid', async () => {
    const bounty = await market.bountyInReview({ project })
    await update(bounty, { reward_amount: 200 })
    expect((await approve(bounty)).status).toBe(200)
    expect(await balanceOf(bounty.claimant)).toBe(190n * 10n ** 18n)
  })

  test('409 approval_in_progress while its payout runs, and while an earlier transaction of it may still be mined', async () => {
    const still = await createTestMarket({
      sharing: market,
      engines: false,
      settings: { APPROVE_WAIT_SECONDS: '1' },
    })
    await market.stopEngines()
    onTestFinished(market.startEngines)
    const bounty = await market.bountyInReview({ project })
    expectError(await reviewsOn(still).approve(bounty), 'payout_unconfirmed')
    const raise = () => update(bounty, { reward_amount: 200 })
    expectError(await raise(), 'approval_in_progress')
    expectError(await update(bounty, { reward_amount: 50 }), 'bounty_not_open')
    // The payout has failed, and its transaction was reverted in a block that is not final.
    const id = bounty.submissionId
    const { db } = market
    await sql`update submissions set status = 'pending', accepted_by = null where id = ${id}`.execute(db)
    await sql`update payouts set status = 'failed', error_code = 'payout_failed' where submission_id = ${id}`.execute(
      db,
    )
    const lane = sql`from_address = ${`0x${'9'.repeat(40)}`}, nonce = 1, gas_limit = 1`
    await sql`update transactions set status = 'unconfirmed', ${lane} where entity_id = ${id}`.execute(db)
    expectError(await raise(), 'approval_in_progress')
    await sql`update transactions set status = 'abandoned' where entity_id = ${id}`.execute(db)
    expect((await raise()).status).toBe(200)
  })
})

describe('funds', () => {
  test('400 insufficient_funds with the figures for a raise that they do not cover, 200 to the last token', async () => {
    // A tenth of the supply is reserved for bounties.
    const own = await market.activeProject({ token_supply: 10_000 })
    const bounty = await market.openBounty({ project: own })
    await market.openBounty({ project: own, reward_amount: 300 })
    const refused = await update(bounty, { title: 'Another', reward_amount: 701 })
    expectError(refused, 'insufficient_funds')
    for (const figure of ['701', '700 available', '300 committed', '1000'])
      expect(refused.body.error.message).toContain(figure)
    expect(await revisionsOf(bounty)).toMatchObject([{ revision: 1, title: 'Add division' }])
    expect((await update(bounty, { reward_amount: 700 })).status).toBe(200)
    expectError(await update(bounty, { reward_amount: 701 }), 'insufficient_funds')
  })

  test('200 for as many raises at once as the funds cover, 400 insufficient_funds for the others', async () => {
    const own = await market.activeProject({ token_supply: 10_000 })
    const bounties = await Promise.all(
      Array.from({ length: 6 }, () => market.openBounty({ project: own, reward_amount: 100 })),
    )
    // 400 tokens are free.
    const answers = await Promise.all(bounties.map((bounty) => update(bounty, { reward_amount: 200 })))
    const refused = answers.filter(({ status }) => status !== 200)
    for (const response of refused) expectError(response, 'insufficient_funds')
    expect(refused).toHaveLength(2)
    expect(await committed(own)).toBe('1000')
  })

  test('503 chain_unreachable for a raise alone while no node responds', async () => {
    const bounty = await market.openBounty({ project })
    market.chainProxy.disconnect()
    expectError(await update(bounty, { reward_amount: 101 }), 'chain_unreachable')
    expect((await update(bounty, { reward_amount: 99 })).body).toMatchObject({ revision: 2 })
    market.chainProxy.restore()
  })
})

describe('400 validation_failed', async () => {
  const bounty = await market.openBounty({ project })
  test.each([
    ['tags', ['a', 'b', 'c', 'd', 'e', 'f']],
    ['tags', ['a', 'a']],
    ['tags.0', ['Math']],
    ['tags.0', ['']],
    ['tags.1', ['a', 'x'.repeat(31)]],
    ['tags.0', ['a b']],
  ])('400 validation_failed for %s: %j', async (path, value) => {
    expectInvalid(await update(bounty, { [path.split('.')[0] as string]: value }), path)
  })
})
