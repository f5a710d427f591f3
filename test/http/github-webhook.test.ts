import { createHmac, randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { deleteOldDeliveries } from '../../server/code/pull-requests/deliveries.ts'
import { keepListedMerges } from '../../server/code/pull-requests/reports.ts'
import { createTestMarket } from '../support/market.ts'
import { createRows } from '../support/rows.ts'
import { readRow, setRows } from '../support/stored.ts'

const secret = 'a secret of the code host'
const market = await createTestMarket({ settings: { GITHUB_WEBHOOK_SECRET: secret } })
const { db } = market
const rows = createRows(db)
const project = await market.activeProject()
const other = await market.activeProject()
const head = 'a'.repeat(40)
const repositoryId = await repositoryOf(project.id)

async function repositoryOf(projectId: string) {
  const row = await db
    .selectFrom('projects')
    .where('id', '=', projectId)
    .select('repository_id')
    .executeTakeFirstOrThrow()
  return Number(row.repository_id)
}

/** Stores a pull request that was read a minute ago and is to be read again in ten. */
const storePullRequest = (project_id: string, number: number, fields: object = {}) =>
  rows.pullRequest({
    project_id,
    number,
    read_at: new Date(Date.now() - 60_000),
    due_at: new Date(Date.now() + 600_000),
    ...fields,
  })

/** `{project}#{number}` of those that are to be read now. */
async function due() {
  const rows = await db
    .selectFrom('pull_requests')
    .where('due_at', '<=', sql<Date>`now()`)
    .select(['project_id', 'number'])
    .orderBy('number')
    .execute()
  return rows.map(({ project_id, number }) => `${project_id}#${number}`)
}

beforeEach(async () => {
  await db.deleteFrom('github_deliveries').execute()
  await db.deleteFrom('pull_requests').execute()
  await storePullRequest(project.id, 1)
  await storePullRequest(project.id, 2, { head_sha: 'b'.repeat(40) })
  await storePullRequest(other.id, 1)
})

const sign = (body: string, key = secret) => `sha256=${createHmac('sha256', key).update(body).digest('hex')}`

async function deliver(event: string, payload: unknown, headers: Record<string, string | undefined> = {}) {
  const body = typeof payload === 'string' ? payload : JSON.stringify(payload)
  const all = {
    'content-type': 'application/json',
    'x-github-event': event,
    'x-github-delivery': randomUUID(),
    'x-hub-signature-256': sign(body),
    ...headers,
  }
  const given = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const response = await fetch(`${market.baseUrl}/github/webhook`, { method: 'POST', headers: given, body })
  return { status: response.status, body: JSON.parse(await response.text()) }
}

const ofPullRequest = (number: number) => ({
  action: 'synchronize',
  number,
  pull_request: { number, title: 'A title', head: { sha: head } },
  repository: { id: repositoryId },
})

describe('202, and read again is', () => {
  test('the pull request of that number in that repository', async () => {
    expect((await deliver('pull_request', ofPullRequest(2))).status).toBe(202)
    expect(await due()).toEqual([`${project.id}#2`])
  })

  test.each([
    ['check_run', { action: 'completed', check_run: { id: 31, head_sha: head } }, '31'],
    ['check_suite', { action: 'completed', check_suite: { id: 32, head_sha: head } }, null],
    ['status', { id: 33, sha: head, state: 'success' }, '33'],
  ])(
    'the pull request with the commit of a %s, which is stored only where silence may pay for it',
    async (event, payload, id) => {
      const reports = async () => {
        expect((await deliver(event, { ...payload, repository: { id: repositoryId } })).status).toBe(202)
        const stored = await db.selectFrom('github_deliveries').select('check_id').execute()
        return stored.map(({ check_id }) => check_id?.toString() ?? null)
      }
      expect(await reports()).toEqual([])
      expect(await due()).toEqual([`${project.id}#1`])
      const ruled = await rows.bountyAt('claimed', { project_id: project.id, acceptance: {} })
      expect(await reports()).toEqual([id])
      await setRows(db, 'bounties', { id: ruled }, { acceptance: null })
    },
  )

  test('every pull request of a repository that was renamed, but for those that are over', async () => {
    await storePullRequest(project.id, 3, { merged: true, due_at: null })
    await deliver('repository', { action: 'renamed', repository: { id: repositoryId } })
    expect(await due()).toEqual([`${project.id}#1`, `${project.id}#2`])
  })

  test.each([
    ['a merged pull request', ofPullRequest(3)],
    ['an unknown repository', { ...ofPullRequest(1), repository: { id: 999_999_999 } }],
    ['no repository', { action: 'created', pull_request: { number: 1 } }],
    ['ids that are none', { pull_request: { number: 'x' }, repository: { id: -1 }, sha: `${head};` }],
    ['a ping', { zen: 'Keep it logically awesome.', hook_id: 1 }],
  ])('nothing for %s', async (_, payload) => {
    await storePullRequest(project.id, 3, { merged: true, due_at: null })
    expect((await deliver('pull_request', payload)).status).toBe(202)
    expect(await due()).toEqual([])
  })

  test('nothing when the delivery is repeated', async () => {
    const id = { 'x-github-delivery': 'b7d2a8a0' }
    await deliver('pull_request', ofPullRequest(1), id)
    await db.updateTable('pull_requests').set({ due_at: null }).execute()
    expect((await deliver('pull_request', ofPullRequest(1), id)).status).toBe(202)
    expect(await due()).toEqual([])
  })

  test('five seconds after the last reading, if it was read moments ago', async () => {
    await db.updateTable('pull_requests').set({ read_at: sql`now()` }).execute()
    await deliver('pull_request', ofPullRequest(1))
    const row = await db
      .selectFrom('pull_requests')
      .where('project_id', '=', project.id)
      .where('number', '=', 1)
      .select(sql<number>`extract(epoch from due_at - read_at)::float8`.as('pause'))
      .executeTakeFirstOrThrow()
    expect(row.pause).toBe(5)
  })
})

describe('202, and nothing is stored', () => {
  test.each<[string, string, object]>([
    ['an event of later, with digits in its name', 'projects_v2_item', { action: 'edited' }],
    ['an event that is about no pull request', 'star', { repository: { id: repositoryId } }],
    [
      'a repository that is no project',
      'pull_request',
      { ...ofPullRequest(1), repository: { id: 999_999_999 } },
    ],
  ])('of %s', async (_, event, payload) => {
    expect((await deliver(event, payload)).status).toBe(202)
    expect(await db.selectFrom('github_deliveries').select('id').execute()).toEqual([])
  })

  test('of a repository beyond 1000 a day; the pull request is read again all the same', async () => {
    await sql`insert into github_deliveries (id, event, repository_id)
      select 'full-' || nth, 'push', ${repositoryId} from generate_series(1, 1000) nth`.execute(db)
    const count = async () => (await db.selectFrom('github_deliveries').select('id').execute()).length
    expect((await deliver('pull_request', ofPullRequest(2))).status).toBe(202)
    expect([await count(), await due()]).toEqual([1000, [`${project.id}#2`]])
    const ofOther = { ...ofPullRequest(1), repository: { id: await repositoryOf(other.id) } }
    await deliver('pull_request', ofOther)
    expect(await count()).toBe(1001)
    await db.updateTable('github_deliveries').set({ received_at: sql`now() - interval '25 hours'` }).execute()
    await deliver('pull_request', ofPullRequest(2))
    expect(await count()).toBe(1002)
  })
})

test.each([
  ['installation', { action: 'deleted', repositories: [{ id: repositoryId }, { id: 999_999 }] }],
  ['installation', { action: 'suspend', repositories: [{ id: repositoryId }] }],
  ['installation_repositories', { action: 'removed', repositories_removed: [{ id: repositoryId }] }],
  ['repository', { action: 'privatized', repository: { id: repositoryId } }],
])(
  '%s: an own repository of a project is looked at, and nothing is stored of an installation',
  async (event, payload) => {
    const later = new Date(Date.now() + 3_600_000)
    const active = { repository_look_at: later, repository_missing: [] as string[] }
    for (const { id } of [project, other]) await setRows(db, 'projects', { id }, active)
    expect((await deliver(event, payload)).status).toBe(202)
    const reported = await readRow(db, 'projects', { id: project.id })
    expect(reported.repository_look_at?.getTime()).toBeLessThan(later.getTime())
    expect(reported.repository_missing).toEqual(['reported'])
    const { repository_look_at } = await readRow(db, 'projects', { id: other.id })
    expect(repository_look_at).toEqual(later)
    const stored = await db.selectFrom('github_deliveries').select('event').execute()
    expect(stored).toEqual(event === 'repository' ? [{ event }] : [])
    for (const { id } of [project, other]) await setRows(db, 'projects', { id }, { repository_look_at: null })
  },
)

test.each<[string, object, boolean]>([
  ['whole', {}, true],
  ['without who merged it', { merged_by: null }, false],
  ['by an account that is gone', { merged_by: { id: 10_137, login: 'ghost' } }, false],
  ['without its commit', { merge_commit_sha: null }, false],
])(
  'a merge that is reported %s is kept so, also where a list has shown it: %j',
  async (_, members, isKept) => {
    await db.deleteFrom('reported_pulls').execute()
    const merged_at = '2026-11-01T10:00:00Z'
    const listed = { number: 1, merged_at: new Date(merged_at), head_ref: 'work', head_sha: head }
    await keepListedMerges(db, repositoryId, [{ ...listed, opened_at: null, base: 'main' }])
    const merge = { merged_at, merge_commit_sha: 'c'.repeat(40) }
    const merged_by = { id: 2 ** 31 + 1, login: 'grace' }
    const state = { number: 1, state: 'closed', updated_at: merged_at, head: { ref: 'work', sha: head } }
    const pull_request = { ...state, ...merge, merged_by, ...members }
    await deliver('pull_request', { action: 'closed', pull_request, repository: { id: repositoryId } })
    const kept = { ...merge, merged_by_id: merged_by.id, head_sha: head }
    expect((await readRow(db, 'reported_pulls', { number: 1 })).merge).toEqual(isKept ? kept : null)
  },
)

test('only ids are stored, no text of the payload', async () => {
  await deliver('pull_request', ofPullRequest(1), { 'x-github-delivery': 'b7d2a8a1' })
  const { received_at, ...stored } = await db
    .selectFrom('github_deliveries')
    .selectAll()
    .executeTakeFirstOrThrow()
  expect(received_at).toBeInstanceOf(Date)
  expect(stored).toEqual({
    id: 'b7d2a8a1',
    event: 'pull_request',
    action: 'synchronize',
    repository_id: repositoryId,
    pull_number: 1,
    head_sha: null,
    check_id: null,
  })
})

describe('refused, and nothing is stored:', () => {
  const body = JSON.stringify(ofPullRequest(1))
  test.each([
    ['401 signature_invalid without a signature', { 'x-hub-signature-256': undefined }],
    ['401 signature_invalid by another secret', { 'x-hub-signature-256': sign(body, 'another secret') }],
    ['401 signature_invalid of another body', { 'x-hub-signature-256': sign('{}') }],
    ['401 signature_invalid by SHA-1', { 'x-hub-signature-256': 'sha1=00' }],
    ['400 malformed_request without an id', { 'x-github-delivery': undefined }],
    ['400 malformed_request with an endless id', { 'x-github-delivery': 'x'.repeat(101) }],
    ['400 malformed_request with a strange event', { 'x-github-event': 'pull_request; drop' }],
    ['415 unsupported_media_type as a form', { 'content-type': 'application/x-www-form-urlencoded' }],
  ])('%s', async (outcome, headers) => {
    const { status, body: response } = await deliver('pull_request', body, headers)
    expect(`${status} ${response.error.code}`).toBe(outcome.split(' ').slice(0, 2).join(' '))
  })

  test.each(['not json', '[', '"text"', '7', 'null'])('400 invalid_json, signed: %s', async (text) => {
    const { status, body: response } = await deliver('pull_request', text)
    expect([status, response.error.code]).toEqual([400, 'invalid_json'])
  })

  test('401 before a broken body is parsed', async () => {
    expect((await deliver('pull_request', 'not json', { 'x-hub-signature-256': sign('') })).status).toBe(401)
  })

  test('413 payload_too_large above 1 MiB, 202 at it', async () => {
    const filled = (bytes: number) => `{"filler":"${'x'.repeat(bytes - 13)}"}`
    expect((await deliver('push', filled(1024 ** 2))).status).toBe(202)
    const { status, body: response } = await deliver('push', filled(1024 ** 2 + 1))
    expect([status, response.error.code, response.error.message]).toEqual([
      413,
      'payload_too_large',
      'The request body is larger than 1024 KiB.',
    ])
    await db.deleteFrom('github_deliveries').execute()
  })

  beforeEach(async () => {
    return async () => expect(await db.selectFrom('github_deliveries').select('id').execute()).toEqual([])
  })
})

test('405 for other methods, with Allow', async () => {
  const response = await fetch(`${market.baseUrl}/github/webhook`)
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
  await response.text()
})

test('404 without a secret, whatever the signature', async () => {
  const without = await createTestMarket({ sharing: market, engines: false })
  const body = '{}'
  const response = await fetch(`${without.baseUrl}/github/webhook`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-github-event': 'ping',
      'x-github-delivery': '1',
      'x-hub-signature-256': sign(body),
    },
    body,
  })
  expect([response.status, JSON.parse(await response.text()).error.code]).toEqual([404, 'not_found'])
  await without.close()
})

