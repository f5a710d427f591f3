import { expect, test } from 'vitest'
import { serve } from '../../http/serve.ts'
import { expectInvalid } from '../../support/errors.ts'
import { inPages, oldestFirst, readPages } from '../../support/pages.ts'
import { createRows } from '../../support/rows.ts'
import { setRows } from '../../support/stored.ts'

const served = await serve()
const rows = createRows(served.db)
const founder = await served.agent()
const project_id = await rows.project({ founder_id: founder.id })
const otherProject = await rows.project({ founder_id: founder.id })

const list = (query = '', key?: string, project = project_id) =>
  served.api('GET', `/api/projects/${project}/submissions${query}`, { key })
const queue = (query: string) => list(query, founder.key)

const made: { id: string; status: string; created_at: Date }[] = []
const elsewhere: string[] = []
for (let index = 0; index < 14; index++) {
  const created_at = new Date(1_700_000_000_000 - Math.floor(index / 4) * 1000)
  const status = index % 3 ? ('pending' as const) : ('rejected' as const)
  const fields = { status, created_at, reviewed_at: status === 'pending' ? null : created_at }
  const submit = async (project_id: string) =>
    rows.submission({ ...fields, bounty_id: await rows.bounty({ project_id }) })
  made.push({ ...fields, id: await submit(project_id) })
  elsewhere.push(await submit(otherProject))
}

test.each([1, 4, 100])(
  '200 page by page of %i, oldest first, without those of other projects',
  async (limit) => {
    const pages = await readPages(queue, { items: 'submissions', limit })
    expect(pages).toEqual(inPages(oldestFirst(made), limit))
  },
)

test.each(['pending', 'rejected', 'retracted'])('200 only those that are %s', async (status) => {
  const filter = `status=${status}`
  const pages = await readPages(queue, { items: 'submissions', limit: 3, filter })
  const wanted = made.filter((submission) => submission.status === status)
  expect(pages).toEqual(inPages(oldestFirst(wanted), 3))
})

test('200 goes on after a submission whose review has ended since', async () => {
  const [first, second] = (await queue('?status=pending&limit=2')).body.submissions
  await setRows(served.db, 'submissions', { id: first.id }, { status: 'rejected', reviewed_at: new Date() })
  const { body } = await queue(`?status=pending&limit=1&after=${first.id}`)
  expect(body.submissions.map(({ id }: { id: string }) => id)).toEqual([second.id])
})

test('200 with items as the submission itself', async () => {
  const { body } = await queue('?limit=2')
  for (const item of body.submissions)
    expect({ submission: item }).toEqual(
      (await served.api('GET', `/api/submissions/${item.id}`, { key: founder.key })).body,
    )
})

test('400 validation_failed for `after` of another project', async () => {
  expectInvalid(await queue(`?after=${elsewhere[0]}`), 'after')
})
