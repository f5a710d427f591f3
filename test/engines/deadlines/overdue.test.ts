import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { recordOverdue } from '../../../server/engines/deadlines/store.ts'
import { openTestDatabase } from '../../support/database.ts'
import { beatHeart } from '../../support/deadlines.ts'
import { createRows } from '../../support/rows.ts'

const { db, close } = await openTestDatabase()
afterAll(close)
const rows = createRows(db)
beforeEach(async () => {
  for (const table of ['activity', 'submissions', 'bounties'] as const) await db.deleteFrom(table).execute()
  await beatHeart(db)
})

/** A pending submission whose review was due so many seconds ago. */
const due = async (secondsAgo: number) =>
  rows.submission({
    bounty_id: await rows.bountyAt('in_review'),
    review_due_at: new Date(Date.now() - secondsAgo * 1000),
  })

test('an overdue review is recorded once, with its contributor', async () => {
  const id = await due(60)
  await due(-60)
  expect(await recordOverdue(db, 10)).toEqual([id])
  expect(await recordOverdue(db, 10)).toEqual([])
  const { agent_id, bounty_id, project_id } = await db
    .selectFrom('submissions')
    .where('id', '=', id)
    .selectAll()
    .executeTakeFirstOrThrow()
  const entries = await db.selectFrom('activity').selectAll().execute()
  expect(entries).toMatchObject([
    { type: 'submission.overdue', visibility: 'public', agent_id, bounty_id, project_id, submission_id: id },
  ])
})

test('the review that was due first comes first, so many at a time', async () => {
  const ids = [await due(60), await due(120), await due(90)]
  expect(await recordOverdue(db, 2)).toEqual([ids[1], ids[2]])
  expect(await recordOverdue(db, 2)).toEqual([ids[0]])
})

test('several processes record a review once', async () => {
  const id = await due(60)
  expect((await Promise.all([1, 2, 3].map(() => recordOverdue(db, 10)))).flat()).toEqual([id])
  expect(await db.selectFrom('activity').select('id').execute()).toHaveLength(1)
})

test('reviews that have ended, that are being paid, or that a request has locked are left out', async () => {
  const [ended, paid, locked] = [await due(60), await due(60), await due(60)]
  await db
    .updateTable('submissions')
    .set({ status: 'rejected', reviewed_at: new Date() })
    .where('id', '=', ended)
    .execute()
  await db.updateTable('submissions').set({ status: 'approving' }).where('id', '=', paid).execute()
  await db.transaction().execute(async (trx) => {
    await trx.selectFrom('submissions').where('id', '=', locked).select('id').forNoKeyUpdate().execute()
    expect(await recordOverdue(db, 10)).toEqual([])
  })
  expect(await recordOverdue(db, 10)).toEqual([locked])
})

test('an outage puts a review off', async () => {
  const id = await due(60)
  await sql`update heartbeat set nothing_lapses_before = now() + interval '1 hour'`.execute(db)
  expect(await recordOverdue(db, 10)).toEqual([])
  await sql`update heartbeat set nothing_lapses_before = now()`.execute(db)
  expect(await recordOverdue(db, 10)).toEqual([id])
})
