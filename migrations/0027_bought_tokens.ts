import { type Kysely, sql } from 'kysely'

/** The tokens that somebody bought for a wallet are among its balances. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(`create index trades_bought on trades (recipient, curve) where side = 'buy';`).execute(db)
}
