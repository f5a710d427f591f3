import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { onTestFinished } from 'vitest'
import { sharedPostgres } from './shared/shared.ts'

/** Copies of a whole database, made by the database server. They have the effect of a dump and its restore. */
export interface Backups {
  dump(): Promise<void>
  /** Restores the database to its state at the dump, and disconnects its clients. */
  loseEverythingAndRestore(): Promise<void>
}

/** Backups of one database, deleted after the test. */
export async function createBackups(databaseUrl: string): Promise<Backups> {
  const client = new pg.Client({ connectionString: await sharedPostgres() })
  await client.connect()
  const name = new URL(databaseUrl).pathname.slice(1)
  const backup = `backup_${randomBytes(8).toString('hex')}`
  /** Forbids connections: a database cannot be copied while clients are connected, and a running service reconnects. */
  const copy = async (from: string, to: string) => {
    await client.query(`alter database ${from} allow_connections false`)
    await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [from])
    await client.query(`create database ${to} template ${from}`)
    await client.query(`alter database ${from} allow_connections true`)
  }
  onTestFinished(async () => {
    await client.query(`drop database if exists ${backup} with (force)`)
    await client.end()
  })
  return {
    dump: () => copy(name, backup),
    async loseEverythingAndRestore() {
      await client.query(`drop database ${name} with (force)`)
      await copy(backup, name)
    },
  }
}
