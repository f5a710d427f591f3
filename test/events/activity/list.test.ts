import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { sequenceEntries } from '../../../server/events/log/sequence.ts'
import { recordActivity } from '../../../server/events/record.ts'
import { expectInvalid } from '../../support/errors.ts'
import { createTestMarket } from '../../support/market.ts'
import { idOf, isoTime } from '../../support/values.ts'

const market = await createTestMarket()

interface Entry {
  id: string
  type: string
  project_id: string | null
  data: Record<string, unknown>
}
async function feed(query = ''): Promise<Entry[]> {
  const { status, body } = await market.api('GET', `/api/activity${query}`)
  expect(status).toBe(200)
  return body.activity
}

const { project, claimant, ...bounty } = await market.doneBounty()
const other = await market.openBounty({ project: await market.activeProject() })

test('200 with everything that happened, newest first', async () => {
  const entries = await feed()
  const ofProject = entries.filter((entry) => entry.project_id === project.id)
  expect(ofProject.map((entry) => entry.type)).toEqual([
    'payout.confirmed',
    'submission.approved',
    'submission.created',
    'bounty.claimed',
    'bounty.created',
    'project.activated',
    'project.created',
  ])
  expect(entries.filter((entry) => entry.type === 'agent.registered')).toHaveLength(3)
  expect(entries).toHaveLength(3 + 7 + 3)
})

test('200 with whole entries, absent references `null`', async () => {
  const entries = await feed()
  expect(entries.find((entry) => entry.type === 'bounty.claimed')).toEqual({
    id: idOf('act_'),
    type: 'bounty.claimed',
    agent_id: claimant.id,
    actor_id: claimant.id,
    project_id: project.id,
    bounty_id: bounty.id,
    submission_id: null,
    data: {},
    created_at: isoTime,
  })
  expect(entries.at(-1)).toMatchObject({
    type: 'agent.registered',
    project_id: null,
    bounty_id: null,
    submission_id: null,
  })
})

test('200 with the data that belongs to each type', async () => {
  const entries = (await feed('?limit=100')).filter((entry) => entry.project_id === project.id)
  const { repo_url, token_address, curve_address } = project
  const data = Object.fromEntries(entries.map((entry) => [entry.type, entry.data]))
  expect(data).toEqual({
    'project.created': {},
    'project.activated': { repo_url, token_address, curve_address },
    'bounty.created': {},
    'bounty.claimed': {},
    'submission.created': {},
    'payout.confirmed': { tx_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/) },
    'submission.approved': {
      accepted_by: 'founder',
      contributor_tx_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      platform_fee_tx_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      // Of 100 tokens, with a fee of 5 %.
      net: '95',
      fee: '5',
    },
  })
})

test('200 with entries of a type that only a newer version knows', async () => {
  await sql`alter table activity drop constraint activity_type_check`.execute(market.db)
  const newer = { id: 'act_newer', type: 'project.archived' as 'project.created', data: '{"why":"done"}' }
  await market.db.insertInto('activity').values(newer).execute()
  expect(await feed('?limit=1')).toMatchObject([{ type: 'project.archived', data: { why: 'done' } }])
  await market.db.deleteFrom('activity').where('id', '=', newer.id).execute()
})

test('200 without private entries, also of a project, and they are no place to page from', async () => {
  const before = { all: await feed('?limit=100'), own: await feed(`?project_id=${project.id}`) }
  const entry = { agent_id: claimant.id, project_id: project.id, visibility: 'private' } as const
  await recordActivity(market.db, { ...entry, type: 'withdrawal.requested' })
  await recordActivity(market.db, { ...entry, type: 'bounty.claimed' as 'wallet.exported' })
  const after = { all: await feed('?limit=100'), own: await feed(`?project_id=${project.id}`) }
  expect(after).toEqual(before)
  const hidden = await market.db
    .selectFrom('activity')
    .where('visibility', '=', 'private')
    .select('id')
    .execute()
  expect(hidden).toHaveLength(2)
  for (const { id } of hidden)
    for (const place of ['after', 'before'])
      expectInvalid(await market.api('GET', `/api/activity?${place}=${id}`), place)
})

test.each(['before', 'after'])('200 pages backwards through everything once by %s', async (place) => {
  const all = await feed('?limit=100')
  const paged: Entry[] = []
  for (let next: string | null = ''; next !== null; ) {
    const { body } = await market.api('GET', `/api/activity?limit=5${next && `&${place}=${next}`}`)
    paged.push(...body.activity)
    next = body.next
  }
  expect(paged).toEqual(all)
  const { id } = all[0] as Entry
  expectInvalid(await market.api('GET', `/api/activity?before=${id}&after=${id}`), 'before')
})

test('200 with the same pages once the log has been numbered', async () => {
  const pages = async () => [await feed('?limit=4'), await feed(`?project_id=${project.id}`)]
  const before = await pages()
  while ((await sequenceEntries(market.db, 5)) > 0);
  expect(await pages()).toEqual(before)
})

test('200 of one project', async () => {
  const entries = await feed(`?project_id=${other.project.id}`)
  expect(entries.map((entry) => entry.type)).toEqual([
    'bounty.created',
    'project.activated',
    'project.created',
  ])
  const [newest, ...older] = entries
  const { body } = await market.api('GET', `/api/activity?project_id=${other.project.id}&limit=3`)
  expect([body.activity, body.next]).toEqual([entries, null])
  expect(await feed(`?project_id=${other.project.id}&after=${newest?.id}`)).toEqual(older)
  expect(await feed('?project_id=proj_00000000000000000000')).toEqual([])
})
