import { once } from 'node:events'
import { request } from 'node:http'
import { json } from 'node:stream/consumers'
import { sql } from 'kysely'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { recordActivity } from '../../server/events/record.ts'
import { event, eventType } from '../../server/events/schema.ts'
import { expectInvalid } from '../support/errors.ts'
import { logIsRead } from '../support/event-log.ts'
import { createTestMarket, type TestMarket } from '../support/market.ts'
import type { TestAgent } from '../support/scenarios.ts'
import { until } from '../support/until.ts'
import { idOf, isoTime } from '../support/values.ts'
import { visit } from '../support/visitor.ts'

const market = await createTestMarket({ databaseLoops: true, settings: { MAX_EVENT_WAITS: '4' } })

interface Event {
  id: string
  type: string
  agent_id: string | null
  actor_id: string | null
  bounty_id: string | null
}
interface Page {
  events: Event[]
  cursor: string
  has_more: boolean
  truncated: boolean
}

async function read(
  agent: TestAgent,
  query: Record<string, string> = {},
  of: TestMarket = market,
): Promise<Page> {
  const { status, body } = await of.api('GET', `/api/events?${new URLSearchParams(query)}`, {
    key: agent.key,
  })
  expect(status).toBe(200)
  return body
}

/** All events from a cursor on, page by page. */
async function readAll(agent: TestAgent, query: Record<string, string>): Promise<Event[]> {
  const events: Event[] = []
  for (let after = query.after as string; ; ) {
    const page = await read(agent, { ...query, after })
    expect(page.truncated).toBe(false)
    events.push(...page.events)
    after = page.cursor
    if (!page.has_more) return events
  }
}

const types = (events: { type: string }[]) => events.map(({ type }) => type)
const numbered = () => logIsRead(market, reader.key)

let start: string
let reader: TestAgent
beforeAll(async () => {
  reader = await market.register()
  await numbered()
  start = (await read(reader)).cursor
})

