import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '../../../server/db/client.ts'
import { beginning, findPosition } from '../../../server/events/log/cursor.ts'
import { sequenceEntries } from '../../../server/events/log/sequence.ts'
import { entriesAfter } from '../../../server/events/log/store.ts'
import { recordActivity } from '../../../server/events/record.ts'
import { openTestDatabase } from '../../support/database.ts'
import { whileUncommitted } from '../../support/row-locks.ts'
import { createRows } from '../../support/rows.ts'

const { db } = await openTestDatabase({ size: 10 })
const rows = createRows(db)
beforeEach(() => db.deleteFrom('activity').execute())

const record = async (trx: Database = db) =>
  recordActivity(trx, { type: 'agent.registered', agent_id: await rows.agent() })
const stored = () => db.selectFrom('activity').select(['id', 'seq', 'position']).orderBy('seq').execute()
const positions = async () => (await stored()).map(({ position }) => position)
/** What a reader sees that has read everything up to `position`. */
const entriesBehind = (position: number) => entriesAfter(db, position, 100)

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
  const positionOf = (cursor: string, days = 30) => findPosition(db, cursor, days)
  const numbered = async () => {
    for (let count = 0; count < 3; count++) await record()
    await sequenceEntries(db, 100)
    return (await stored()).map(({ id }) => id) as [string, string, string]
  }

  test('has its position at the beginning, in the middle and at the tip', async () => {
    expect(await positionOf(beginning)).toBe(0)
    const [one, , three] = await numbered()
    expect([await positionOf(beginning), await positionOf(one), await positionOf(three)]).toEqual([0, 1, 3])
  })

  test('has none if the log does not hold it, or has not numbered it', async () => {
    await numbered()
    await record()
    expect(await positionOf('act_of_another_log')).toBeUndefined()
    expect(await positionOf((await stored()).at(-1)?.id as string)).toBeUndefined()
  })

  test('is too old only if the entry after it is', async () => {
    const [one, two, three] = await numbered()
    await sql`update activity set created_at = now() - interval '31 days' where position <= 2`.execute(db)
    expect(await positionOf(beginning)).toBeUndefined()
    expect(await positionOf(one)).toBeUndefined()
    expect(await positionOf(one, 32)).toBe(1)
    expect(await positionOf(two)).toBe(2)
    await sql`update activity set created_at = now() - interval '31 days'`.execute(db)
    expect(await positionOf(three)).toBe(3)
  })
})
