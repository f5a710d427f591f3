import { sql } from 'kysely'
import type { Address } from 'viem'
import type { Database } from '../../../db/client.ts'

/** A project's token and the wallets that were paid in it or founded the project. */
export interface HeldToken {
  project_id: string
  token_symbol: string
  token_address: Address
  curve_address: Address
  /** In lower case, like `wallets`. */
  founder_wallet: Address
  wallets: Address[]
}

/**
 * The tokens that `wallets` were paid in or founded, newest project first; those after the project `before`, if given.
 * `wallets` are in lower case.
 */
export async function listHeldTokens(
  db: Database,
  { wallets, before, limit }: { wallets: string[]; before?: string | undefined; limit: number },
): Promise<HeldToken[]> {
  const { rows } = await sql<HeldToken>`
    with own as (select unnest(${wallets}::text[]) as wallet),
    paid as (
      select distinct own.wallet, lower(payouts.token) as token
      from own join payouts on lower(payouts.to_address) = own.wallet and payouts.status = 'settled'),
    held as (
      select projects.id, paid.wallet from paid join projects on lower(projects.token_address) = paid.token
      union
      select projects.id, own.wallet from own join projects on lower(projects.founder_wallet) = own.wallet)
    select projects.id as project_id, token_symbol, token_address, curve_address, lower(founder_wallet) as founder_wallet,
      array_agg(held.wallet order by array_position(${wallets}::text[], held.wallet)) as wallets
    from projects join held on held.id = projects.id
    where ${before ?? null}::text is null
      or (projects.created_at, projects.id) < (select last.created_at, last.id from projects last where last.id = ${before ?? null})
    group by projects.id
    order by projects.created_at desc, projects.id desc
    limit ${limit}`.execute(db)
  return rows
}
