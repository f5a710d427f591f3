import { sql } from 'kysely'
import type pg from 'pg'
import type { Config } from '../../config/config.ts'
import { type Finding, ok, warn, wrong } from '../../config/finding.ts'
import { createDatabase, createPool, type Database } from '../../db/client.ts'
import { schemaIsNewer, schemaState } from '../../db/migrate/migrate.ts'
import { databaseErrorText } from '../../startup/connect/database.ts'
import { checkProxy, proxyAdvice } from './proxy.ts'
import { checkWallets } from './wallets.ts'

/**
 * Checks the database without changing anything, and calls `next` with it if it can be used.
 * Without DATABASE_URL there is nothing to check: the start creates the embedded one.
 */
export async function checkDatabase(
  config: Config,
  next: (db: Database | undefined) => Promise<Finding[]>,
): Promise<Finding[]> {
  if (!config.DATABASE_URL)
    return [
      config.EMBEDDED === 'off'
        ? wrong('DATABASE_URL', 'needed with EMBEDDED=off')
        : ok('DATABASE_URL', 'not set: an embedded Postgres will be started'),
      ...(await next(undefined)),
    ]
  const pool = createPool(config.DATABASE_URL, { size: 2, name: 'bounty-marketplace check' })
  const db = createDatabase(pool)
  try {
    const findings = await inspect(db, pool, config).catch((error) => [
      wrong('DATABASE_URL', proxyAdvice(databaseErrorText(error))),
    ])
    const usable = findings.every(({ level }) => level !== 'wrong')
    const hasTables = usable && (await hasSchema(db))
    return [...findings, ...(await next(hasTables ? db : undefined))]
  } finally {
    await db.destroy()
  }
}

async function inspect(db: Database, pool: pg.Pool, config: Config): Promise<Finding[]> {
  const { rows } = await sql<{
    version: string
    role: string
    encoding: string
    creates: boolean
    icu: boolean
    letters: boolean
    trigrams: boolean
    extends: boolean
    connections: number
  }>`select current_setting('server_version') as version, current_user as role,
      current_setting('server_encoding') as encoding,
      has_schema_privilege(current_user, 'public', 'create') as creates,
      exists (select from pg_collation where collname = 'und-x-icu') as icu,
      lower('É') = 'é' as letters,
      exists (select from pg_available_extensions where name = 'pg_trgm') as trigrams,
      exists (select from pg_extension where extname = 'pg_trgm') or exists (
        select from pg_available_extension_versions e, pg_roles r where e.name = 'pg_trgm' and r.rolname = current_user
          and (r.rolsuper or e.trusted and has_database_privilege(current_database(), 'create'))) as extends,
      current_setting('max_connections')::int as connections`.execute(db)
  const [server] = rows
  if (!server) throw new Error('the database does not respond')
  const findings = [ok('DATABASE_URL', `Postgres ${server.version}, as ${server.role}`)]
  findings.push(...(await checkProxy(pool, db)))
  if (Number.parseInt(server.version, 10) < 14)
    findings.push(wrong('DATABASE_URL', `Postgres ${server.version} is too old: 14 or newer is needed`))
  if (server.encoding !== 'UTF8')
    findings.push(wrong('DATABASE_URL', `the database's encoding is ${server.encoding}: UTF8 is needed`))
  if (!server.icu) findings.push(wrong('DATABASE_URL', 'Postgres is built without ICU, which searches need'))
  if (!server.letters) findings.push(warn('DATABASE_URL', asciiOnly))
  if (config.DATABASE_POOL_SIZE * 2 > server.connections)
    findings.push(
      warn('DATABASE_POOL_SIZE', `two processes would want more than the server's ${server.connections}`),
    )
  const { pending, unknown } = await schemaState(db)
  if (unknown.length > 0) return [...findings, wrong('schema', schemaIsNewer(unknown))]
  if (pending.length === 0) findings.push(ok('schema', 'up to date'))
  else if (!server.creates) findings.push(wrong('schema', creationAdvice(server.role)))
  else if (!server.trigrams) findings.push(wrong('schema', 'the extension pg_trgm is not installed'))
  else if (!server.extends) findings.push(wrong('schema', extensionAdvice(server.role)))
  else findings.push(ok('schema', `will be migrated at the start: ${pending.join(', ')}`))
  if (pending.length === 0) return [...findings, ...(await checkWallets(db, config))]
  if (pending.includes(firstMigration)) return findings
  // An older schema may lack what the keys have sealed since.
  return [...findings, ...(await checkWallets(db, config).catch(uncheckedKeys))]
}

const firstMigration = '0001_agents'

async function hasSchema(db: Database): Promise<boolean> {
  return !(await schemaState(db)).pending.includes(firstMigration)
}

function uncheckedKeys(error: unknown): Finding[] {
  const { code } = error as { code?: string }
  if (code !== undefinedTable && code !== undefinedColumn) throw error
  return [warn('WALLET_MASTER_KEY', 'can be checked once the schema is migrated')]
}

const undefinedTable = '42P01'
const undefinedColumn = '42703'

const asciiOnly =
  "the database's lc_ctype knows ASCII letters only: searches for others read rows one by one, and end early in large tables"

const creationAdvice = (role: string) =>
  `${role} may not create tables in public: grant create on schema public to ${role}, or run setup as the role that owns the schema`

const extensionAdvice = (role: string) =>
  `${role} may not create the extension pg_trgm: have a superuser create it, or grant ${role} create on the database`
