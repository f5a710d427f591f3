import { describe, expect, test } from 'vitest'
import { purgeReplacedKeys } from '../../server/auth/queries.ts'
import { createNames } from '../../server/board/names.ts'
import { hasDue as hasDueClaim } from '../../server/code/claims/store.ts'
import { record } from '../../server/code/pull-requests/record.ts'
import {
  beforeOf,
  hasDue as hasDuePull,
  leaseDue,
  leaseIfStale,
  leaseNow,
  postpone,
} from '../../server/code/pull-requests/store.ts'
import { hasNews } from '../../server/events/log/store.ts'
import { hasDue as hasDueWebhook } from '../../server/events/webhooks/deliveries/store.ts'
import { purgeKeys } from '../../server/http/idempotency/queries.ts'
import { askForWork } from '../../server/loops/look.ts'
import { hasSeen } from '../../server/market/acceptances/seen.ts'
import { hasDueWork, leaseWork } from '../../server/market/acceptances/store.ts'
import { hasLapsed, hasOverdue, openLapsed } from '../../server/market/deadlines/store.ts'
import { hasDue as hasDueActivation } from '../../server/money/activation/store.ts'
import { lockHours } from '../../server/money/deposits/locked.ts'
import { hasRunning } from '../../server/money/relays/store.ts'
import { hasUnfinished } from '../../server/money/transactions/lane/lease.ts'
import { serve } from '../http/serve.ts'
import { beatHeart } from '../support/deadlines.ts'
import { explainStatements } from './explain.ts'
import { fillGrowingTables } from './support/fill-growing-tables.ts'

/*
 * The statements that requests really send, explained by Postgres on tables large enough to matter: none may read one
 * of them from end to end. Statistics has sixteen rows for ever.
 */
const growing = [
  'agents',
  'projects',
  'bounties',
  'submissions',
  'ended_claims',
  'payouts',
  'activity',
  'idempotency_keys',
  'replaced_keys',
  'bounty_texts',
  'comments',
  'pull_requests',
  'trades',
  'deposits',
]

const served = await serve()
const { client, vacuum, forget, readWhole, indexes } = await explainStatements(
  served.services.config.DATABASE_URL ?? '',
  fillGrowingTables,
  growing,
)

/** An agent whose own lists are long. */
const busy = await served.agent()
await client.query(
  `set session_replication_role = replica;
   update projects set founder_id = '${busy.id}' where id in (select 'proj_' || g from generate_series(1, 500) g);
   update submissions set agent_id = '${busy.id}', project_id = 'proj_7' where id in (select 'sub_' || g from generate_series(1, 9000) g);
   set session_replication_role = origin`,
)
await vacuum()

