import { sql } from 'kysely'
import pino from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { startPullRequests } from '../../../server/code/pull-requests/loop.ts'
import { createPullRequestMarket } from '../../support/pull-requests.ts'
import { proxyPage } from '../../support/request-faults.ts'
import { readRow } from '../../support/stored.ts'
import { until } from '../../support/until.ts'
import { organization } from '../../support/world.ts'

const scene = await createPullRequestMarket()
const { market, host, served, report } = scene
const { db } = market
const project = await market.activeProject()

function start(timing = { pullRequestsMs: 10 }) {
  const lines: string[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
  const { repositories } = served.services
  if (!repositories) throw new Error('no code host')
  const loop = startPullRequests({
    db,
    repositories,
    log,
    hasWebhook: false,
    timing,
  })
  onTestFinished(() => loop.stop())
  return { lines, loop }
}
const nothingIsDue = async () =>
  (await db.selectFrom('pull_requests').where('due_at', '<=', sql<Date>`now()`).select('url').execute())
    .length === 0

test('reads what was submitted, in two processes once each, with its checks', async () => {
  const bounties = await Promise.all(Array.from({ length: 7 }, () => market.bountyInReview({ project })))
  host.requests.length = 0
  await sql`update pull_requests set due_at = now()`.execute(db)
  for (const { pr_url } of bounties)
    host.checks.set((await scene.row(pr_url)).head_sha, { runs: [['build', 'completed', 'success']] })
  start()
  start()
  const states = async () =>
    (await Promise.all(bounties.map(({ pr_url }) => scene.row(pr_url)))).map((row) => row.checks_state)
  await until(async () => (await states()).every((state) => state === 'success'))
  expect(host.requests).toHaveLength(7 * 4)
  expect((await scene.entries(bounties[0]?.pr_url ?? '')).map(({ type }) => type)).toEqual([
    'pull_request.updated',
  ])
  expect(await nothingIsDue()).toBe(true)
})

test('while the host fails it reports one outage and puts the readings off by a minute, however old the facts are; then it goes on', async () => {
  const { pr_url } = await market.bountyInReview({ project })
  host.respond = () => proxyPage
  await sql`update pull_requests set due_at = now(), refreshed_at = now() - interval '20 minutes' where url = ${pr_url}`.execute(
    db,
  )
  const { lines } = start()
  await until(nothingIsDue)
  await until(() => lines.length > 0)
  const { rows } = await sql`select from pull_requests where url = ${pr_url}
    and due_at <= now() + interval '1 minute'`.execute(db)
  expect(rows).toHaveLength(1)
  host.respond = () => undefined
  await sql`update pull_requests set due_at = now() where url = ${pr_url}`.execute(db)
  await until(() => lines.length > 1)
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual([
    'pull requests could not be read from the code host; trying again every minute',
    'pull requests are read again',
  ])
})

test.each<[string, number, string]>([
  ['refuses with 422 is due again within a minute', 422, '2 hours'],
  ['refuses with 409 is due again within a minute', 409, '2 hours'],
  ['reads with no credentials, for once perhaps, is due again within a minute', 401, '10 minutes'],
])('one that the host %s, with facts that are minutes or hours old', async (_, status, age) => {
  const { pr_url } = await market.bountyInReview({ project })
  report(pr_url, { merged: true, state: 'closed' })
  host.respond = ({ path }) =>
    path.includes('/compare/') ? { status, body: { message: 'No commit found for SHA' } } : undefined
  await sql`update pull_requests set due_at = now(), refreshed_at = now() - ${age}::interval where url = ${pr_url}`.execute(
    db,
  )
  const { loop } = start()
  await until(nothingIsDue)
  await loop.stop()
  host.respond = () => undefined
  expect(Number((await scene.row(pr_url)).due_at)).toBeLessThan(Date.now() + 61_000)
})

test('those that fail alone do not keep the others from being read', async () => {
  const bounties = await Promise.all(Array.from({ length: 6 }, () => market.bountyInReview({ project })))
  const whole = bounties.pop()?.pr_url ?? ''
  host.respond = ({ path }) =>
    bounties.some(({ pr_url }) => path.endsWith(`/pulls/${pr_url.split('/').at(-1)}`))
      ? { status: 422, body: { message: 'Validation Failed' } }
      : undefined
  await sql`update pull_requests set read_at = now() - interval '1 day',
    due_at = case when url = ${whole} then now() else now() - interval '1 minute' end
    where url = any(${[whole, ...bounties.map(({ pr_url }) => pr_url)]})`.execute(db)
  const { lines } = start({ pullRequestsMs: 3_600_000 })
  await until(nothingIsDue)
  expect(lines).toEqual([])
})

// The last one, because the quota stays low.
test('while the quota is low, what was reported as merged is read, and nothing else', async () => {
  const merged = await market.bountyInReview({ project })
  const other = await market.bountyInReview({ project })
  const { repository_id } = await readRow(db, 'projects', { id: project.id })
  const number = Number(merged.pr_url.split('/').at(-1))
  await db
    .insertInto('reported_pulls')
    .values({
      repository_id: Number(repository_id),
      number,
      is_open: false,
      merged: true,
      changed_at: sql`now()`,
    })
    .execute()
  report(merged.pr_url, { merged: true, state: 'closed' })
  const resetsAt = String(Math.floor(Date.now() / 1000) + 3000)
  host.headers = {
    'x-ratelimit-limit': '5000',
    'x-ratelimit-remaining': '900',
    'x-ratelimit-reset': resetsAt,
  }
  await served.services.repositories?.repositoryIdAt({ owner: organization, repository: 'x' })
  await sql`update pull_requests set due_at = now() where url in (${merged.pr_url}, ${other.pr_url})`.execute(
    db,
  )
  const { loop } = start()
  await until(async () => (await scene.row(merged.pr_url)).merged)
  await loop.stop()
  expect(Number((await scene.row(other.pr_url)).due_at)).toBeLessThan(Date.now())
  host.headers = {}
})