describe('200', () => {
  test('with an empty page and the end of the log without `after`', async () => {
    await market.register()
    await numbered()
    const page = await read(reader)
    expect(page).toEqual({
      events: [],
      cursor: idOf('act_'),
      has_more: false,
      truncated: false,
      pause_seconds: 0,
    })
    expect(await read(reader, { after: page.cursor })).toEqual(page)
  })

  test('with everything public that happened, oldest first, whatever the size of a page', async () => {
    const { cursor: after } = await read(reader)
    const bounty = await market.doneBounty()
    await numbered()
    const events = await readAll(reader, { after })
    const ofBounty = events.filter(({ type }) => type !== 'agent.registered')
    expect(types(ofBounty)).toEqual([
      'project.created',
      'project.activated',
      'bounty.created',
      'bounty.claimed',
      'submission.created',
      'submission.approved',
      'payout.confirmed',
    ])
    expect(ofBounty[3]).toEqual({
      id: idOf('act_'),
      type: 'bounty.claimed',
      agent_id: bounty.claimant.id,
      actor_id: bounty.claimant.id,
      project_id: bounty.project.id,
      bounty_id: bounty.id,
      submission_id: null,
      data: {},
      created_at: isoTime,
    })
    // The founder approves, and no agent confirms a payment.
    const { founder, claimant } = bounty
    expect(ofBounty.slice(2).map(({ agent_id, actor_id }) => [agent_id, actor_id])).toEqual([
      ...[founder, claimant, claimant].map(({ id }) => [id, id]),
      [claimant.id, founder.id],
      [claimant.id, null],
    ])
    const hash = (await market.db.selectFrom('payouts').select('tx_hash').executeTakeFirstOrThrow()).tx_hash
    expect(ofBounty[6]).toMatchObject({ submission_id: bounty.submissionId, data: { tx_hash: hash } })
    for (const limit of ['1', '4', '100']) expect(await readAll(reader, { after, limit })).toEqual(events)
  })

  test('with a comment as mine for its author, founder, claimant and those who commented before', async () => {
    const { cursor: after } = await read(reader)
    const bounty = await market.claimedBounty()
    const earlier = await market.register()
    const author = await market.register()
    const path = `/api/bounties/${bounty.id}/comments`
    for (const { key } of [earlier, author]) await market.api('POST', path, { key, body: { text: 'Why?' } })
    await numbered()
    const query = { after, mine: 'true', types: 'comment.created' }
    const heard = async (agent: TestAgent) => (await readAll(agent, query)).map(({ agent_id }) => agent_id)
    const both = [earlier.id, author.id]
    for (const agent of [bounty.founder, bounty.claimant, earlier]) expect(await heard(agent)).toEqual(both)
    expect([await heard(author), await heard(reader)]).toEqual([[author.id], []])
    const all = await readAll(reader, { after, types: 'comment.created' })
    expect(all.map(({ agent_id }) => agent_id)).toEqual(both)
    expect(JSON.stringify(all)).not.toContain('Why?')
  })

  test('with the types that were asked for', async () => {
    const { cursor: after } = await read(reader)
    await market.openBounty({ project: await market.activeProject() })
    await numbered()
    const query = { after, types: 'bounty.created,project.created' }
    expect(types(await readAll(reader, query))).toEqual(['project.created', 'bounty.created'])
    // The cursor is behind entries of other types as well.
    const { cursor } = await read(reader, { after, types: 'bounty.cancelled' })
    expect(cursor).toBe((await read(reader)).cursor)
  })

  test('with one project, and with what is mine: what I did and what happens on projects I founded', async () => {
    const { cursor: after } = await read(reader)
    const one = await market.claimedBounty({ project: await market.activeProject() })
    const other = await market.claimedBounty({ claimant: one.claimant })
    await numbered()
    const ofProject = await readAll(reader, { after, project_id: one.project.id })
    expect(types(ofProject)).toEqual([
      'project.created',
      'project.activated',
      'bounty.created',
      'bounty.claimed',
    ])
    expect(types(await readAll(one.founder, { after, mine: 'true' }))).toEqual([
      'agent.registered',
      ...types(ofProject),
    ])
    const others = { after, mine: 'true', own: 'false' }
    expect(types(await readAll(one.founder, others))).toEqual(['bounty.claimed'])
    expect(await readAll(one.claimant, others)).toEqual([])
    const claims = await readAll(one.claimant, { after, mine: 'true' })
    expect(types(claims)).toEqual(['agent.registered', 'bounty.claimed', 'bounty.claimed'])
    expect(claims.slice(1).map(({ bounty_id }) => bounty_id)).toEqual([one.id, other.id])
    expect(await readAll(reader, { after, mine: 'true' })).toEqual([])
  })

  test('without what I did in public; what was done in private with my key is there', async () => {
    const agent = await market.register()
    await numbered()
    const { cursor: after } = await read(agent)
    const entry = { agent_id: agent.id, type: 'wallet.exported', visibility: 'private' } as const
    await recordActivity(market.db, entry)
    await numbered()
    expect(types(await readAll(agent, { after, own: 'false' }))).toEqual(['wallet.exported'])
  })

  test('with one bounty', async () => {
    const { cursor: after } = await read(reader)
    const bounty = await market.claimedBounty()
    await market.openBounty({ project: bounty.project })
    await numbered()
    const events = await readAll(reader, { after, bounty_id: bounty.id })
    expect(types(events)).toEqual(['bounty.created', 'bounty.claimed'])
    expect(new Set(events.map(({ bounty_id }) => bounty_id))).toEqual(new Set([bounty.id]))
    // The cursor is behind entries of other bounties as well.
    const none = await read(reader, { after, bounty_id: 'bnt_00000000000000000000' })
    expect(none).toMatchObject({ events: [], cursor: (await read(reader)).cursor })
  })

  test('with private events for their agent alone, not even for the founder of the project', async () => {
    const { cursor: after } = await read(reader)
    const { claimant, founder, project } = await market.claimedBounty()
    await recordActivity(market.db, {
      type: 'withdrawal.requested',
      visibility: 'private',
      agent_id: claimant.id,
      project_id: project.id,
      data: { withdrawal_id: 'wd_1' },
    })
    await numbered()
    const isPrivate = ({ type }: Event) => type === 'withdrawal.requested'
    for (const mine of ['true', 'false']) {
      expect((await readAll(claimant, { after, mine })).filter(isPrivate)).toHaveLength(1)
      for (const agent of [founder, reader])
        expect((await readAll(agent, { after, mine })).filter(isPrivate)).toEqual([])
      // A visitor of the board does nothing, and sees what is public.
      const seen = (await visit(market.services, 'events.list', { after, mine, limit: 100 })) as Page
      expect(seen.events).toEqual(await readAll(reader, { after, mine }))
    }
  })

  test.each(['webhook.tested', 'webhook.failing', 'webhook.disabled'] as const)('with %s', async (type) => {
    const { cursor: after } = await read(reader)
    const data = { webhook_id: 'wh_4k0v8q2m6x1c9r7t3w5y' }
    await recordActivity(market.db, { type, visibility: 'private', agent_id: reader.id, data })
    await numbered()
    expect((await read(reader, { after })).events).toMatchObject([{ type, data }])
  })

  test('from a process that was started later and holds none of the events', async () => {
    const events = await readAll(reader, { after: start })
    const second = await createTestMarket({ sharing: market, databaseLoops: true })
    onTestFinished(second.close)
    expect((await read(reader, { after: start, limit: '100' }, second)).events).toEqual(events.slice(0, 100))
  })
})

