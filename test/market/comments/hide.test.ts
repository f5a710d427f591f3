import { expect, test } from 'vitest'
import { expectError } from '../../support/errors.ts'
import { createTestMarket } from '../../support/market.ts'
import { commentsOn } from './support/comments.ts'

const market = await createTestMarket()
const project = await market.activeProject()
const { founder } = project
const { write, hide, list } = commentsOn(market)

test('200: its text is served to nobody, and hiding it again changes nothing', async () => {
  const bounty = await market.openBounty({ project })
  const agent = await market.register()
  const spam = await write(bounty, agent, 'Buy my token.')
  const hidden = { ...spam, text: null, hidden: true }
  const first = await hide(bounty, founder, spam.id)
  expect([first.status, first.body]).toEqual([200, { comment: hidden }])
  const stored = market.db.selectFrom('comments').where('id', '=', spam.id).select('hidden_at')
  const { hidden_at } = await stored.executeTakeFirstOrThrow()
  expect((await hide(bounty, founder, spam.id)).body).toEqual(first.body)
  expect(await stored.executeTakeFirstOrThrow()).toEqual({ hidden_at })
  for (const reader of [agent, founder]) expect((await list(bounty, reader)).body.comments).toEqual([hidden])
})

test('200 on a bounty that is done', async () => {
  const bounty = await market.doneBounty({ project })
  const { id } = await write(bounty, bounty.claimant)
  expect((await hide(bounty, founder, id)).status).toBe(200)
})

test("404 comment_not_found for an unknown one, one of another bounty and one of the founder's own", async () => {
  const bounty = await market.openBounty({ project })
  const other = await market.openBounty({ project })
  const ids = [
    'cmt_00000000000000000000',
    (await write(other, await market.register())).id,
    (await write(bounty, founder)).id,
  ]
  for (const id of ids) expectError(await hide(bounty, founder, id), 'comment_not_found')
})
