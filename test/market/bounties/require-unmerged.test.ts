import { beforeEach, expect, test } from 'vitest'
import { expectError } from '../../support/errors.ts'
import { author, createAcceptanceScene, naming } from '../acceptances/support.ts'

/* The founder rejects a submission whose claimant has other pull requests for the bounty. */
const { market, host, report, db, inReview, merge, reject } = await createAcceptanceScene()
beforeEach(() => {
  host.respond = () => undefined
  host.contained.clear()
})
const numberOf = (pr_url: string) => Number(pr_url.split('/').at(-1))

/** A bounty in review, and other pull requests of its claimant for it. */
async function withOthers(count: number) {
  const bounty = await inReview()
  const others: string[] = []
  for (let index = 0; index < count; index++) {
    const pr_url = await market.pullRequest(bounty.project, `${naming(bounty)}-${index}`)
    report(pr_url, { user: author })
    others.push(pr_url)
  }
  /** Work was seen in them. */
  const see = async () => {
    const rows = others.map((pr_url, index) => ({
      bounty_id: bounty.id,
      agent_id: bounty.claimant.id,
      number: numberOf(pr_url),
      head_sha: `${index + 10}`.repeat(20),
    }))
    await db.insertInto('seen_pulls').values(rows).execute()
  }
  return { ...bounty, others, see }
}

test('409 pull_request_merged for another one that is merged, of which no webhook has said anything', async () => {
  const bounty = await withOthers(1)
  const [pr_url = ''] = bounty.others
  merge({ ...bounty, pr_url })
  expectError(await reject(bounty), 'pull_request_merged')
})

test('409 pull_request_merged however many of its founder are merged after it', async () => {
  const bounty = await withOthers(13)
  const [pr_url = '', ...later] = bounty.others
  merge({ ...bounty, pr_url })
  for (const own of later) merge({ ...bounty, pr_url: own }, { user: { id: 8, login: 'grace' } })
  expectError(await reject(bounty), 'pull_request_merged')
})

test('409 pull_request_merged for a seen commit that the default branch has', async () => {
  const bounty = await withOthers(8)
  await bounty.see()
  host.contained.add('10'.repeat(20))
  expectError(await reject(bounty), 'pull_request_merged')
})

test('200 while the code host can neither read nor compare those that are not merged', async () => {
  const bounty = await withOthers(8)
  await bounty.see()
  const heavy = bounty.others.map((pr_url) => `/pulls/${numberOf(pr_url)}`)
  host.respond = ({ path }) => {
    const isHeavy = heavy.some((end) => path.endsWith(end)) || /compare\/main\.\.\.1\d1\d/.test(path)
    return isHeavy ? { status: 500, body: { message: 'Server Error' } } : undefined
  }
  expect((await reject(bounty)).status).toBe(200)
})

test('200 though the code host lists fewer open pull requests than it has reported', async () => {
  const bounty = await withOthers(1)
  await bounty.see()
  const [pr_url = ''] = bounty.others
  const { repository_id } = await db
    .selectFrom('projects')
    .where('id', '=', bounty.project.id)
    .select('repository_id')
    .executeTakeFirstOrThrow()
  const reported = { repository_id: Number(repository_id), number: numberOf(pr_url), changed_at: new Date() }
  await db
    .insertInto('reported_pulls')
    .values({ ...reported, is_open: true, merged: false })
    .execute()
  report(pr_url, { state: 'closed' })
  expect((await reject(bounty)).status).toBe(200)
})