describe('200 after waiting', () => {
  test('as soon as another process commits an event', async () => {
    const second = await createTestMarket({ sharing: market, databaseLoops: true })
    onTestFinished(second.close)
    const { cursor: after } = await read(reader)
    const page = read(reader, { after, wait: '50', types: 'bounty.cancelled' })
    const bounty = await second.openBounty()
    await second.act(bounty, 'cancel', bounty.founder)
    expect((await page).events).toMatchObject([{ type: 'bounty.cancelled', bounty_id: bounty.id }])
  })

  test('with a cursor that another process has seen first', async () => {
    const behind = await createTestMarket({ sharing: market })
    onTestFinished(behind.close)
    const agent = await behind.register()
    const { cursor } = await read(agent, {}, behind)
    await market.register()
    await numbered()
    const ahead = await read(reader)
    expect(ahead.cursor).not.toBe(cursor)
    expect(await read(agent, { after: ahead.cursor }, behind)).toEqual(ahead)
  })

  test('empty when the time is over', async () => {
    const { cursor: after } = await read(reader)
    const page = await read(reader, { after, wait: '1', types: 'bounty.cancelled' })
    expect(page).toMatchObject({ events: [], has_more: false, truncated: false })
  })

  /** Starts to wait, and resolves with what ends it. */
  async function wait(agent: TestAgent, of: TestMarket = market) {
    const { cursor: after } = await read(agent, {}, of)
    const client = request(`${of.baseUrl}/api/events?wait=50&after=${after}&types=bounty.cancelled`, {
      headers: { authorization: `Bearer ${agent.key}` },
    })
    const response = once(client, 'response')
    // Some tests hang up.
    response.catch(() => undefined)
    client.end()
    return { client, response, after }
  }
  const waitingOf = (of: TestMarket) => of.services.events.waiting

  test('a third waiting request of an agent ends its oldest, and the limit of the process ends none', async () => {
    const others = [await market.register(), await market.register()]
    const oldest = await wait(reader)
    await until(() => waitingOf(market) === 1)
    const waits = [await wait(reader), await wait(reader)]
    const [ended] = await oldest.response
    expect(await json(ended)).toMatchObject({ events: [], pause_seconds: 5 })
    await until(() => waitingOf(market) === 2)
    for (const agent of others) waits.push(await wait(agent))
    await until(() => waitingOf(market) === 4)
    const last = await market.register()
    const { cursor: after } = await read(last)
    expect(await read(last, { after, wait: '50', types: 'bounty.cancelled' })).toMatchObject({
      events: [],
      pause_seconds: 5,
    })
    for (const { client } of waits) client.destroy()
    // Clients that left free their places.
    await until(() => waitingOf(market) === 0)
  })

  test('empty at once beyond two waiting requests of a visitor, and beyond a quarter of all for visitors together', async () => {
    const second = await createTestMarket({ sharing: market, settings: { MAX_EVENT_WAITS: '12' } })
    onTestFinished(second.close)
    const { cursor: after } = await read(reader, {}, second)
    const left = new AbortController()
    const query = { after, wait: 50, types: 'bounty.cancelled' }
    const waitAs = (name: string) =>
      visit(second.services, 'events.list', query, { name: `visitor ${name}`, signal: left.signal })
    const waits = [waitAs('one'), waitAs('one')]
    await until(() => waitingOf(second) === 2)
    expect(await waitAs('one')).toMatchObject({ events: [] })
    waits.push(waitAs('other'))
    await until(() => waitingOf(second) === 3)
    expect(await waitAs('third')).toMatchObject({ events: [] })
    const { client } = await wait(reader, second)
    await until(() => waitingOf(second) === 4)
    client.destroy()
    left.abort()
    await Promise.all(waits)
    await until(() => waitingOf(second) === 0)
  })

  test('empty when the server closes', async () => {
    const second = await createTestMarket({ sharing: market, databaseLoops: true })
    const { response } = await wait(reader, second)
    await until(() => waitingOf(second) === 1)
    const closed = second.close()
    const [{ statusCode, headers }] = await response
    expect({ statusCode, connection: headers.connection }).toEqual({ statusCode: 200, connection: 'close' })
    await closed
  })
})

describe('truncated', () => {
  test('if what follows the cursor is older than the retention', async () => {
    const { cursor } = await read(reader, { after: '0', limit: '1' })
    await sql`update activity set created_at = now() - interval '31 days' where position = 2`.execute(
      market.db,
    )
    const late = await createTestMarket({ sharing: market })
    onTestFinished(late.close)
    const page = await read(reader, { after: cursor }, late)
    expect(page).toMatchObject({ events: [], truncated: true, has_more: false })
    expect(await read(reader, { after: page.cursor }, late)).toMatchObject({ events: [], truncated: false })
  })
})

test.each(['bounty.eaten', ''])('400 validation_failed for types %j', async (types) => {
  const response = await market.api('GET', `/api/events?types=${types}`, { key: reader.key })
  expectInvalid(response, 'types')
})

test.each(eventType.options)(
  'what does not fit the type %s is refused without an error of its own',
  (type) => {
    for (const data of [{}, { replaced_key_ends_at: null }, 'text'])
      expect(() => event.safeParse({ type, data })).not.toThrow()
  },
)
