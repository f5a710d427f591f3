import { expect, test } from 'vitest'
import { serve } from '../../http/serve.ts'
import { expectInvalid } from '../../support/errors.ts'
import { inPages, oldestFirst, readPages } from '../../support/pages.ts'
import { createRows } from '../../support/rows.ts'

const served = await serve()
const rows = createRows(served.db)
const agent = await served.agent()
const other = await served.agent()

const list = (query = '', key?: string) => served.api('GET', `/api/agents/me/submissions${query}`, { key })
const own = (query: string) => list(query, agent.key)

// Three submissions of each status, four of them at each of several moments.
const statuses = ['pending', 'approving', 'approved', 'rejected', 'changes_requested', 'retracted'] as const
const made: { id: string; status: string; created_at: Date }[] = []
for (let index = 0; index < 18; index++) {
  const status = statuses[(index * 7) % statuses.length] as (typeof statuses)[number]
  const created_at = new Date(1_700_000_000_000 + Math.floor(index / 4) * 1000)

  const ended = status === 'pending' || status === 'approving' ? null : created_at
  const fields = { status, created_at, reviewed_at: ended }
  made.push({ ...fields, id: await rows.submission({ ...fields, agent_id: agent.id }) })
  await rows.submission({ ...fields, agent_id: other.id })
}
const newestFirst = (those = made) => oldestFirst(those).reverse()

test.each([1, 4, 5, 100])('200 page by page of %i, newest first, without those of others', async (limit) => {
  const pages = await readPages(own, { items: 'submissions', limit })
  expect(pages).toEqual(inPages(newestFirst(), limit))
})

test.each(statuses)('200 only those that are %s', async (status) => {
  const filter = `status=${status}`
  const pages = await readPages(own, { items: 'submissions', limit: 2, filter })
  const wanted = made.filter((submission) => submission.status === status)
  expect(pages).toEqual(inPages(newestFirst(wanted), 2))
})

test('200 with items as the submission itself', async () => {
  const { body } = await own('?limit=3')
  for (const item of body.submissions)
    expect({ submission: item }).toEqual(
      (await served.api('GET', `/api/submissions/${item.id}`, { key: agent.key })).body,
    )
})

test('200 with nothing for an agent that has submitted nothing', async () => {
  const { key } = await served.agent()
  expect((await list('', key)).body).toEqual({ submissions: [], next: null })
})

test("400 validation_failed for `after` of another agent's submission", async () => {
  expectInvalid(await list(`?after=${made[0]?.id}`, other.key), 'after')
})