test('a body that never ends costs no more than its limit: 413 before it is complete', async () => {
  const { hostname, port } = new URL(market.baseUrl)
  const socket = connect(Number(port), hostname)
  const head = [
    'POST /github/webhook HTTP/1.1',
    `Host: ${hostname}`,
    'Content-Type: application/json',
    'X-GitHub-Event: push',
    'X-GitHub-Delivery: endless',
    'Transfer-Encoding: chunked',
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
  const response = new Promise<string>((resolve) => socket.once('data', (bytes) => resolve(String(bytes))))
  socket.on('error', () => undefined)
  for (let sent = 0; sent < 20; sent++) socket.write(chunk)
  expect((await response).split('\r\n')[0]).toBe('HTTP/1.1 413 Payload Too Large')
  socket.destroy()
})

test('ids older than a week are deleted, and no others', async () => {
  await deliver('pull_request', ofPullRequest(1), { 'x-github-delivery': 'old' })
  await deliver('pull_request', ofPullRequest(1), { 'x-github-delivery': 'new' })
  for (const [id, days] of [
    ['old', 8],
    ['new', 6],
  ] as const)
    await db
      .updateTable('github_deliveries')
      .set({ received_at: sql`now() - make_interval(days => ${days}::int)` })
      .where('id', '=', id)
      .execute()
  await deleteOldDeliveries(db)
  expect(await db.selectFrom('github_deliveries').select('id').execute()).toEqual([{ id: 'new' }])
})
