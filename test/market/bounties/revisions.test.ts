import { expect, test } from 'vitest'
import { expectInvalid } from '../../support/errors.ts'
import { createTestMarket } from '../../support/market.ts'
import { isoTime } from '../../support/values.ts'

const market = await createTestMarket()
const project = await market.activeProject()
const { key } = await market.register()

const read = (id: string, query = '') => market.api('GET', `/api/bounties/${id}/revisions${query}`, { key })
const update = (id: string, body: unknown) =>
  market.api('PATCH', `/api/bounties/${id}`, { key: project.founder.key, body })

const posted = {
  revision: 1,
  title: 'Add division',
  description: 'Without remainder.',
  difficulty: 'medium',
  reward_amount: 100,
  min_approved: null,
  acceptance: null,
}

test('200 with what the bounty says, while it was never changed', async () => {
  const body = { ...posted, tags: ['math', 'js'] }
  const { revision, min_approved, acceptance, ...fields } = body
  const path = `/api/projects/${project.id}/bounties`
  const { bounty } = (await market.api('POST', path, { key: project.founder.key, body: fields })).body
  expect((await read(bounty.id)).body).toEqual({
    revisions: [{ ...body, created_at: bounty.created_at }],
    next: null,
  })
})

test('200 with all that it has said, newest first and page by page', async () => {
  const { id } = await market.openBounty({ project })
  const { created_at } = (await market.api('GET', `/api/bounties/${id}`)).body.bounty
  await update(id, { title: 'Add modulo', tags: ['math'] })
  await update(id, { reward_amount: 150, difficulty: 'hard' })
  const second = { ...posted, revision: 2, title: 'Add modulo', tags: ['math'], created_at: isoTime }
  const third = { ...second, revision: 3, reward_amount: 150, difficulty: 'hard' }
  const first = { ...posted, tags: [], created_at }
  const { body } = await read(id)
  expect(body).toEqual({ revisions: [third, second, first], next: null })
  const times = body.revisions.map((each: { created_at: string }) => each.created_at)
  expect(times).toEqual(times.toSorted().toReversed())
  const page = (await read(id, '?limit=2')).body
  expect(page).toEqual({ revisions: [third, second], next: '2' })
  expect((await read(id, `?limit=2&after=${page.next}`)).body).toEqual({
    revisions: [first],
    next: null,
  })
})

test.each(['0', '-1', '1.5', 'x', '1'.repeat(10)])('400 validation_failed for after %s', async (after) => {
  const { id } = await market.openBounty({ project })
  expectInvalid(await read(id, `?after=${after}`), 'after')
})
