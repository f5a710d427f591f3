import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { beat, openLapsed, recordOverdue } from '../../../server/market/deadlines/store.ts'
import { openTestDatabase } from '../../support/database.ts'
import { beatHeart, listNothing } from '../../support/deadlines.ts'
import { claimTerms, createRows } from '../../support/rows.ts'
import { readRow, setRows } from '../../support/stored.ts'

const { db } = await openTestDatabase()
const rows = createRows(db)

/** A claim that lapsed, or a review that was due, so many seconds ago. */
async function lapsedBounty(secondsAgo = 1) {
  const id = await rows.bountyAt('claimed')
  await sql`update bounties set claim_expires_at = now() - make_interval(secs => ${secondsAgo}) where id = ${id}`.execute(
    db,
  )
  await listNothing(db, { id })
  return id
}
const dueReview = async (secondsAgo = 1) =>
  rows.submission({
    bounty_id: await rows.bountyAt('in_review'),
    review_due_at: new Date(Date.now() - secondsAgo * 1000),
  })

const openedIds = async (limit = 100) => (await openLapsed(db, limit)).map(({ bountyId }) => bountyId)
const overdueIds = (limit = 100) => recordOverdue(db, limit)
const entries = () =>
  db
    .selectFrom('activity')
    .select(['type', 'agent_id', 'project_id', 'bounty_id', 'submission_id', 'visibility'])
    .execute()

beforeEach(async () => {
  for (const table of ['ended_claims', 'activity', 'submissions', 'bounties'] as const)
    await db.deleteFrom(table).execute()
  await beatHeart(db)
})

test('a claim that has lapsed is recorded, and its bounty open', async () => {
  const bounty_id = await lapsedBounty()
  const bounty = () =>
    db.selectFrom('bounties').where('id', '=', bounty_id).selectAll().executeTakeFirstOrThrow()
  const { claimed_by: agent_id, claimed_at, project_id } = await bounty()
  expect(await openedIds()).toEqual([bounty_id])
  expect(await bounty()).toMatchObject({
    status: 'open',
    claimed_by: null,
    claimed_at: null,
    ...claimTerms('open'),
  })
  const ended = db.selectFrom('ended_claims').select(['bounty_id', 'agent_id', 'claimed_at', 'ending'])
  expect(await ended.execute()).toEqual([{ bounty_id, agent_id, claimed_at, ending: 'lapsed' }])
  expect(await entries()).toEqual([
    { type: 'claim.lapsed', visibility: 'public', agent_id, project_id, bounty_id, submission_id: null },
  ])
})

test('a review that is overdue is recorded, with its contributor', async () => {
  const submission_id = await dueReview()
  expect(await overdueIds()).toEqual([submission_id])
  const { agent_id, bounty_id, project_id } = await readRow(db, 'submissions', { id: submission_id })
  expect(await entries()).toEqual([
    { type: 'submission.overdue', visibility: 'public', agent_id, project_id, bounty_id, submission_id },
  ])
})

describe.each([
  ['claims that lapse', lapsedBounty, openedIds, 'bounties'],
  ['reviews that are overdue', dueReview, overdueIds, 'submissions'],
] as const)('%s', (_, make, find, table) => {
  test('are found once, in the order in which they were due, so many at a time', async () => {
    const ids = [await make(10), await make(30), await make(20)]
    await make(-60)
    expect(await find(2)).toEqual([ids[1], ids[2]])
    expect(await find(2)).toEqual([ids[0]])
    expect(await find()).toEqual([])
  })

  test('are recorded by one of several processes that search at once', async () => {
    const ids = [await make(), await make()]
    const found = await Promise.all([find(), find(), find()])
    expect(found.flat().sort()).toEqual(ids.sort())
    expect(await entries()).toHaveLength(2)
  })

  test('are left out while a request has them locked, and the others are found', async () => {
    const locked = await make()
    const other = await make()
    await db.transaction().execute(async (trx) => {
      await trx.selectFrom(table).where('id', '=', locked).select('id').forNoKeyUpdate().execute()
      expect(await find()).toEqual([other])
    })
    expect(await find()).toEqual([locked])
  })

  test('are put off by an outage', async () => {
    const id = await make()
    await sql`update heartbeat set nothing_lapses_before = now() + interval '1 hour'`.execute(db)
    expect(await find()).toEqual([])
    await sql`update heartbeat set nothing_lapses_before = now()`.execute(db)
    expect(await find()).toEqual([id])
  })
})

