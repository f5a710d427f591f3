import { expect, test } from 'vitest'
import { recordActivity } from '../../../server/events/record.ts'
import { expectError, expectInvalid } from '../../support/errors.ts'
import { createTestMarket } from '../../support/market.ts'
import { commentsOn, type Part } from './support/comments.ts'

const market = await createTestMarket()
const project = await market.activeProject({ token_supply: 1_000_000_000 })
const { founder } = project
const { write, list } = commentsOn(market)
const reader = await market.register()
const idsOf = (parts: Part[]) => parts.map(({ id }) => id)
const act = async (path: string, { key }: { key: string }, body: object) => {
  const { status } = await market.api('POST', path, { key, body })
  expect([200, 201]).toContain(status)
}

test('200 with nothing, and 404 bounty_cancelled', async () => {
  const bounty = await market.openBounty({ project })
  expect(await list(bounty, reader)).toMatchObject({
    status: 200,
    body: { comments: [], next: null },
  })
  await write(bounty, reader)
  await act(`/api/bounties/${bounty.id}/cancel`, founder, {})
  expectError(await list(bounty, reader), 'bounty_cancelled')
})

test('200 with comments, review notes and reasons as one conversation', async () => {
  const bounty = await market.openBounty({ project })
  const path = `/api/bounties/${bounty.id}`
  const worker = await market.register()
  const claim = () => act(`${path}/claim`, worker, {})
  const submit = async () => {
    const body = { pr_url: await market.pullRequest(project) }
    return (await market.api('POST', `${path}/submit`, { key: worker.key, body })).body.submission.id
  }
  const asked = await write(bounty, reader, 'Which weeks?')
  await claim()
  await act(`${path}/release`, worker, { reason: 'I was not ready.' })
  await claim()
  const first = await submit()
  await act(`${path}/request-changes`, founder, { review_notes: 'Tests, please.' })
  const second = await submit()
  await act(`${path}/reject`, founder, { review_notes: 'Does not build.' })
  await market.api('POST', `${path}/claim`, { key: worker.key })
  await act(`${path}/dismiss`, founder, { review_notes: 'Somebody else, please.' })
  const answered = await write(bounty, founder, 'All of them.')

  const { comments } = (await list(bounty, reader)).body as { comments: Part[] }
  const told = comments.map(({ kind, agent_id, role, text }) => [kind, agent_id, role, text])
  expect(told).toEqual([
    ['comment', reader.id, 'other', 'Which weeks?'],
    ['released', worker.id, 'claimant', 'I was not ready.'],
    ['changes_requested', founder.id, 'founder', 'Tests, please.'],
    ['rejected', founder.id, 'founder', 'Does not build.'],
    ['dismissed', founder.id, 'founder', 'Somebody else, please.'],
    ['comment', founder.id, 'founder', 'All of them.'],
  ])
  expect(comments.map(({ submission_id }) => submission_id)).toEqual([null, null, first, second, null, null])
  expect([comments[0], comments[5]]).toEqual([asked, answered])
  const times = comments.map(({ created_at }) => created_at)
  expect(times).toEqual(times.toSorted())
})

test('200 with the reason of a retraction and the notes of an approval; without words nothing is said', async () => {
  const retracted = await market.bountyInReview({ project })
  const silent = await market.bountyInReview({ project })
  const body = { reason: 'Found a fault.' }
  await act(`/api/submissions/${retracted.submissionId}/retract`, retracted.claimant, body)
  expect((await list(retracted, reader)).body.comments).toMatchObject([
    { kind: 'retracted', agent_id: retracted.claimant.id, role: 'contributor', text: 'Found a fault.' },
  ])
  // A reason is no review.
  const submission = await market.api('GET', `/api/submissions/${retracted.submissionId}`, {
    key: retracted.claimant.key,
  })
  expect(submission.body.submission.review_notes).toBeNull()
  await act(`/api/submissions/${silent.submissionId}/retract`, silent.claimant, {})
  expect((await list(silent, reader)).body.comments).toEqual([])
  const approved = await market.bountyInReview({ project })
  await act(`/api/bounties/${approved.id}/approve`, founder, { review_notes: 'Well done.' })
  expect((await list(approved, reader)).body.comments).toMatchObject([
    { kind: 'approved', agent_id: founder.id, submission_id: approved.submissionId, text: 'Well done.' },
  ])
})

test('200 page by page in either order, from any part on', async () => {
  const bounty = await market.claimedBounty({ project })
  const all: string[] = []
  for (let index = 0; index < 3; index++) all.push((await write(bounty, founder)).id)
  await act(`/api/bounties/${bounty.id}/release`, bounty.claimant, { reason: 'No time.' })
  all.push((await list(bounty, reader, '?order=newest&limit=1')).body.comments[0].id)
  all.push((await write(bounty, founder)).id)
  for (const [order, expected] of [
    ['oldest', all],
    ['newest', all.toReversed()],
  ] as const) {
    const found: string[] = []
    for (let after = ''; ; ) {
      const { body } = await list(bounty, reader, `?order=${order}&limit=2${after}`)
      found.push(...idsOf(body.comments))
      if (body.next === null) break
      expect(body.next).toBe(found.at(-1))
      after = `&after=${body.next}`
    }
    expect(found).toEqual(expected)
  }
  for (const [index, id] of all.entries())
    expect(idsOf((await list(bounty, reader, `?after=${id}`)).body.comments)).toEqual(all.slice(index + 1))
})

test('400 validation_failed for `after` that is no part of this conversation', async () => {
  const bounty = await market.openBounty({ project })
  const other = await market.openBounty({ project })
  const hidden = { type: 'webhook.tested', visibility: 'private', bounty_id: bounty.id } as const
  const foreign = [(await write(other, reader)).id, await recordActivity(market.db, hidden)]
  for (const after of foreign) expectInvalid(await list(bounty, reader, `?after=${after}`), 'after')
})
