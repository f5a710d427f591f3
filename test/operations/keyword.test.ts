import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, inject, test } from 'vitest'
import { createDatabase, createPool } from '../../server/db/client.ts'
import { hasTrigram } from '../../server/operations/keyword.ts'
import { type Served, serve } from '../http/serve.ts'
import { expectError } from '../support/errors.ts'
import { databaseUrl } from '../support/global-setup.ts'
import { until } from '../support/until.ts'

/** Calls `work` with a database whose locale has this LC_CTYPE; false if the machine does not have it. */
async function withLocale(ctype: string, work: (db: ReturnType<typeof createDatabase>) => Promise<void>) {
  const server = new pg.Client({ connectionString: inject('postgresUrl') })
  await server.connect()
  const name = `test_${randomBytes(8).toString('hex')}`
  try {
    await server.query(`create database ${name} template template0 lc_ctype '${ctype}'`)
  } catch (error) {
    await server.end()
    if (error instanceof pg.DatabaseError && error.message.includes('invalid LC_CTYPE')) return false
    throw error
  }
  const db = createDatabase(createPool(databaseUrl(inject('postgresUrl'), name), { size: 1 }))
  await sql`create extension pg_trgm`.execute(db)
  await work(db)
  await db.destroy()
  await server.query(`drop database ${name}`)
  await server.end()
  return true
}

/** Keywords, and what of them is three letters in a row where every alphabet has letters. */
const keywords = ['привет', 'Привет, мир', 'мы', '日本語', '🚀🚀🚀', '%%%', 'ab', 'x-y z', 'für', 'aб1', '']

describe.each(['C', 'C.UTF-8'])('with LC_CTYPE %s', (ctype) => {
  test('a keyword is looked up in the index exactly if three characters in a row are letters to the database', async ({
    skip,
  }) => {
    const known = await withLocale(ctype, async (db) => {
      const { rows } = await sql<{ trigrams: string[] }>`select show_trgm('привет') as trigrams`.execute(db)
      const isUnicode = (rows[0]?.trigrams.length ?? 0) > 0
      expect(isUnicode).toBe(ctype !== 'C')
      const indexed = isUnicode ? ['привет', 'Привет, мир', '日本語', 'für', 'aб1'] : []
      const found: string[] = []
      for (const keyword of keywords) if (await hasTrigram(db, keyword)) found.push(keyword)
      expect(found).toEqual(indexed)
      expect(await hasTrigram(db, 'a-abc')).toBe(true)
    })
    if (!known) skip(`this machine has no locale ${ctype}`)
  })
})

describe.each([
  ['bounties', 'bounty_texts'],
  ['projects', 'projects'],
])('%s', (resource, table) => {
  let served: Served

  test('503 overloaded for searches without an index beyond six; these and all else get their responses', async () => {
    served = await serve()
    const responses: Awaited<ReturnType<typeof served.api>>[] = []
    const sent: Promise<unknown>[] = []
    await served.db.transaction().execute(async (trx) => {
      // Searches wait for this lock as they would for a long read.
      await sql`lock table ${sql.table(table)} in access exclusive mode`.execute(trx)
      for (let n = 0; n < 19; n++) {
        const q = encodeURIComponent(`${String.fromCodePoint(0x1f600 + n)}%`)
        sent.push(served.api('GET', `/api/${resource}?q=${q}`).then((response) => responses.push(response)))
      }
      await until(() => responses.length === 13)
      for (const refused of responses) {
        expectError(refused, 'overloaded')
        expect(refused.headers.get('retry-after')).toBe('2')
      }
      expect((await served.api('GET', '/api/dashboard/stats')).status).toBe(200)
    })
    await Promise.all(sent)
    expect(responses.map(({ status }) => status)).toEqual([...Array(13).fill(503), ...Array(6).fill(200)])
  })
})