test('bounties that are not claimed stay, and so do submissions whose review has ended or that are being paid', async () => {
  for (const status of ['open', 'in_review', 'done'] as const) await rows.bountyAt(status)
  const ended = await dueReview()
  const paid = await dueReview()
  await setRows(db, 'submissions', { id: ended }, { status: 'rejected', reviewed_at: new Date() })
  await db.updateTable('submissions').set({ status: 'approving' }).where('id', '=', paid).execute()
  expect([await openedIds(), await overdueIds()]).toEqual([[], []])
})

test('the clock of the database decides, and not that of the process', async () => {
  await lapsedBounty()
  const { now } = Date
  Date.now = () => now() - 365 * 86_400_000
  try {
    expect(await openedIds()).toHaveLength(1)
  } finally {
    Date.now = now
  }
})

describe('the heart', () => {
  const stopFor = (interval: string, trx = db) =>
    sql`update heartbeat set beaten_at = now() - ${interval}::interval`.execute(trx)
  /** Beats exactly so long after the last time: in one transaction the clock of `now()` stands still. */
  const beatAfter = (interval: string) =>
    db.transaction().execute(async (trx) => {
      await stopFor(interval, trx)
      return beat(trx)
    })
  /** The times of the heart as seconds from now. */
  async function heart() {
    const { rows } = await sql<{ beaten: number; until: number | null }>`
      select extract(epoch from beaten_at - now())::float8 as beaten,
        case when isfinite(nothing_lapses_before) then extract(epoch from nothing_lapses_before - now())::float8 end as until
      from heartbeat`.execute(db)
    return rows[0] as { beaten: number; until: number | null }
  }
  const storedUntil = async () =>
    (await sql<{ until: string }>`select nothing_lapses_before::text as until from heartbeat`.execute(db))
      .rows[0]?.until

  test('beats, and a gap of less than 30 seconds puts no deadline off', async () => {
    expect(await beatAfter('29 seconds')).toBeUndefined()
    const { beaten, until } = await heart()
    expect(beaten).toBeGreaterThan(-29)
    expect(until).toBeNull()
  })

  test('has had no outage before the first bounty', async () => {
    const outage = async (isNew: boolean) => {
      let found: unknown
      const undone = new Error('undone')
      const work = db.transaction().execute(async (trx) => {
        if (isNew) await sql`truncate bounties cascade`.execute(trx)
        await stopFor('1 hour', trx)
        found = await beat(trx)
        throw undone
      })
      await expect(work).rejects.toBe(undone)
      return found
    }
    await lapsedBounty()
    expect(await outage(true)).toBeUndefined()
    expect(await outage(false)).toMatchObject({ seconds: 3600 })
  })

  test('beats at most once in five seconds for all processes', async () => {
    await db.transaction().execute(async (trx) => {
      await stopFor('4 seconds', trx)
      const stored = () => sql`select beaten_at::text, ctid::text from heartbeat`.execute(trx)
      const { rows: before } = await stored()
      expect(await beat(trx)).toBeUndefined()
      expect((await stored()).rows).toEqual(before)
    })
  })

  test('beats after the clock of the database was set back', async () => {
    await sql`update heartbeat set beaten_at = now() + interval '1 hour'`.execute(db)
    expect(await beat(db)).toBeUndefined()
    const { beaten, until } = await heart()
    expect(beaten).toBeLessThan(3000)
    expect(until).toBeNull()
  })

  test('puts every deadline off by the length of an outage, once for all processes', async () => {
    const id = await lapsedBounty()
    await stopFor('1 hour')
    const outages = await Promise.all([beat(db), beat(db), beat(db)])
    const noticed = outages.filter((outage) => outage !== undefined)
    expect(noticed).toHaveLength(1)
    expect(noticed[0]?.seconds).toBeGreaterThanOrEqual(3600)
    const until = await storedUntil()
    const { rows } = await sql<{ is_put_off: boolean }>`
      select nothing_lapses_before - beaten_at >= interval '1 hour' as is_put_off from heartbeat`.execute(db)
    expect(rows).toEqual([{ is_put_off: true }])
    expect(await openedIds()).toEqual([])
    await stopFor('6 seconds')
    await beat(db)
    expect(await storedUntil()).toBe(until)
    await sql`update heartbeat set nothing_lapses_before = now()`.execute(db)
    expect(await openedIds()).toEqual([id])
  })

  test('never moves a deadline back after a second, shorter outage', async () => {
    await lapsedBounty()
    await stopFor('1 hour')
    await beat(db)
    const until = await storedUntil()
    await stopFor('1 minute')
    expect(await beat(db)).toMatchObject({ seconds: expect.any(Number) })
    expect(await storedUntil()).toBe(until)
  })

  test('stands still: nothing lapses before the first beat after the outage, and nothing after it', async () => {
    await lapsedBounty()
    await stopFor('1 hour')
    expect(await openedIds()).toEqual([])
    await beat(db)
    expect(await openedIds()).toEqual([])
  })
})
