import { describe, expect, test } from 'vitest'
import { reviewsOn } from '../../money/payouts/support/reviews.ts'
import { expectError, expectInvalid } from '../../support/errors.ts'
import { createTestMarket } from '../../support/market.ts'
import { createRows } from '../../support/rows.ts'
import { idOf, isoTime } from '../../support/values.ts'
import { startReceiver, webhooksOn } from '../../support/webhooks.ts'
import { commentsOn } from './support/comments.ts'

const market = await createTestMarket()
const limited = await createTestMarket({ sharing: market, engines: false, settings: { RATE_LIMITS: 'on' } })
const { db } = market
const project = await market.activeProject({ token_supply: 1_000_000_000 })
const { send, write, hide } = commentsOn(market)
const { endings } = reviewsOn(market)
const { founder } = project
const stranger = () => market.register()

test('400 validation_failed for a text that holds an API key, which is not said again', async () => {
  const bounty = await market.openBounty({ project })
  const agent = await stranger()
  const refusal = await send(bounty, agent, `use ${agent.key} for it`)
  expectInvalid(refusal, 'text')
  expect(refusal.body.error.issues[0].message).toMatch(/must not hold an API key or access token/)
  expect(JSON.stringify(refusal.body)).not.toContain(agent.key)
})

test('201 with the comment, and an event without its text', async () => {
  const bounty = await market.openBounty({ project })
  const agent = await stranger()
  const { status, body } = await send(bounty, agent, 'Weeks\tas\nISO?')
  expect(status).toBe(201)
  expect(body).toEqual({
    comment: {
      id: idOf('cmt_'),
      kind: 'comment',
      bounty_id: bounty.id,
      agent_id: agent.id,
      role: 'other',
      submission_id: null,
      text: 'Weeks\tas\nISO?',
      hidden: false,
      bar: false,
      created_at: isoTime,
    },
  })
  const { activity } = (await market.api('GET', `/api/activity?project_id=${project.id}&limit=1`)).body
  expect(activity).toEqual([
    {
      id: idOf('act_'),
      type: 'comment.created',
      agent_id: agent.id,
      actor_id: agent.id,
      project_id: project.id,
      bounty_id: bounty.id,
      submission_id: null,
      created_at: isoTime,
      data: { role: 'other', comment_id: body.comment.id },
    },
  ])
})

test('409 comment_limit_reached for the fourth unanswered comment of an agent whose work was rejected', async () => {
  const bounty = await market.bountyInReview({ project })
  const { claimant } = bounty
  await endings.rejected(bounty)
  for (let count = 0; count < 3; count++) expect((await send(bounty, claimant, 'But.')).status).toBe(201)
  expectError(await send(bounty, claimant, 'But.'), 'comment_limit_reached')
})

test('201 with what its author was when it wrote', async () => {
  const bounty = await market.bountyInReview({ project })
  const roleOf = async (agent: { id: string; key: string; name?: string }) =>
    (await send(bounty, agent, 'Hello.')).body.comment.role
  const other = await stranger()
  expect([await roleOf(founder), await roleOf(bounty.claimant), await roleOf(other)]).toEqual([
    'founder',
    'claimant',
    'other',
  ])
  await endings.rejected(bounty)
  expect(await roleOf(bounty.claimant)).toBe('contributor')
  await market.act(bounty, 'claim', other)
  expect(await roleOf(other)).toBe('claimant')
  const stored = db.selectFrom('comments').where('bounty_id', '=', bounty.id).select('role')
  const rows = await stored.orderBy('created_at').execute()
  expect(rows.map(({ role }) => role)).toEqual(['founder', 'claimant', 'other', 'contributor', 'claimant'])
})

test('201, and webhooks of founder, claimant and those who commented before get the event', async () => {
  const receiver = await startReceiver()
  const hooks = webhooksOn(market)
  const bounty = await market.claimedBounty({ project })
  const earlier = await stranger()
  const author = await stranger()
  const later = await stranger()
  await write(bounty, earlier)
  const agents = [founder, bounty.claimant, earlier, author, later]
  const ids = await Promise.all(agents.map(async (one) => (await hooks.create(one, receiver.url)).webhook.id))
  await write(bounty, author)
  await write(await market.openBounty({ project }), later)
  await hooks.sequence()
  const delivered = await db
    .selectFrom('webhook_deliveries')
    .innerJoin('activity', 'activity.id', 'event_id')
    .where('bounty_id', '=', bounty.id)
    .where('type', '=', 'comment.created')
    .select('webhook_id')
    .execute()
  expect(delivered.map(({ webhook_id }) => webhook_id).toSorted()).toEqual(ids.slice(0, 4).toSorted())
})

test('409 bounty_closed on a bounty that is done, but 201 for its founder and who was paid', async () => {
  const bounty = await market.doneBounty({ project })
  for (const [agent, role] of [
    [founder, 'founder'],
    [bounty.claimant, 'contributor'],
  ] as const)
    expect((await send(bounty, agent, 'Thank you.')).body.comment).toMatchObject({ role })
  const rejected = await stranger()
  await createRows(market.db).submission({
    bounty_id: bounty.id,
    agent_id: rejected.id,
    status: 'rejected',
    reviewed_at: new Date(),
  })
  for (const agent of [await stranger(), rejected])
    expectError(await send(bounty, agent, 'Me too.'), 'bounty_closed')
})

describe('409 comment_limit_reached for an agent without a part in the bounty', () => {
  test('after three comments, hidden ones too, until the founder writes', async () => {
    const bounty = await market.openBounty({ project })
    const agent = await stranger()
    const another = await stranger()
    for (let index = 0; index < 3; index++) await hide(bounty, founder, (await write(bounty, agent)).id)
    expectError(await send(bounty, agent, 'Hello?'), 'comment_limit_reached')
    await write(bounty, another)
    expectError(await send(bounty, agent, 'Hello?'), 'comment_limit_reached')
    await write(await market.openBounty({ project }), founder)
    expectError(await send(bounty, agent, 'Hello?'), 'comment_limit_reached')
    await write(bounty, founder, 'Yes.')
    for (let index = 0; index < 3; index++) await write(bounty, agent)
    expectError(await send(bounty, agent, 'Hello?'), 'comment_limit_reached')
  })

  test('of ten at once three are stored', async () => {
    const bounty = await market.openBounty({ project })
    const agent = await stranger()
    const responses = await Promise.all(Array.from({ length: 10 }, () => send(bounty, agent, 'At once.')))
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(3)
    for (const response of responses.filter(({ status }) => status !== 201))
      expectError(response, 'comment_limit_reached')
  })

  test('but not for the claimant', async () => {
    const bounty = await market.bountyInReview({ project })
    for (let index = 0; index < 5; index++) await write(bounty, bounty.claimant)
  })
})

test('429 rate_limited after thirty comments in an hour', async () => {
  const bounty = await market.claimedBounty({ project })
  const agent = commentsOn(limited)
  for (let index = 0; index < 30; index++) await agent.write(bounty, bounty.claimant)
  expectError(await agent.send(bounty, bounty.claimant, 'One more.'), 'rate_limited')
})

test.each([
  ['', 'must not be blank'],
  [' \n\u200b\u{e0061}', 'must not be blank'],
  ['a\0b', 'must be valid Unicode without NUL'],
  ['a\ud800', 'must be valid Unicode without NUL'],
  ['ä'.repeat(5001), 'must be at most 5000 characters'],
])('400 validation_failed for the text %j', async (text, message) => {
  const response = await send(await market.openBounty({ project }), founder, text)
  expectInvalid(response, 'text')
  expect(response.body.error.issues[0].message).toBe(message)
})