describe('no growing table is read from end to end by', () => {
  test.each([
    '/api/bounties',
    '/api/bounties?status=open',
    '/api/bounties?limit=100',
    '/api/bounties?status=open&limit=100&offset=900',
    '/api/bounties?status=open&offset=900',
    '/api/bounties?status=open&difficulty=hard&offset=150',
    '/api/bounties?project_id=proj_7',
    '/api/bounties?project_id=proj_7&status=done',
    '/api/bounties?project_id=proj_7&difficulty=hard',
    '/api/bounties?project_id=proj_7&status=done&difficulty=hard',
    '/api/bounties?difficulty=hard',
    '/api/bounties?difficulty=hard&status=open',
    '/api/bounties?q=parser',
    '/api/bounties?q=xylophone',
    '/api/bounties?q=pa',
    '/api/bounties?q=zq',
    '/api/bounties?q=z',
    '/api/bounties?q=!!!',
    '/api/bounties?q=zq&status=open',
    '/api/bounties?q=zq&project_id=proj_7',
    '/api/bounties?tag=common',
    '/api/bounties?tag=rare&status=open',
    '/api/bounties?tag=nothing&offset=300',
    '/api/bounties?min_reward=100',
    '/api/bounties?min_reward=1000&status=open',
    '/api/bounties?min_reward=1000&difficulty=hard&offset=300',
    '/api/bounties?tag=rare&q=parser',
    '/api/bounties?tag=common&min_reward=20&q=zq',
    '/api/bounties?sort=reward',
    '/api/bounties?sort=reward&min_reward=100&tag=rare&offset=6000',
    '/api/bounties?sort=reward&project_id=proj_7',
    '/api/bounties?sort=dollars',
    '/api/bounties?sort=dollars&project_id=proj_6',
    '/api/bounties?min_dollars=1',
    '/api/bounties?min_dollars=49&status=open',
    '/api/bounties?sort=worth',
    '/api/bounties?sort=worth&tag=rare&offset=6000',
    '/api/bounties?sort=worth&project_id=proj_2007&min_reward=10',
    '/api/bounties?offset=19990',
    '/api/bounties?offset=6600&status=open',
    '/api/bounties?offset=1000000',
    '/api/bounties/bnt_8',
    '/api/projects',
    '/api/projects?status=proposed',
    '/api/projects?offset=290',
    '/api/projects?limit=100&status=proposed',
    '/api/projects?offset=2990',
    '/api/projects?q=zq',
    '/api/projects?q=xylophone',
    '/api/projects/proj_7',
    '/api/activity',
    '/api/activity?limit=100&after=act_9000',
    '/api/activity?project_id=proj_7&after=act_9000',
    '/api/dashboard/stats',
  ])('GET %s', async (path) => {
    forget()
    const { status } = await served.api('GET', path)
    expect(status).toBe(200)
    expect(await readWhole()).toEqual([])
  })

  test('lists by tag, reward, worth and dollars, which have indexes of their own', async () => {
    for (const [query, index] of [
      ['tag=rare', ['bounties_by_tag']],
      ['sort=reward', ['bounties_open_by_reward']],
      ['sort=reward&project_id=proj_7', ['bounties_open_of_project_by_reward']],
      ['sort=dollars', ['deposits_locked_by_amount']],
      ['min_dollars=49.9', ['deposits_locked_by_amount']],
      ['sort=worth', ['trades_of_curve', 'projects_curve', 'bounties_open_of_project_by_reward']],
    ] as const) {
      forget()
      await served.api('GET', `/api/bounties?${query}&limit=10`)
      expect([...(await indexes())], query).toEqual(expect.arrayContaining([...index]))
    }
  })

  test.each(['/api/bounties/bnt_8', '/api/projects/proj_7'])(
    'GET %s again while others write',
    async (path) => {
      forget()
      for (let turn = 0; turn < 3; turn++) {
        expect((await served.api('GET', path)).status).toBe(200)
        await served.agent()
      }
      expect(await readWhole()).toEqual([])
    },
  )

  test('an agent that reads its profile, claims, submits and repeats a claim with its key', async () => {
    const { key } = await served.agent()
    forget()
    const headers = { 'idempotency-key': 'plans' }
    expect((await served.api('GET', '/api/agents/me', { key })).status).toBe(200)
    for (const id of ['bnt_3', 'bnt_3'])
      expect((await served.api('POST', `/api/bounties/${id}/claim`, { key, headers })).status).toBe(200)
    const body = { pr_url: 'https://example.org/pull/1' }
    expect((await served.api('POST', '/api/bounties/bnt_3/submit', { key, body })).status).toBe(400)
    expect(
      (await served.api('POST', '/api/bounties/bnt_8/reject', { key, body: { review_notes: 'no' } })).status,
    ).toBe(403)
    expect(await readWhole()).toEqual([])
  })

  test('an agent that reads, releases and claims again what it has claimed, and submits too late', async () => {
    const { key } = await served.agent()
    expect((await served.api('POST', '/api/bounties/bnt_6/claim', { key })).status).toBe(200)
    forget()
    expect((await served.api('GET', '/api/bounties/bnt_6/claim', { key })).status).toBe(200)
    for (const verb of ['release', 'claim', 'release'])
      expect((await served.api('POST', `/api/bounties/bnt_6/${verb}`, { key })).status).toBe(200)
    const body = { pr_url: 'https://example.org/pull/1' }
    expect((await served.api('POST', '/api/bounties/bnt_6/submit', { key, body })).status).toBe(403)
    expect(await readWhole()).toEqual([])
  })

  test('a takeover, and the search for claims that have lapsed, which goes by their end', async () => {
    const { key } = await served.agent()
    await beatHeart(served.db)
    forget()
    expect((await served.api('POST', '/api/bounties/bnt_claimed_1/claim', { key })).status).toBe(200)
    expect(await readWhole()).toEqual([])
    for (const isFound of [true, false]) {
      expect((await openLapsed(served.db, 100)).length > 0).toBe(isFound)
      expect(await indexes()).toContain('bounties_lapsing')
    }
    await openLapsed(served.db, 100)
    expect(await readWhole()).toEqual([])
  })

  test('the readings of pull requests that are due, and what they change', async () => {
    const { db } = served
    forget()
    const [due] = await leaseDue(db, 2)
    expect(await indexes()).toContain('pull_requests_due')
    if (!due?.row) throw new Error('nothing is due')
    const known = beforeOf({ ...due, repositoryId: 1 }).known!
    const facts = { ...known.facts, head_sha: 'b'.repeat(40) }
    const reading = {
      ...known,
      facts,
      checks: { state: 'none' as const, failed: [], neutral: [], skipped: [], total: 0 },
      cache: {},
      isEmpty: false,
    }
    expect(await record(db, due, due, reading)).toMatchObject({ head_sha: facts.head_sha })
    await leaseIfStale(db, due.url)
    await postpone(db, due.url, await leaseNow(db, due), 'unavailable')
    await leaseWork(db, 2)
    expect(await readWhole()).toEqual([])
  })

  test('the look for the work of all loops', async () => {
    forget()
    const ofMarket = [hasDuePull, hasDueClaim, hasDueWork, hasSeen, hasLapsed, hasOverdue]
    const ofChain = [hasDueActivation, () => hasRunning(31_337), () => hasUnfinished(31_337)]
    const conditions = [...ofMarket, ...ofChain, hasDueWebhook, () => hasNews('act_7')]
    const asks = conditions.map((condition) => askForWork(served.db, condition))
    const look = () => Promise.all(asks.map((ask) => ask()))
    await look()
    expect(await indexes()).toContain('pull_requests_due')
    await look()
    expect(await readWhole()).toEqual([])
  })

  // Own bounties are merged from all projects of their founder.
  const unsorted = (path: string) =>
    growing.filter((table) => table !== 'projects' || path.includes('/projects'))

  test.each([
    '/api/submissions/sub_7',
    '/api/submissions/sub_7/pull-request',
    '/api/agents/me/projects?after=proj_7',
    '/api/agents/me/projects',
    '/api/agents/me/bounties?after=bnt_61',
    '/api/agents/me/bounties?status=open&limit=100',
    '/api/agents/me/bounties?tag=rare&min_reward=50',
    '/api/bounties/bnt_61/preflight',
    '/api/agents/me/submissions?after=sub_20',
    '/api/agents/me/submissions?status=approved&limit=100',
    '/api/projects/proj_7/submissions?after=sub_8',
    '/api/projects/proj_7/submissions?status=pending&limit=100',
    `/api/agents/${busy.id}`,
  ])('GET %s, and no more than a page is sorted', async (path) => {
    const { key } = busy
    forget()
    const { status } = await served.api('GET', path, { key })
    expect(status).toBe(200)
    expect(await readWhole(unsorted(path))).toEqual([])
  })

  test('GET /api/agents/me/tasks, which finds each kind by an index of what is not done', async () => {
    const { key } = busy
    forget()
    expect((await served.api('GET', '/api/agents/me/tasks', { key })).status).toBe(200)
    const used = await indexes()
    for (const index of [
      'bounties_one_active_claim',
      'submissions_of_project',
      'pull_requests_unmerged',
      'comments_unanswered',
    ])
      expect(used).toContain(index)
    expect((await served.api('GET', '/api/agents/me/tasks', { key })).status).toBe(200)
    expect(await readWhole()).toEqual([])
  })

  test('GET /api/bounties/bnt_8/timeline, by the index of a bounty', async () => {
    const { key } = busy
    const read = async (query: string) => {
      forget()
      expect((await served.api('GET', `/api/bounties/bnt_8/timeline${query}`, { key })).status).toBe(200)
    }
    for (const query of ['', '?limit=100', '?after=act_8']) {
      await read(query)
      expect(await indexes()).toContain('activity_public_by_bounty')
      await read(query)
      expect(await readWhole()).toEqual([])
    }
  })

  test('GET and POST /api/bounties/bnt_9/comments, by indexes of a bounty', async () => {
    const { key } = busy
    const path = '/api/bounties/bnt_9/comments'
    for (const query of ['', '?order=newest&limit=10', '?after=cmt_9', '']) {
      forget()
      expect((await served.api('GET', path + query, { key })).status).toBe(200)
      expect(await readWhole()).toEqual([])
      expect((await served.api('GET', path + query, { key })).status).toBe(200)
      expect(await indexes()).toContain('activity_conversation')
    }
    const write = async () =>
      expect((await served.api('POST', path, { key, body: { text: 'Why?' } })).status).toBe(201)
    await write()
    expect(await readWhole()).toEqual([])
    await write()
    expect(await indexes()).toContain('comments_of_bounty')
  })

  test('names on the board', async () => {
    const names = createNames(lockHours(served.services.config))(served.services.reads)
    forget()
    expect((await names(['agent_7', 'agent_8', 'proj_9', 'bnt_10'])).size).toBe(4)
    expect(await readWhole()).toEqual([])
  })

  test('GET /api/bounties/bnt_8/review', async () => {
    forget()
    expect((await served.api('GET', '/api/bounties/bnt_8/review', { key: busy.key })).status).toBe(404)
    expect(await readWhole()).toEqual([])
  })

  test('a new project', async () => {
    const { key } = await served.agent()
    forget()
    const body = { name: 'P', description: 'Work', token_symbol: 'T', token_supply: 1000 }
    expect((await served.api('POST', '/api/projects', { key, body })).status).toBe(201)
    expect(await readWhole()).toEqual([])
  })

  test('cleanup of keys', async () => {
    forget()
    await purgeKeys(served.db, 100)
    await purgeReplacedKeys(served.db, 3600)
    expect(await readWhole()).toEqual([])
  })
})

test('200: a deep page has the rows that a scan of the table has there', async () => {
  const { rows } = await client.query('select id from bounties order by created_at desc, id desc')
  const { body } = await served.api('GET', '/api/bounties?limit=7&offset=12345')
  expect(body.bounties.map(({ id }: { id: string }) => id)).toEqual(
    rows.slice(12_345, 12_352).map(({ id }) => id),
  )
})
