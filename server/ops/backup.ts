import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises'
import { devNull, tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { ConfigError, readConfig } from '../config/config.ts'
import { createDatabase, createPool, type Database } from '../db/client.ts'
import { databaseErrorText } from '../startup/connect/database.ts'
import { explain } from './explain.ts'

/*
 * `npm run backup -- FILE` writes the database of DATABASE_URL into a file. `npm run restore -- FILE` reads it back into an
 * empty database, all of it or nothing, as a role that owns nothing else. Both need `pg_dump` and `pg_restore` of the server's
 * version or a newer one.
 */

/** What belongs to the database and not to its contents: a role that owns nothing else may not create it. */
const ofTheDatabase = / (EXTENSION|SCHEMA|COMMENT - (EXTENSION|SCHEMA)) /

/** The connection in the environment of libpq's programs, because every account sees their arguments. */
function libpq(url: string): Record<string, string> {
  const { hostname, port, username, password, pathname, searchParams } = new URL(url)
  const named = (name: string) => searchParams.get(name) ?? ''
  // As for the service, what is named in the query wins.
  const given = {
    PGHOST: named('host') || hostname.replace(/^\[|\]$/g, ''),
    PGPORT: named('port') || port,
    PGUSER: named('user') || decodeURIComponent(username),
    PGPASSWORD: named('password') || decodeURIComponent(password),
    PGDATABASE: decodeURIComponent(pathname.slice(1)),
    PGSSLMODE: named('sslmode'),
    PGSSLROOTCERT: named('sslrootcert'),
    PGSSLCERT: named('sslcert'),
    PGSSLKEY: named('sslkey'),
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''))
}

/** Runs one of Postgres' programs and returns its output. Its errors go to standard error, and `otherwise` says what follows. */
async function run(url: string, program: string, words: string[], otherwise: string): Promise<string> {
  const child = spawn(program, words, {
    env: { ...process.env, ...libpq(url) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  const [status] = await once(child, 'close').catch((error: NodeJS.ErrnoException) => {
    throw new ConfigError(error.code === 'ENOENT' ? `${program} is not installed` : error.message)
  })
  if (status !== 0) throw new ConfigError(`${program} failed with status ${status}. ${otherwise}`)
  return output
}

/** The file has its name only when it is whole, and nobody else may read it. */
async function backup(url: string, file: string): Promise<void> {
  const unfinished = `${file}.unfinished`
  try {
    process.umask(0o077)
    const words = ['--format=custom', '--no-owner', '--no-privileges', `--file=${unfinished}`]
    await run(url, 'pg_dump', words, 'It needs the role that owns the schema')
    await rename(unfinished, file)
  } finally {
    await rm(unfinished, { force: true })
  }
  process.stdout.write(`${file}: ${(await stat(file)).size} bytes\n`)
}

async function restore(url: string, file: string): Promise<void> {
  // The list stands at the beginning: of a file that is cut only a reading to its end says so.
  const unreadable = `${file} is cut, damaged or no backup. The database was not touched: restore from another file`
  const contents = await run(url, 'pg_restore', ['--list', file], unreadable)
  await run(url, 'pg_restore', [`--file=${devNull}`, file], unreadable)
  const db = createDatabase(createPool(url, { size: 1 }))
  try {
    await requireEmpty(db)
    // An administrator may have created it already, where the role may not.
    await sql`create extension if not exists pg_trgm`.execute(db)
  } catch (error) {
    throw error instanceof ConfigError ? error : new ConfigError(databaseErrorText(error))
  } finally {
    await db.destroy()
  }
  const folder = await mkdtemp(join(tmpdir(), 'bounty-marketplace-restore-'))
  try {
    const list = join(folder, 'list')
    const wanted = contents.split('\n').filter((line) => !ofTheDatabase.test(line))
    await writeFile(list, wanted.join('\n'))
    const whole = ['--no-owner', '--no-privileges', '--exit-on-error', '--single-transaction']
    const target = [`--dbname=${libpq(url).PGDATABASE}`, `--use-list=${list}`, file]
    const undone = 'Nothing was restored: the database is empty as before, but for the extension pg_trgm'
    await run(
      url,
      'pg_restore',
      [...whole, ...target],
      `${undone}. It needs a role that may create in public`,
    )
  } finally {
    await rm(folder, { recursive: true })
  }
  process.stdout.write(
    "restored: give the servers' own role its rights again (grants.sql), run config:check, then setup, then start the servers\n",
  )
}

async function requireEmpty(db: Database): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' limit 1`.execute(
    db,
  )
  if (rows[0]) throw new ConfigError(`the database is not empty: it has the table ${rows[0].name}`)
}

const [command, file, ...rest] = process.argv.slice(2)
try {
  if (!file || rest.length > 0) throw new ConfigError(`Usage: npm run ${command} -- FILE`)
  const { DATABASE_URL: url } = readConfig(process.env)
  if (!url) throw new ConfigError('setting DATABASE_URL: needed')
  await (command === 'restore' ? restore : backup)(url, file)
} catch (error) {
  process.stderr.write(`${explain(error)}\n`)
  process.exitCode = 1
}
