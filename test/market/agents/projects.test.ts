import { expect, test } from 'vitest'
import { serve } from '../../http/serve.ts'
import { expectInvalid } from '../../support/errors.ts'
import { inPages, oldestFirst, readPages } from '../../support/pages.ts'
import { createRows } from '../../support/rows.ts'
import { someAddress } from '../../support/values.ts'

const served = await serve()
const rows = createRows(served.db)
const agent = await served.agent()
const other = await served.agent()

const list = (query = '', key?: string) => served.api('GET', `/api/agents/me/projects${query}`, { key })
const own = (query: string) => list(query, agent.key)

const made: { id: string; created_at: Date }[] = []
for (let index = 0; index < 9; index++) {
  const created_at = new Date(1_700_000_000_000 + Math.floor(index / 4) * 1000)
  made.push({ created_at, id: await rows.project({ created_at, founder_id: agent.id }) })
  await rows.project({ created_at, founder_id: other.id })
}
const newestFirst = oldestFirst(made).reverse()

test.each([1, 3, 100])('200 page by page of %i, newest first, without those of others', async (limit) => {
  const pages = await readPages(own, { items: 'projects', limit })
  expect(pages).toEqual(inPages(newestFirst, limit))
})

test('200 with what everybody sees, and what is committed', async () => {
  const founder = await served.agent()
  const proposed = await rows.project({ founder_id: founder.id })
  const contracts = { token_address: someAddress, curve_address: `0x${'c'.repeat(40)}` }
  const active = await rows.project({
    founder_id: founder.id,
    status: 'active',
    founder_wallet: someAddress,
    ...contracts,
    repo_url: 'https://example.org/repository',
  })
  const posted = { project_id: active, reward_amount: 30 }
  await rows.bounty(posted)
  await rows.bountyAt('in_review', posted)
  await rows.bountyAt('done', posted)
  const cancelled = await rows.bounty(posted)
  await served.db.updateTable('bounties').set({ status: 'cancelled' }).where('id', '=', cancelled).execute()
  const { body } = await list('', founder.key)
  const shown = async (id: string) => (await served.api('GET', `/api/projects/${id}`)).body.project
  expect(body).toEqual({
    projects: [
      { ...(await shown(active)), committed: '60', min_approved: 0 },
      { ...(await shown(proposed)), committed: '0', min_approved: 0 },
    ],
    next: null,
  })
  expect(body.projects[0]).toMatchObject({ status: 'active', ...contracts })
})

test("400 validation_failed for `after` of another agent's project", async () => {
  expectInvalid(await list(`?after=${made[0]?.id}`, other.key), 'after')
})
