import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { recordActivity } from '../../../server/db/activity.ts'
import { createDatabase, createPool, type Database } from '../../../server/db/client.ts'
import { beginning, fromCursor, isReadable, toCursor } from '../../../server/engines/event-log/cursor.ts'
import { sequenceEntries } from '../../../server/engines/event-log/sequence.ts'
import { entriesAfter } from '../../../server/engines/event-log/store.ts'
import { createTestDatabase } from '../../support/database.ts'
import { whileUncommitted } from '../../support/row-locks.ts'
import { createRows } from '../../support/rows.ts'

const database = await createTestDatabase()
const db = createDatabase(createPool(database.url, { size: 10 }))
afterAll(async () => {
  await db.destroy()
  await database.drop()
})
const rows = createRows(db)
beforeEach(() => db.deleteFrom('activity').execute())

const record = async (trx: Database = db) =>
  recordActivity(trx, { type: 'agent.registered', agent_id: await rows.agent() })
const stored = () => db.selectFrom('activity').select(['id', 'seq', 'position']).orderBy('seq').execute()
const positions = async () => (await stored()).map(({ position }) => position)
/** What a reader sees that has read everything up to `position`. */
const entriesBehind = async (position: number) =>
  (await entriesAfter(db, { position, id: '' }, 100)).filter((entry) => entry.position > position)

describe('positions', () => {
  test('follow the order of the feed, without a gap', async () => {
    for (let count = 0; count < 5; count++) await record()
    expect(await sequenceEntries(db, 3)).toBe(3)
    expect(await sequenceEntries(db, 3)).toBe(2)
    expect(await sequenceEntries(db, 3)).toBe(0)
    expect(await positions()).toEqual([1, 2, 3, 4, 5])
  })

  test('of an entry that commits late come after those that were read before', async () => {
    await db.transaction().execute(async (late) => {
      await record(late)
      await record()
      expect(await sequenceEntries(db, 100)).toBe(1)
      expect(await entriesBehind(0)).toHaveLength(1)
    })
    const [first, second] = await stored()
    // The late entry was written first: a reader who asks for a higher sequence number never sees it.
    expect(first?.position).toBeNull()
    expect(second?.position).toBe(1)
    expect(await sequenceEntries(db, 100)).toBe(1)
    expect((await entriesBehind(1)).map(({ id }) => id)).toEqual([first?.id])
  })

  test('are not given to entries that were rolled back', async () => {
    await record()
    const failed = db.transaction().execute(async (trx) => {
      await record(trx)
      throw new Error('rolled back')
    })
    await expect(failed).rejects.toThrow('rolled back')
    await record()
    await sequenceEntries(db, 100)
    expect(await positions()).toEqual([1, 2])
  })

  test('stay dense and unique while several processes write and number at once', async () => {
    const writers = Array.from({ length: 4 }, async () => {
      for (let count = 0; count < 15; count++) await record()
    })
    let isWriting = true
    const seen: number[] = []
    const sequencers = Array.from({ length: 3 }, async () => {
      while (isWriting) await sequenceEntries(db, 4)
    })
    const reader = (async () => {
      while (isWriting) for (const { position } of await entriesBehind(seen.at(-1) ?? 0)) seen.push(position)
    })()
    await Promise.all(writers)
    isWriting = false
    await Promise.all([...sequencers, reader])
    while ((await sequenceEntries(db, 100)) > 0);
    for (const { position } of await entriesBehind(seen.at(-1) ?? 0)) seen.push(position)
    expect(seen).toEqual(Array.from({ length: 60 }, (_, at) => at + 1))
  })

  test('are given by one transaction at a time', async () => {
    await record()
    const lock = (trx: Database) =>
      sql`select pg_advisory_xact_lock(hashtext('event log: positions'))`.execute(trx)
    expect(await whileUncommitted(db, lock, () => sequenceEntries(db, 10))).toBe(1)
  })

  test('never change', async () => {
    await record()
    await sequenceEntries(db, 1)
    for (const position of [2, null])
      await expect(db.updateTable('activity').set({ position }).execute()).rejects.toThrow(/never changed/)
  })
})

describe('a cursor', () => {
  const place = async (position: number) => {
    const [entry] = await entriesAfter(db, { position, id: '' }, 0)
    return fromCursor(toCursor({ position, id: entry?.id ?? '' }))
  }

  test('is readable at the beginning, in the middle and at the tip', async () => {
    expect(await isReadable(db, beginning, 30)).toBe(true)
    for (let count = 0; count < 3; count++) await record()
    await sequenceEntries(db, 100)
    for (const at of [beginning, await place(1), await place(3)])
      expect(await isReadable(db, at, 30)).toBe(true)
  })

  test('is not readable beyond the tip or where another entry stands', async () => {
    await record()
    await record()
    await sequenceEntries(db, 100)
    const { id } = await place(1)
    expect(await isReadable(db, { position: 3, id }, 30)).toBe(false)
    expect(await isReadable(db, { position: 2, id }, 30)).toBe(false)
  })

  test('is too old only if the entry after it is', async () => {
    for (let count = 0; count < 3; count++) await record()
    await sequenceEntries(db, 100)
    await sql`update activity set created_at = now() - interval '31 days' where position <= 2`.execute(db)
    expect(await isReadable(db, await place(1), 30)).toBe(false)
    expect(await isReadable(db, await place(1), 32)).toBe(true)
    expect(await isReadable(db, await place(2), 30)).toBe(true)
    await sql`update activity set created_at = now() - interval '31 days'`.execute(db)
    expect(await isReadable(db, await place(3), 30)).toBe(true)
  })
})
