import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { contains, hasTrigram } from '../../server/api/keyword.ts'
import { createDatabase, createPool } from '../../server/db/client.ts'
import { migrate } from '../../server/db/migrate/migrate.ts'
import { databaseUrl } from '../support/database-url.ts'
import { createRows } from '../support/rows.ts'
import { sharedPostgres } from '../support/shared/shared.ts'

/** Calls `work` with a database whose locale has this LC_CTYPE; false if the machine does not have it. */
async function withLocale(ctype: string, work: (db: ReturnType<typeof createDatabase>) => Promise<void>) {
  const server = new pg.Client({ connectionString: await sharedPostgres() })
  await server.connect()
  const name = `test_${randomBytes(8).toString('hex')}`
  try {
    await server.query(`create database ${name} template template0 locale_provider libc lc_ctype '${ctype}'`)
  } catch (error) {
    await server.end()
    if (error instanceof pg.DatabaseError && error.message.includes('invalid LC_CTYPE')) return false
    throw error
  }
  const db = createDatabase(createPool(databaseUrl(await sharedPostgres(), name), { size: 1 }))
  await migrate(db)
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

  test('a search ignores case beyond ASCII', async ({ skip }) => {
    const known = await withLocale(ctype, async (db) => {
      await createRows(db).project({ name: 'ÉCLAIR ЖУК ΣΊΣΥΦΟΣ' })
      const found: number[] = []
      for (const keyword of ['éclair', 'Жук', 'ΖΥΚ', 'éCLAIR ж']) {
        const matches = db.selectFrom('projects').where(contains(['name_folded'], keyword))
        found.push((await matches.select('id').execute()).length)
      }
      expect(found).toEqual([1, 1, 0, 1])
    })
    if (!known) skip(`this machine has no locale ${ctype}`)
  })
})
