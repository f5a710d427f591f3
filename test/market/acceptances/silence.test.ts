/** @module-tag git */
import { expect, test } from 'vitest'
import { expectError } from '../../support/errors.ts'
import { until } from '../../support/until.ts'
import { createSilenceScene, rule } from './silence-scene.ts'

/* Founder and contributor at a code host with git. A window is over as soon as a test says so. */
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

test('green checks and a silent founder pay the newest commit, once, after the whole window of that commit', async () => {
  const work = await inReview()
  await work.is({ state: 'waiting', reason: 'checks_not_run' })
  const first = await work.head()
  await posts(first)
  await work.is({ state: 'running', head_sha: first, reason: null })
  const { checks } = await work.acceptance()
  expect(checks).toMatchObject([
    { name: 'test', state: 'success', posted_by: { kind: 'account', name: founder.id } },
  ])
  await work.commitAndPush()
  const second = await work.head()
  await work.is({ state: 'stopped', head_sha: second, reason: 'checks_not_run' })
  const posted = Date.now()
  await posts(second)
  await work.is({ state: 'running', head_sha: second })
  const { accepts_at } = await work.acceptance()
  expect(Date.parse(accepts_at)).toBeGreaterThanOrEqual(posted + 3_600_000)
  expect(Date.parse(accepts_at)).toBeLessThanOrEqual(Date.now() + 3_600_000)
  expect(await work.payouts()).toEqual({ rows: [], paid: 0 })
  await work.endWindow()
  await until(async () => (await work.submission()).status === 'approved')
  const { rows, paid } = await work.payouts()
  expect(rows).toMatchObject([{ head_sha: second, status: 'settled' }])
  expect(paid).toBe(1)
  expect(await work.submission()).toMatchObject({ accepted_by: 'rule', acceptance_blocked: null })
  expect(await work.acceptance()).toMatchObject({ state: 'paid', accepts_at: null, reason: null })
  const events = await work.events()
  expect(events.map(({ type, data }) => [type, data.reason ?? data.head_sha])).toEqual([
    ['acceptance.started', first],
    ['acceptance.stopped', 'another_commit'],
    ['acceptance.started', second],
  ])
  expect(events[2]!.data.accepts_at).toBe(accepts_at)
  const merged = await work.review('merge', {})
  expect(merged.status, JSON.stringify(merged.body)).toBe(200)
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
