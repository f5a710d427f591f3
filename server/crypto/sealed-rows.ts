import { sql } from 'kysely'
import type { Address } from 'viem'
import type { Database } from '../db/client.ts'
import type { SealedText, WalletVault } from './wallet-vault.ts'

/** A table whose rows are sealed under a master key. */
export interface SealedTable {
  /** Words for its rows, as in log lines. */
  noun: 'wallets' | 'webhooks'
  table: 'managed_wallets' | 'webhooks'
  idColumn: string
  sealedColumn: string
  /** The column that the seal is bound to, with the id, as SQL. */
  boundTo: string
  /** The row under the newest master key. @throws as `WalletVault.open` */
  reseal(vault: WalletVault, row: SealedRow): SealedText
}

/** A row as it is stored. */
export interface SealedRow {
  id: string
  sealed: Buffer
  bound: string
  keyVersion: number
}

/** Every table whose rows are sealed under a master key. */
export const sealedTables: readonly SealedTable[] = [
  {
    noun: 'wallets',
    table: 'managed_wallets',
    idColumn: 'agent_id',
    sealedColumn: 'sealed_key',
    boundTo: 'address',
    reseal(vault, { id, sealed, bound, keyVersion }) {
      const wallet = vault.reseal(id, { address: bound as Address, sealedKey: sealed, keyVersion })
      return { sealed: wallet.sealedKey, keyVersion: wallet.keyVersion }
    },
  },
  {
    noun: 'webhooks',
    table: 'webhooks',
    idColumn: 'id',
    sealedColumn: 'sealed_secrets',
    boundTo: "''",
    reseal: (vault, { id, ...text }) => vault.sealText(id, vault.openText(id, text)),
  },
]

/** The next rows of a version after an id, as a query that a lock can be added to. */
export function sealedRows(
  { table, idColumn, sealedColumn, boundTo }: SealedTable,
  { version, after, limit }: { version: number; after: string; limit: number },
) {
  return sql<SealedRow>`
    select ${sql.ref(idColumn)} as id, ${sql.ref(sealedColumn)} as sealed, ${sql.raw(boundTo)} as bound, key_version as "keyVersion"
    from ${sql.table(table)} where key_version = ${version} and ${sql.ref(idColumn)} > ${after}
    order by ${sql.ref(idColumn)} limit ${limit}`
}

/** How many rows each version of the master key has sealed, newest version first. */
export async function countSealed(db: Database): Promise<SealedCount[]> {
  const { rows } = await sql<SealedCount>`
    select key_version as version, count(*) filter (where noun = 'wallets')::int as wallets,
      count(*) filter (where noun = 'webhooks')::int as webhooks
    from (select key_version, 'wallets' as noun from managed_wallets
      union all select key_version, 'webhooks' from webhooks) sealed
    group by key_version order by key_version desc`.execute(db)
  return rows
}

/** How many rows a version of the master key has sealed. */
export interface SealedCount {
  version: number
  wallets: number
  webhooks: number
}

/** Words for counts: `12 wallets`, `3 webhooks` or `12 wallets and 3 webhooks`. */
export function wordsOf({ wallets, webhooks }: Omit<SealedCount, 'version'>): string {
  if (webhooks === 0) return `${wallets} wallets`
  return wallets === 0 ? `${webhooks} webhooks` : `${wallets} wallets and ${webhooks} webhooks`
}
