import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { beat, openLapsed } from '../../../server/engines/deadlines/store.ts'
import { openTestDatabase } from '../../support/database.ts'
import { beatHeart, lapse } from '../../support/deadlines.ts'
import { claimTerms, createRows } from '../../support/rows.ts'

const { db, close } = await openTestDatabase()
afterAll(close)
const rows = createRows(db)

async function lapsedBounty() {
  const id = await rows.bountyAt('claimed')
  await lapse(db, { id })
  return id
}

const bountyOf = (id: string) =>
  db
    .selectFrom('bounties')
    .where('id', '=', id)
    .select(['status', 'claimed_by', 'claimed_at', 'claim_expires_at', 'extensions_left'])
    .select(['proof_due_at', 'look_at'])
    .executeTakeFirstOrThrow()
const endedClaims = () =>
  db.selectFrom('ended_claims').select(['bounty_id', 'agent_id', 'claimed_at', 'ending']).execute()
const entries = () =>
  db.selectFrom('activity').select(['type', 'agent_id', 'project_id', 'bounty_id', 'visibility']).execute()
const openedIds = async (limit = 100) => (await openLapsed(db, limit)).map(({ bountyId }) => bountyId)

beforeEach(async () => {
  for (const table of ['ended_claims', 'activity', 'submissions', 'bounties'] as const)
    await db.deleteFrom(table).execute()
  await beatHeart(db)
})

describe('bounties whose claims have lapsed', () => {
  test('are opened, and each lapse is recorded once', async () => {
    const ids = [await lapsedBounty(), await lapsedBounty()]
    const before = await Promise.all(ids.map(bountyOf))
    const { rows: projects } = await sql<{ project_id: string }>`
      select project_id from bounties where id = any(${ids}) order by array_position(${ids}, id)`.execute(db)
    expect((await openedIds()).sort()).toEqual(ids.toSorted())
    expect(await openedIds()).toEqual([])
    for (const id of ids)
      expect(await bountyOf(id)).toEqual({
        status: 'open',
        ...{ claimed_by: null, claimed_at: null, ...claimTerms('open') },
      })
    const expected = ids.map((bounty_id, at) => ({ bounty_id, agent_id: before[at]?.claimed_by }))
    const byBounty = (a: { bounty_id: unknown }, b: { bounty_id: unknown }) =>
      String(a.bounty_id).localeCompare(String(b.bounty_id))
    expect((await endedClaims()).sort(byBounty)).toEqual(
      expected
        .map((claim, at) => ({ ...claim, claimed_at: before[at]?.claimed_at, ending: 'lapsed' }))
        .sort(byBounty),
    )
    expect((await entries()).sort(byBounty)).toEqual(
      expected
        .map((claim, at) => ({
          ...claim,
          type: 'claim.lapsed',
          project_id: projects[at]?.project_id,
          visibility: 'public',
        }))
        .sort(byBounty),
    )
  })

  test('are opened in the order in which they lapsed, so many at a time', async () => {
    const ids = [await lapsedBounty(), await lapsedBounty(), await lapsedBounty()]
    for (const [at, id] of ids.entries())
      await sql`update bounties set claim_expires_at = now() - make_interval(secs => ${10 + at}) where id = ${id}`.execute(
        db,
      )
    expect(await openedIds(2)).toEqual([ids[2], ids[1]])
    expect(await openedIds(2)).toEqual([ids[0]])
  })

  test('are opened by one of two processes that search at once', async () => {
    const ids = [await lapsedBounty(), await lapsedBounty()]
    const found = await Promise.all([openedIds(), openedIds(), openedIds()])
    expect(found.flat().sort()).toEqual(ids.sort())
    expect(await endedClaims()).toHaveLength(2)
    expect(await entries()).toHaveLength(2)
  })

  test('are left out while a request has them locked, and the others are opened', async () => {
    const [locked, other] = [await lapsedBounty(), await lapsedBounty()]
    await db.transaction().execute(async (trx) => {
      await trx.selectFrom('bounties').where('id', '=', locked).select('id').forNoKeyUpdate().execute()
      expect(await openedIds()).toEqual([other])
    })
    expect(await openedIds()).toEqual([locked])
  })
})

test('claims before their end, open bounties and those in review or done stay', async () => {
  for (const status of ['open', 'claimed', 'in_review', 'done'] as const) await rows.bountyAt(status)
  expect(await openedIds()).toEqual([])
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
