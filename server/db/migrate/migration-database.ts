import {
  CompiledQuery,
  type DatabaseConnection,
  Kysely,
  PostgresAdapter,
  PostgresDialect,
  PostgresDriver,
  type TransactionSettings,
} from 'kysely'
import { createPool, type Database } from '../client.ts'
import type { DB } from '../generated/tables.ts'

/** An index on a large table takes longer than any other statement may. */
const longestMs = 3_600_000

/** The lock of Kysely's own migrator, so that `migrate` and `migrateAt` wait for each other. */
const migrationLock = '3853314791062309107'

/**
 * The database behind `url` for migrations alone: each transaction has an hour for a statement and waits until no other
 * process migrates. The caller has to end it.
 */
export function createMigrationDatabase(url: string): Database {
  return new Kysely<DB>({ dialect: new MigrationDialect({ pool: createPool(url, { size: 2, longestMs }) }) })
}

/**
 * A proxy such as pgbouncer drops settings of the connection and gives each transaction another session. So each
 * transaction sets its timeout and takes its lock itself.
 */
class MigrationDriver extends PostgresDriver {
  override async beginTransaction(
    connection: DatabaseConnection,
    settings: TransactionSettings,
  ): Promise<void> {
    await super.beginTransaction(connection, settings)
    // In this order, because waiting for the lock needs the longer timeout.
    await connection.executeQuery(CompiledQuery.raw(`set local statement_timeout = ${longestMs}`))
    await connection.executeQuery(CompiledQuery.raw(`select pg_advisory_xact_lock(${migrationLock})`))
  }
}

class MigrationDialect extends PostgresDialect {
  readonly #config: ConstructorParameters<typeof PostgresDialect>[0]
  constructor(config: ConstructorParameters<typeof PostgresDialect>[0]) {
    super(config)
    this.#config = config
  }
  override createDriver(): PostgresDriver {
    return new MigrationDriver(this.#config)
  }
  override createAdapter(): PostgresAdapter {
    return new UnlockedAdapter()
  }
}

/** A session's lock would stay with the connection of the proxy that took it. */
class UnlockedAdapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}
