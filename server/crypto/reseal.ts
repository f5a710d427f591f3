import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Database } from '../db/client.ts'
import { inTransaction } from '../db/transaction.ts'
import { type SealedRow, type SealedTable, sealedRows, sealedTables } from './sealed-rows.ts'
import type { WalletVault } from './wallet-vault.ts'

const batchSize = 100

/**
 * The task that moves wallets and the secrets of webhooks from the previous master key to the newest one. Any number of
 * processes may run it, at any time and after any interruption: each batch is one transaction and skips the rows of others.
 */
export function resealing(
  db: Database,
  vault: WalletVault | null,
  log: Pick<Logger, 'info' | 'error'>,
): () => Promise<void> {
  const [, previous] = vault?.opens ?? []
  if (!vault || previous === undefined) return async () => undefined
  let isDone = false
  return async () => {
    let moved = 0
    let left = 0
    for (const table of sealedTables) {
      const result = await resealTable(db, vault, { table, version: previous })
      moved += result.moved
      left += await countRows(db, table, previous)
      if (result.failed.length > 0)
        log.error(
          { [idName[table.noun]]: result.failed[0], [table.noun]: result.failed.length },
          `NEEDS OPERATOR: ${described[table.noun]} were altered or sealed under another key: they do not open under WALLET_MASTER_KEY_PREVIOUS; look for the backup or the key that they came from`,
        )
    }
    if (left === 0 && !isDone)
      log.info(
        { moved },
        `every managed wallet and webhook is sealed under master key version ${vault.version}: once no server uses the previous key, WALLET_MASTER_KEY_PREVIOUS can be removed`,
      )
    else if (moved > 0)
      log.info({ moved, left }, 'managed wallets and webhooks were sealed under the newest master key')
    isDone = left === 0
  }
}

const idName = { wallets: 'agentId', webhooks: 'webhookId' } as const
const described = { wallets: 'managed wallets', webhooks: 'secrets of webhooks' } as const

/** What one pass over a table did. */
interface Resealed {
  moved: number
  /** Ids of the rows that did not open. */
  failed: string[]
}

async function resealTable(
  db: Database,
  vault: WalletVault,
  { table, version }: { table: SealedTable; version: number },
): Promise<Resealed> {
  const failed: string[] = []
  let moved = 0
  for (let after: string | undefined = ''; after !== undefined; ) {
    const batch = await resealBatch(db, vault, { table, version, after })
    failed.push(...batch.failed)
    moved += batch.moved
    after = batch.last
  }
  return { moved, failed }
}

/** How many rows are sealed under a version of the master key. */
async function countRows(db: Database, { table }: SealedTable, version: number): Promise<number> {
  const { count } = await db
    .selectFrom(table)
    .where('key_version', '=', version)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Moves the next rows of a version after an id. `last` is undefined after the end. */
function resealBatch(
  db: Database,
  vault: WalletVault,
  { table, version, after }: { table: SealedTable; version: number; after: string },
): Promise<Resealed & { last: string | undefined }> {
  return inTransaction(db, async (trx) => {
    const query = sealedRows(table, { version, after, limit: batchSize })
    const { rows } = await sql<SealedRow>`
      ${query} for no key update skip locked`.execute(trx)
    const failed: string[] = []
    for (const row of rows) {
      const resealed = attempt(() => table.reseal(vault, row))
      if (!resealed) failed.push(row.id)
      else
        await sql`
          update ${sql.table(table.table)}
          set ${sql.ref(table.sealedColumn)} = ${resealed.sealed}, key_version = ${resealed.keyVersion}
          where ${sql.ref(table.idColumn)} = ${row.id}`.execute(trx)
    }
    return { moved: rows.length - failed.length, failed, last: rows.at(-1)?.id }
  })
}

/** The result of `work`; undefined if it throws. */
export function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
