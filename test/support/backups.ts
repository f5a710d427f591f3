import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject, onTestFinished } from 'vitest'

/** Copies that the database server makes of a whole database: what a dump and its restore come to. */
export interface Backups {
  dump(): Promise<void>
  /** The database is as it was at the dump; connections to it were cut. */
  loseEverythingAndRestore(): Promise<void>
}

/** Backups of one database, dropped when the test has ended. */
export async function createBackups(databaseUrl: string): Promise<Backups> {
  const client = new pg.Client({ connectionString: inject('postgresUrl') })
  await client.connect()
  const name = new URL(databaseUrl).pathname.slice(1)
  const backup = `backup_${randomBytes(8).toString('hex')}`
  /** Nobody may connect to a database while it is copied, and a running service reconnects at once. */
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
