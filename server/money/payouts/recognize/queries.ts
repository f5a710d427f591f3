import { sql } from 'kysely'
import type { Address } from 'viem'
import type { Database } from '../../../db/client.ts'
import { payoutIdOf } from '../../chain/on-chain-ids.ts'

/**
 * The time of the last attempt that a key signed, as far as this database knows; for an unknown key, the time of the first
 * bounty. Undefined without any bounty: nothing can have been paid then.
 */
export async function lastSigned(db: Database, chainId: number, signer: string): Promise<Date | undefined> {
  const { rows } = await sql<{ at: Date | null }>`select coalesce(
    (select max(created_at) from transaction_attempts where transaction_id =
      (select t.id from lanes l join transactions t on t.chain_id = l.chain_id and t.from_address = l.address
        where l.chain_id = ${chainId} and l.address = ${signer.toLowerCase()} and t.nonce < l.next_nonce
        order by t.nonce desc limit 1)),
    (select min(created_at) from bounties)) as at`.execute(db)
  return rows[0]?.at ?? undefined
}

/** The platform wallets that this database has paid with on a chain, in lower case. */
export async function usedWallets(db: Database, chainId: number): Promise<Address[]> {
  const { rows } = await sql<{ wallet: Address }>`
    select unnest(wallets) as wallet from followers where chain_id = ${chainId}
    union select lower(platform_wallet) from payouts where chain_id = ${chainId}`.execute(db)
  return rows.map(({ wallet }) => wallet)
}

/** A submission that waits for its review. */
export interface UnpaidSubmission {
  id: string
  bounty_id: string
}

/** Submissions without a running payout, as far as this database knows. */
export function unpaidSubmissions(db: Database): Promise<UnpaidSubmission[]> {
  return db.selectFrom('submissions').select(['id', 'bounty_id']).where('status', '=', 'pending').execute()
}

/** The payout ids among these that are being paid or were paid, as far as this database knows. */
export async function knownPayouts(db: Database, payoutIds: string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('payouts')
    .select('payout_id')
    .where('payout_id', '=', sql<string>`any(${payoutIds})`)
    .where('status', '!=', 'failed')
    .execute()
  return new Set(rows.map((row) => row.payout_id))
}

/** Number of bounties read at a time. */
const bountiesAtOnce = 5000

/** The bounties that have these payout ids and are not done, by payout id. Reads all bounties that are not done in parts. */
export async function bountiesByPayoutId(
  db: Database,
  chainId: number,
  payoutIds: string[],
): Promise<Map<string, { id: string; status: string }>> {
  const wanted = new Set(payoutIds)
  const found = new Map<string, { id: string; status: string }>()
  for (let last = ''; found.size < wanted.size; ) {
    const rows = await db
      .selectFrom('bounties')
      .select(['id', 'status'])
      .where('id', '>', last)
      .where('status', '!=', 'done')
      .orderBy('id')
      .limit(bountiesAtOnce)
      .execute()
    for (const bounty of rows) {
      const payoutId = payoutIdOf(chainId, bounty.id)
      if (wanted.has(payoutId)) found.set(payoutId, bounty)
    }
    if (rows.length < bountiesAtOnce) break
    last = rows.at(-1)?.id ?? ''
  }
  return found
}
