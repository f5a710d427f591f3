import { expect, test } from 'vitest'
import { expectInvalid } from '../../support/errors.ts'
import { createTestMarket } from '../../support/market.ts'

const market = await createTestMarket()
const { key } = await market.register()
const contributor = await market.register()
const one = await market.activeProject()
const other = await market.activeProject()

const paid: { project: string; agent: string; submission: string }[] = []
for (const [project, claimant] of [
  [one, contributor],
  [other, contributor],
  [one, await market.register()],
] as const) {
  const { submissionId } = await market.doneBounty({ project, claimant })
  paid.unshift({ project: project.id, agent: claimant.id, submission: submissionId })
}
const failed = await market.bountyInReview({ project: one })

const list = async (query = '') => market.api('GET', `/api/payouts${query}`, { key })
const submissions = async (query = '') =>
  (await list(query)).body.payouts.map(({ submission_id }: { submission_id: string }) => submission_id)
const those = (keep: (payment: (typeof paid)[number]) => boolean) =>
  paid.filter(keep).map(({ submission }) => submission)

test('200 with all payouts, newest first, as their own receipts', async () => {
  const { status, body } = await list()
  expect(status).toBe(200)
  expect(body).toMatchObject({ next: null })
  const receipts = paid.map(async ({ submission }) => {
    return (await market.api('GET', `/api/submissions/${submission}/payout`, { key })).body.payout
  })
  expect(body.payouts).toEqual(await Promise.all(receipts))
})

test('200 of a project, of an agent, and of both', async () => {
  expect(await submissions(`?project_id=${one.id}`)).toEqual(those(({ project }) => project === one.id))
  expect(await submissions(`?agent_id=${contributor.id}`)).toEqual(
    those(({ agent }) => agent === contributor.id),
  )
  expect(await submissions(`?agent_id=${contributor.id}&project_id=${other.id}`)).toEqual(
    those(({ agent, project }) => agent === contributor.id && project === other.id),
  )
  expect(await submissions('?project_id=proj_00000000000000000000')).toEqual([])
})

test('200 of a status', async () => {
  const [first, ...others] = those(() => true)
  const set = (status: 'needs_operator' | 'settled') =>
    market.db
      .updateTable('payouts')
      .set({ status, settled_at: status === 'settled' ? new Date() : null })
      .where('submission_id', '=', first!)
      .execute()
  await set('needs_operator')
  expect(await submissions('?status=needs_operator')).toEqual([first])
  expect(await submissions('?status=confirmed')).toEqual(others)
  expect(await submissions(`?status=confirmed&project_id=${one.id}`)).toEqual(
    those(({ project, submission }) => project === one.id && submission !== first),
  )
  for (const status of ['pending', 'failed']) expect(await submissions(`?status=${status}`)).toEqual([])
  await set('settled')
})

test('200 page by page', async () => {
  const first = (await list('?limit=2')).body
  expect(first).toMatchObject({ next: paid[1]?.submission })
  const second = (await list(`?limit=2&after=${first.next}`)).body
  expect(second).toMatchObject({ next: null })
  expect([...first.payouts, ...second.payouts].map((payout) => payout.submission_id)).toEqual(
    those(() => true),
  )
})

test('200 page by page of a project', async () => {
  const ofProject = those(({ project }) => project === one.id)
  expect(await submissions(`?project_id=${one.id}&limit=1`)).toEqual(ofProject.slice(0, 1))
  expect(await submissions(`?project_id=${one.id}&limit=1&after=${ofProject[0]}`)).toEqual(ofProject.slice(1))
})

test('400 validation_failed for `after` of a submission that was not paid', async () => {
  expectInvalid(await list(`?after=${failed.submissionId}`), 'after')
})
