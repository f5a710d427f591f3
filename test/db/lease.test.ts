import { type RawBuilder, sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  acquireLease,
  inSeconds,
  leaseExpired,
  leases,
  nextFence,
  noLease,
  releaseLease,
  renewLease,
  whileRenewing,
} from '../../server/db/lease.ts'
import { openTestDatabase } from '../support/database.ts'

const { db } = await openTestDatabase({ size: 2 })

const address = `0x${'ab'.repeat(20)}`
const row = sql`address = ${address}`

beforeEach(async () => {
  await db.deleteFrom('lanes').execute()
})

/** A lane whose lease `holder` has until a time by the database's clock, written past the service. */
async function lane(holder: string | null, until: RawBuilder<Date>): Promise<void> {
  await db
    .insertInto('lanes')
    .values({ chain_id: 1, address, next_nonce: 0, lease_owner: holder, lease_until: until })
    .execute()
}

const ago = (seconds: number) => sql<Date>`clock_timestamp() - make_interval(secs => ${seconds})`
const ahead = (seconds: number) => sql<Date>`clock_timestamp() + make_interval(secs => ${seconds})`

async function acquire(holder: string): Promise<boolean> {
  const lease = { rows: row, holder, seconds: 60, returning: sql`address` }
  return (await acquireLease(leases.lanes, lease).execute(db)).rows.length === 1
}

async function holder(): Promise<string | null> {
  const { lease_owner } = await db.selectFrom('lanes').select('lease_owner').executeTakeFirstOrThrow()
  return lease_owner
}

/** Seconds until the lease ends, by the database's clock. */
async function secondsLeft(): Promise<number> {
  const left = sql<number>`extract(epoch from lease_until - clock_timestamp())::float8`.as('left')
  return (await db.selectFrom('lanes').select(left).executeTakeFirstOrThrow()).left
}

describe('acquireLease', () => {
  test('a row that nobody held', async () => {
    await lane(null, noLease)
    expect(await acquire('us')).toBe(true)
    expect(await holder()).toBe('us')
  })

  test('not a row that another one holds', async () => {
    await lane('other', ahead(60))
    expect(await acquire('us')).toBe(false)
    expect(await holder()).toBe('other')
  })

  test('a row whose lease has expired', async () => {
    await lane('other', ago(1))
    expect(await acquire('us')).toBe(true)
    expect(await holder()).toBe('us')
  })

  test('again the row that the same holder has, for longer', async () => {
    await lane('us', ahead(5))
    expect(await acquire('us')).toBe(true)
    expect(await secondsLeft()).toBeGreaterThan(50)
  })

  test("at once a row whose lease ends in an hour, because the database's clock was set back", async () => {
    await lane('other', ahead(3600))
    expect(await acquire('us')).toBe(true)
  })

  test('one of two that try at the same time', async () => {
    await lane('other', ago(1))
    const acquired = await Promise.all([acquire('us'), acquire('them')])
    expect(acquired.filter(Boolean)).toHaveLength(1)
  })

  test('and sets more columns in the same step', async () => {
    await lane(null, noLease)
    const lease = { rows: row, holder: 'us', seconds: 60, set: sql`fence = 7`, returning: sql`fence` }
    expect((await acquireLease(leases.lanes, lease).execute(db)).rows).toEqual([{ fence: 7 }])
  })
})

describe('leaseExpired', () => {
  const expiredSince = async (seconds: number) => {
    const query = db.selectFrom('lanes').select(leaseExpired('lease_until', seconds).as('expired'))
    return (await query.executeTakeFirstOrThrow()).expired
  }

  test('a lease that ended a minute ago has expired since half a minute, and not since two', async () => {
    await lane('other', ago(60))
    expect([await expiredSince(30), await expiredSince(120)]).toEqual([true, false])
  })

  test('a lease of the greatest length has not expired', async () => {
    await lane('other', ahead(600))
    expect(await expiredSince(0)).toBe(false)
  })

  test('a row without a lease has expired since any time', async () => {
    await lane(null, noLease)
    expect(await expiredSince(1_000_000)).toBe(true)
  })
})

describe('renewLease', () => {
  test('prolongs the lease of its holder', async () => {
    await lane('us', ahead(5))
    expect(await renewLease(db, leases.lanes, sql`${row} and lease_owner = 'us'`, 300)).toBe(true)
    expect(await secondsLeft()).toBeGreaterThan(200)
  })

  test('false, and nothing changed, where another one holds the row', async () => {
    await lane('other', ahead(5))
    expect(await renewLease(db, leases.lanes, sql`${row} and lease_owner = 'us'`, 300)).toBe(false)
    expect(await secondsLeft()).toBeLessThan(6)
  })

  test('false where the lease was released, so that a late renewal cannot revive it', async () => {
    await lane(null, ago(1))
    expect(await renewLease(db, leases.lanes, row, 300)).toBe(false)
    expect(await acquire('other')).toBe(true)
  })
})

describe('releaseLease', () => {
  test('lets another one acquire the row at once', async () => {
    await lane('us', ahead(300))
    await releaseLease(db, leases.lanes, row)
    expect(await holder()).toBeNull()
    expect(await acquire('other')).toBe(true)
  })

  test('with a pause lets nobody acquire it before, the former holder included', async () => {
    await lane('us', ahead(5))
    await releaseLease(db, leases.lanes, row, inSeconds(60))
    expect([await acquire('other'), await acquire('us')]).toEqual([false, false])
  })
})

describe('whileRenewing', () => {
  test('renews until the work has ended, and a failed renewal ends nothing', async () => {
    const failures: unknown[] = []
    let renewals = 0
    let enough = () => {}
    const renewedThrice = new Promise<void>((resolve) => {
      enough = resolve
    })
    const renew = async () => {
      renewals++
      if (renewals === 3) enough()
      if (renewals === 1) throw new Error('database gone')
    }
    const lease = { seconds: 0.01, renew, onFailure: (error: unknown) => failures.push(error) }
    const result = await whileRenewing(lease, async () => {
      await renewedThrice
      return 'done'
    })
    expect(result).toBe('done')
    expect(failures).toEqual([new Error('database gone')])
  })

  test('passes on what the work throws', async () => {
    const lease = { seconds: 60, renew: async () => undefined }
    await expect(
      whileRenewing(lease, async () => {
        throw new Error('no')
      }),
    ).rejects.toThrow('no')
  })
})

describe('nextFence', () => {
  /** The fence of `holder`, which takes over the lane. */
  async function takeOver(holder: string): Promise<number> {
    const set = sql`fence = ${nextFence}`
    const lease = { rows: row, holder, seconds: 0, set, returning: sql`fence` }
    const { rows } = await acquireLease<{ fence: number }>(leases.lanes, lease).execute(db)
    return rows[0]?.fence ?? Number.NaN
  }

  test('differs from all that a database gave out before it fell back', async () => {
    await lane(null, noLease)
    const { fence: first } = await db.selectFrom('lanes').select('fence').executeTakeFirstOrThrow()
    const lost = [await takeOver('one'), await takeOver('two'), await takeOver('three')]
    await db.updateTable('lanes').set({ fence: first, lease_until: noLease }).execute()
    expect(lost).not.toContain(await takeOver('four'))
  })

  test('rises also while the clock of the database is set back', async () => {
    await lane(null, noLease)
    const future = (Date.now() + 3_600_000) * 1000
    await db.updateTable('lanes').set({ fence: future }).execute()
    expect(await takeOver('one')).toBe(future + 1)
  })
})
