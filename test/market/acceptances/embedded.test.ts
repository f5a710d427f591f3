/** @module-tag git */
import { beforeAll, expect, test } from 'vitest'
import { createDeskMarket } from '../../board/support/desk.ts'
import { expectError } from '../../support/errors.ts'
import { until } from '../../support/until.ts'

/* Real git, webhooks of the embedded code host, and the loops of a running service. */
let desk: Awaited<ReturnType<typeof createDeskMarket>>
beforeAll(async () => {
  desk = await createDeskMarket()
})

test.each([
  ['merged', 'PUT', '/merge', () => ({ merge_method: 'squash' })],
  ['merged without its pull request', 'POST', '/../../merges', (head: string) => ({ base: 'main', head })],
])(
  'what is %s at the embedded code host, and rejected at once, is paid to its author without anybody acting',
  async (name, method, path, body) => {
    const { market, founder } = desk
    const work = await desk.submitted(name)
    const { head } = work
    const pull = `${market.github.apiUrl}/repos${new URL(work.pr_url).pathname.replace('/pull/', '/pulls/')}`
    const merged = await fetch(pull + path, {
      method,
      headers: { authorization: `Bearer ${market.githubToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(body(head)),
    })
    expect(merged.ok).toBe(true)
    const rejected = await market.act(work, 'reject', founder, { review_notes: 'No.' })
    expect(rejected.status).not.toBe(200)
    await until(async () => (await desk.submission(work)).status === 'approved')
    expect(await desk.submission(work)).toMatchObject({ accepted_by: 'merge' })
    const payouts = market.db.selectFrom('payouts').select(['head_sha', 'status'])
    expect(await payouts.where('submission_id', '=', work.submissionId).execute()).toEqual([
      { head_sha: head, status: 'settled' },
    ])
    const again = await market.act(work, 'merge', founder, {})
    expect(again.status).toBe(200)
    const cancelled = await market.act(work, 'cancel', founder)
    expectError(cancelled, 'bounty_not_open')
  },
)
