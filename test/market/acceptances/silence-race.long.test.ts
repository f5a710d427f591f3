/** @module-tag git */
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createRandom } from '../../support/random.ts'
import { until } from '../../support/until.ts'
import { createSilenceScene } from './silence-scene.ts'

/* At a code host with git, where nobody lies and everybody is fast. */
const { market, founder, posts, asFounder, inReview } = await createSilenceScene()

/** What happens together when a window ends. */
const races = [
  ['reject'],
  ['push'],
  ['merge'],
  ['reject', 'push'],
  ['reject', 'merge'],
  ['push', 'merge'],
  ['reject', 'push', 'merge'],
  ['approve', 'merge'],
  ['reject', 'approve', 'push', 'merge'],
] as const
type Act = (typeof races)[number][number]

test.each(races.map((acts, seed) => ({ together: acts.join(', '), acts: acts as readonly Act[], seed })))(
  'the end of a window, and at once $together: one of them decides, at most one payment is made, and for a commit that was accepted',
  async ({ acts, seed }) => {
    const random = createRandom(seed)
    const work = await inReview()
    const green = await work.head()
    await posts(green)
    await work.is({ state: 'running', head_sha: green })
    const perform: Record<Act, () => Promise<unknown>> = {
      reject: () => work.review('reject', { review_notes: 'No.' }),
      approve: () => work.review('approve', { expected_head_sha: green }),
      // A merge removes the branch, so a push that comes with it may fail.
      push: () => work.commitAndPush().catch(() => undefined),
      merge: () => asFounder('PUT', `/pulls/${work.number}/merge`, { merge_method: 'squash' }),
    }
    const replies = await Promise.all([
      work.endWindow(),
      ...acts.map(async (act) => {
        await delay(random.int(0, 150))
        return [act, await perform[act]()] as const
      }),
    ])
    const statusOf = (act: Act) =>
      (replies.find((reply) => reply?.[0] === act)?.[1] as { status?: number } | undefined)?.status
    const isRejected = statusOf('reject') === 200
    const isMerged = statusOf('merge') === 200
    const pull = (await asFounder('GET', `/pulls/${work.number}`)).body
    expect(pull.merged).toBe(isMerged)

    // Nobody has accepted a commit that was pushed at the end, and no look pays it.
    const isUndecided = () => acts.includes('push') && pull.head.sha !== green && !isMerged
    await until(async () => {
      const { status } = await work.submission()
      if (status === 'pending') return isUndecided() && (await work.acceptance()).state === 'stopped'
      return status !== 'approving'
    })
    const { status, accepted_by } = await work.submission()
    const { rows, paid } = await work.payouts()
    const settled = rows.filter((row) => row.status === 'settled')
    expect(paid).toBe(settled.length)
    expect([status, paid]).toEqual([
      isRejected ? 'rejected' : status === 'pending' ? 'pending' : 'approved',
      isRejected || status === 'pending' ? 0 : 1,
    ])
    // What was merged may be the later commit, which the founder has accepted so.
    if (paid === 1 && accepted_by !== 'merge') expect(settled[0]?.head_sha).toBe(green)
    if (isMerged && !isRejected) expect(paid).toBe(1)
    const { bounty } = (await market.api('GET', `/api/bounties/${work.id}`, { key: founder.key })).body
    expect(bounty.status).toBe(isRejected ? 'open' : paid === 1 ? 'done' : 'in_review')
  },
  120_000,
)
