import { sql } from 'kysely'
import pino from 'pino'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { startClaims } from '../../../server/code/claims/loop.ts'
import { openLapsed } from '../../../server/market/deadlines/store.ts'
import { beatHeart } from '../../support/deadlines.ts'
import { expectError } from '../../support/errors.ts'
import { readRow } from '../../support/stored.ts'
import { until } from '../../support/until.ts'
import { author, createAcceptanceScene } from './support.ts'

/* The code host lists a merge, shows the pull request by itself as it was before, and reports nothing. */
const scene = await createAcceptanceScene()
const { market, db, host, report, inReview, start, expectPaid, post, project, merge, served } = scene
beforeEach(async () => {
  host.respond = () => undefined
  await beatHeart(db)
})

/** It is merged now, and read by itself it is open. */
function mergeUnshown({ pr_url }: { pr_url: string }): void {
  const path = `/repos${new URL(pr_url).pathname.replace('/pull/', '/pulls/')}`
  host.respond = async (request) => {
    if (request.path !== path || request.method !== 'GET') return undefined
    const headers = { authorization: request.headers.authorization ?? '' }
    const shown = await fetch(market.github.apiUrl + path, { headers })
    return { status: 200, body: { ...((await shown.json()) as object), user: author } }
  }
  merge({ pr_url } as Parameters<typeof merge>[0])
}
const asksForPull = (pr_url: string) => {
  const number = pr_url.split('/').at(-1)
  return host.requests.filter(({ path }) => path.endsWith(`/pulls/${number}`)).length
}

test.each(['reject', 'request-changes'])(
  '502 repository_unreachable to %s; it is paid once the host shows the merge',
  async (verb) => {
    const bounty = await inReview()
    mergeUnshown(bounty)
    const body = { review_notes: 'No.' }
    const refused = await post(`/api/bounties/${bounty.id}/${verb}`, bounty.founder.key, body)
    expectError(refused, 'repository_unreachable')
    host.respond = () => undefined
    await expectPaid(bounty)
  },
)

test('no deadline ends the claim while the host shows the older state, and the work is submitted afterwards', async () => {
  const bounty = await market.claimedBounty({ project })
  const pr_url = await market.work(bounty)
  report(pr_url, { user: author })
  mergeUnshown({ pr_url })
  await sql`update bounties set claimed_at = now() - interval '2 days', claim_expires_at = now() - interval '1 second',
    proof_due_at = null, seen_sha = ${'b'.repeat(40)}, look_at = now() where id = ${bounty.id}`.execute(db)
  const { repositories } = served.services
  if (!repositories) throw new Error('no code host')
  const log = pino({ enabled: false })
  const loop = startClaims({ db, repositories, timing: { pullRequestsMs: 10 }, log })
  onTestFinished(() => loop.stop())
  await until(async () => (await readRow(db, 'bounties', { id: bounty.id })).listed_at !== null)
  const before = asksForPull(pr_url)
  start()
  await until(async () => asksForPull(pr_url) > before + 1)
  expect(await openLapsed(db, 10)).toEqual([])
  host.respond = () => undefined
  await until(async () => (await readRow(db, 'bounties', { id: bounty.id })).status === 'in_review')
})
