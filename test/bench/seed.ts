/** Fills an empty database with a marketplace of the given size: npm run bench:seed -- 1e5 */
import pg from 'pg'
import { readConfig } from '../../server/config/config.ts'
import { createDatabase, createPool } from '../../server/db/client.ts'
import { migrate } from '../../server/db/migrate/migrate.ts'
import { findEmbedded } from '../../server/embedded/find-embedded.ts'
import { whole } from './harness/options.ts'
import { fill } from './seeding/fill.ts'
import { sizesFor } from './seeding/rows.ts'

async function main(count: string | undefined): Promise<void> {
  if (count === undefined) throw new Error('npm run bench:seed -- 1e4 | 1e5 | 1e6')
  const sizes = sizesFor(whole(count, 0))
  const config = readConfig(process.env)
  const url = config.DATABASE_URL ?? (await findEmbedded(config.DATA_DIR)).databaseUrl
  if (!url) throw new Error('Set DATABASE_URL to an empty database, or run the service beside this')
  const db = createDatabase(createPool(url, { size: 2 }))
  await migrate(db)
  await db.destroy()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query('select from bounties limit 1')
    if (rows.length > 0) throw new Error('This database has bounties already: seeding needs one without')
    const started = performance.now()
    await fill(client, sizes, console.log)
    const seconds = ((performance.now() - started) / 1000).toFixed(0)
    console.log(
      `${sizes.bounties} bounties, ${sizes.projects} projects, ${sizes.agents} agents in ${seconds} s`,
    )
  } finally {
    await client.end()
  }
}

main(process.argv[2]).catch((error) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})
