import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { serve } from '../../http/serve.ts'
import { expectError } from '../../support/errors.ts'
import { createRows } from '../../support/rows.ts'

const served = await serve()
const { db } = served
const rows = createRows(db)
const founder = await served.agent()
const contributor = await served.agent()
const project_id = await rows.project({ founder_id: founder.id })
const agent_id = contributor.id

const get = (id: string, key?: string) => served.api('GET', `/api/submissions/${id}`, { key })
const hours = (count: number) => new Date(Date.now() + count * 3_600_000)
const aBounty = () => rows.bounty({ project_id })

async function handIn(fields: Parameters<typeof rows.submission>[0] = {}) {
  const bounty_id = fields.bounty_id ?? (await aBounty())
  const pr_url = `https://example.org/pull/${bounty_id}`
  return { id: await rows.submission({ agent_id, pr_url, ...fields, bounty_id }), bounty_id, pr_url }
}

test('200 for the contributor and the founder while it waits for its review', async () => {
  const created_at = hours(-1)
  const review_due_at = hours(167)
  const { id, bounty_id, pr_url } = await handIn({ created_at, review_due_at })
  for (const { key } of [contributor, founder])
    expect(await get(id, key)).toMatchObject({
      status: 200,
      body: {
        submission: {
          id,
          bounty_id,
          project_id,
          agent_id,
          pr_url,
          status: 'pending',
          review_notes: null,
          review_due_at: review_due_at.toISOString(),
          overdue: false,
          other_submissions: [],
          created_at: created_at.toISOString(),
          reviewed_at: null,
        },
      },
    })
})

test('200 with the notes of a review that has ended, and no deadline', async () => {
  const reviewed_at = hours(-1)
  for (const status of ['approved', 'rejected', 'changes_requested'] as const) {
    const { id } = await handIn({
      status,
      reviewed_at,
      review_due_at: hours(-2),
      review_notes: 'Add a test.',
    })
    expect((await get(id, contributor.key)).body.submission).toMatchObject({
      status,
      review_notes: 'Add a test.',
      reviewed_at: reviewed_at.toISOString(),
      review_due_at: null,
      overdue: false,
    })
  }
})

test('200 without an end of the review for one that was retracted', async () => {
  const { id } = await handIn({ status: 'retracted', reviewed_at: hours(-1) })
  expect((await get(id, contributor.key)).body.submission).toMatchObject({
    status: 'retracted',
    reviewed_at: null,
    review_due_at: null,
    overdue: false,
  })
})

test('200 overdue once the deadline has passed, unless it is being paid', async () => {
  const review_due_at = hours(-1)
  const due = review_due_at.toISOString()
  const waiting = await handIn({ review_due_at })
  expect((await get(waiting.id, founder.key)).body.submission).toMatchObject({
    review_due_at: due,
    overdue: true,
  })
  const paying = await handIn({ status: 'approving', review_due_at })
  expect((await get(paying.id, founder.key)).body.submission).toMatchObject({
    review_due_at: due,
    overdue: false,
  })
})

test('200 with a later deadline after an outage of the service', async () => {
  const { id } = await handIn({ review_due_at: hours(-1) })
  const later = hours(2)
  await db.updateTable('heartbeat').set({ nothing_lapses_before: later }).execute()
  expect((await get(id, founder.key)).body.submission).toMatchObject({
    review_due_at: later.toISOString(),
    overdue: false,
  })
  await db.updateTable('heartbeat').set({ nothing_lapses_before: sql`'-infinity'` }).execute()
})

test('200 with what else the same pull request was handed in for, a paid one and the oldest first, at most 20', async () => {
  const others = []
  const { id, bounty_id, pr_url } = await handIn({ status: 'retracted', reviewed_at: hours(0) })
  for (let minutes = 21; minutes > 0; minutes--) {
    const by = await rows.agent()
    const ended = { status: 'rejected', reviewed_at: hours(0) } as const
    const other = await handIn({ agent_id: by, pr_url, created_at: hours(-minutes / 60), ...ended })
    others.push({
      submission_id: other.id,
      bounty_id: other.bounty_id,
      agent_id: by,
      status: 'rejected',
    })
  }
  // Rounds of changes of the same bounty by the same agent are no other submissions.
  await handIn({ bounty_id, pr_url, status: 'changes_requested', reviewed_at: hours(0) })
  const rival = await rows.agent()
  const before = { bounty_id, pr_url, agent_id: rival, created_at: hours(0) }
  const approved = await handIn({ ...before, status: 'approved', reviewed_at: hours(0) })
  others.unshift({ submission_id: approved.id, bounty_id, agent_id: rival, status: 'approved' })
  const { body } = await get(id, founder.key)
  expect(body.submission.other_submissions).toEqual(others.slice(0, 20))
})

test('403 not_participant for everybody else', async () => {
  const { id, bounty_id } = await handIn()
  const otherContributor = await served.agent()
  await handIn({ bounty_id, agent_id: otherContributor.id, status: 'rejected', reviewed_at: hours(0) })
  for (const { key } of [await served.agent(), otherContributor])
    expectError(await get(id, key), 'not_participant')
})
