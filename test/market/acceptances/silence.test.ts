/** @module-tag git */
import { expect, test } from 'vitest'
import { expectError } from '../../support/errors.ts'
import { until } from '../../support/until.ts'
import { createSilenceScene, hourSeconds, rule } from './silence-scene.ts'

/* Founder and contributor at a code host with git; a second stands for an hour. */
const { market, project, founder, posts, postsOnMain, create, inReview, asFounder } =
  await createSilenceScene()

test('400 check_not_found for a check that nobody has posted green on the default branch', async () => {
  expectError(await create({ ...rule, checks: ['never'] }), 'check_not_found')
  const main = (await asFounder('GET', '/commits/main')).body.sha
  await posts(main, 'failure', 'red')
  expectError(await create({ ...rule, checks: ['red'] }), 'check_not_found')
})

test('400 check_not_trusted for a check that two accounts have posted', async () => {
  const main = (await asFounder('GET', '/commits/main')).body.sha
  await posts(main, 'success', 'both')
  const byPlatform = await fetch(
    `${market.github.apiUrl}/repos${new URL(project.repo_url).pathname}/statuses/${main}`,
    {
      method: 'POST',
      headers: { authorization: `Bearer ${market.githubToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ state: 'success', context: 'both' }),
    },
  )
  expect(byPlatform.status).toBe(201)
  expectError(await create({ ...rule, checks: ['both'] }), 'check_not_trusted')
})

test.each([
  ['no check', { checks: [] }],
  ['a check twice', { checks: ['test', 'test'] }],
  ['no path', { allowed_paths: [] }],
  ['braces', { allowed_paths: ['src/{a,b}'] }],
  ['a question mark', { allowed_paths: ['src/?'] }],
  ['a negation', { allowed_paths: ['!src'] }],
  ['no hour', { hours: 0 }],
  ['half an hour', { hours: 0.5 }],
  ['more than two weeks', { hours: 337 }],
])('400 for %s', async (_, changed) => {
  expectError(await create({ ...rule, ...changed }), 'validation_failed')
})

test('green checks and a silent founder pay the contributor for that commit, once, and not before the time', async () => {
  const work = await inReview()
  await work.is({ state: 'waiting', reason: 'checks_not_run' })
  const head = await work.head()
  await posts(head)
  await work.is({ state: 'running', head_sha: head, reason: null })
  const { accepts_at, checks } = await work.acceptance()
  expect(checks).toMatchObject([
    { name: 'test', state: 'success', posted_by: { kind: 'account', name: founder.id } },
  ])
  await until(async () => (await work.submission()).status === 'approved')
  const { rows, paid } = await work.payouts()
  expect(rows).toMatchObject([{ head_sha: head, status: 'settled' }])
  expect(paid).toBe(1)
  expect(rows[0]!.begun_at.getTime()).toBeGreaterThanOrEqual(Date.parse(accepts_at))
  expect(await work.submission()).toMatchObject({ accepted_by: 'rule', acceptance_blocked: null })
  expect(await work.acceptance()).toMatchObject({ state: 'paid', accepts_at: null, reason: null })
  expect(await work.events()).toMatchObject([
    { type: 'acceptance.started', data: { head_sha: head, accepts_at } },
  ])
  const merged = await work.review('merge', {})
  expect(merged.status, JSON.stringify(merged.body)).toBe(200)
})

test('another commit and a repeated check end the window; the whole time begins anew, and what is paid was green for all of it', async () => {
  const work = await inReview()
  const first = await work.head()
  await posts(first)
  await work.is({ state: 'running', head_sha: first })
  await work.commitAndPush()
  const second = await work.head()
  await work.is({ state: 'stopped', head_sha: second, reason: 'checks_not_run' })
  await posts(second)
  await work.is({ state: 'running', head_sha: second })
  await posts(second, 'pending')
  await work.is({ state: 'stopped', reason: 'check_pending' })
  await posts(second, 'failure')
  await work.is({ state: 'stopped', reason: 'check_failed' })
  await posts(second)
  await until(async () => (await work.submission()).status === 'approved')
  const events = await work.events()
  expect(events.map(({ type, data }) => [type, data.reason ?? data.head_sha])).toEqual([
    ['acceptance.started', first],
    ['acceptance.stopped', 'another_commit'],
    ['acceptance.started', second],
    ['acceptance.stopped', 'check_pending'],
    ['acceptance.started', second],
  ])
  const { rows, paid } = await work.payouts()
  expect([rows.map(({ head_sha }) => head_sha), paid]).toEqual([[second], 1])
  const began = events.at(-1)!.created_at.getTime()
  expect(rows[0]!.begun_at.getTime() - began).toBeGreaterThanOrEqual(hourSeconds * 1000 - 50)
})

test('a rejection of what was green pays nothing and counts in the record of the founder', async () => {
  const work = await inReview()
  await posts(await work.head())
  await work.is({ state: 'running' })
  const tasks = await market.api('GET', '/api/agents/me/tasks', { key: founder.key })
  const { accepts_at } = await work.acceptance()
  const task = tasks.body.tasks.find(
    (one: { submission_id: string }) => one.submission_id === work.submissionId,
  )
  expect(task).toMatchObject({
    action: 'review',
    due_at: accepts_at,
    consequence: expect.stringContaining('It is paid then'),
  })
  expect((await work.review('reject', { review_notes: 'No.' })).status).toBe(200)
  expect(await work.payouts()).toEqual({ rows: [], paid: 0 })
  const record = await market.api('GET', `/api/agents/${founder.id}`, { key: founder.key })
  expect(record.body.agent.as_founder).toMatchObject({ rejected: 1, rejected_green: 1 })
  expect(await work.acceptance()).toMatchObject({ state: 'waiting', accepts_at: null, head_sha: null })
})

test('a path that is not allowed never opens a window', async () => {
  const work = await inReview({ ...rule, allowed_paths: ['src/**'] })
  await posts(await work.head())
  await work.is({ state: 'waiting', reason: 'path_not_allowed' })
})

test('a rule is shown before the claim, found in lists, changed by its founder while open, and taken away', async () => {
  await postsOnMain()
  const created = await create(rule)
  const { id } = created.body.bounty
  expect(created.body.bounty).not.toHaveProperty('acceptance')
  const { key } = await market.register()
  const { body } = await market.api('GET', `/api/bounties/${id}/preflight`, { key })
  expect(body.preflight.acceptance).toMatchObject({
    hours: 1,
    checks: [{ name: 'test' }],
    allowed_paths: ['*.txt'],
  })
  const listed = async (acceptance: string) =>
    (await market.api('GET', `/api/bounties?status=open&acceptance=${acceptance}`)).body.bounties.map(
      (one: { id: string }) => one.id,
    )
  const plain = await market.openBounty({ project })
  expect(await listed('true')).toContain(id)
  expect(await listed('true')).not.toContain(plain.id)
  expect(await listed('false')).toContain(plain.id)
  const patch = (acceptance: unknown) =>
    market.api('PATCH', `/api/bounties/${id}`, { key: founder.key, body: { acceptance } })
  expect((await patch(rule)).body.revision).toBe(1)
  expect((await patch({ ...rule, hours: 5 })).body).toMatchObject({ revision: 2, acceptance: { hours: 5 } })
  expect((await patch(null)).body).toMatchObject({ revision: 3, acceptance: null })
  expectError(await market.api('GET', `/api/bounties/${id}/acceptance`, { key }), 'acceptance_not_found')
  expect((await patch(rule)).body.revision).toBe(4)
  await market.api('POST', `/api/bounties/${id}/claim`, { key })
  expectError(await patch(null), 'bounty_not_open')
})
