import { type Address, getAddress } from 'viem'
import type { Database } from '../../db/client.ts'

const walletKey = (chainId: number) => `platform wallet of chain ${chainId}`

/** The platform wallet that this database was last used with on a chain. */
export async function rememberedWallet(db: Database, chainId: number): Promise<Address | undefined> {
  const row = await db
    .selectFrom('service_keys')
    .select('value')
    .where('name', '=', walletKey(chainId))
    .executeTakeFirst()
  return row && getAddress(row.value.toString())
}

/** Stores the platform wallet that this database is used with on a chain. */
export async function rememberWallet(db: Database, chainId: number, wallet: Address): Promise<void> {
  const value = Buffer.from(wallet)
  await db
    .insertInto('service_keys')
    .values({ name: walletKey(chainId), value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}
