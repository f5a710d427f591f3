import { sql } from 'kysely'
import type { Address } from 'viem'
import type { Database } from '../../../db/client.ts'
import { newestFirst } from '../../page.ts'

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
  { wallets, before, limit }: { wallets: Address[]; before?: string | undefined; limit: number },
): Promise<HeldToken[]> {
  const received = await listReceived(db, wallets)
  const tokens = received.map(({ token }) => token)
  let query = db
    .selectFrom('projects')
    .where((where) =>
      where.or([
        where(sql`lower(token_address)`, '=', sql`any(${tokens}::text[])`),
        where(sql`lower(founder_wallet)`, '=', sql`any(${wallets}::text[])`),
      ]),
    )
    .select([
      'id as project_id',
      'token_symbol',
      'token_address',
      'curve_address',
      sql<Address>`lower(founder_wallet)`.as('founder_wallet'),
    ])
    .$narrowType<{ token_address: Address; curve_address: Address }>()
  if (before !== undefined)
    query = query.where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple('created_at', 'id'),
        '<',
        selectFrom('projects')
          .where('id', '=', before)
          .select(['created_at', 'id'])
          .$asTuple('created_at', 'id'),
      ),
    )
  const projects = await newestFirst(query).limit(limit).execute()
  const paid = new Set(received.map(({ wallet, token }) => `${wallet} ${token}`))
  return projects.map((project) => {
    const holds = (wallet: Address) =>
      wallet === project.founder_wallet || paid.has(`${wallet} ${project.token_address.toLowerCase()}`)
    return { ...project, wallets: wallets.filter(holds) }
  })
}

/** The tokens that each wallet was ever paid in, in lower case. */
function listReceived(db: Database, wallets: Address[]): Promise<{ wallet: string; token: string }[]> {
  return db
    .selectFrom('payouts')
    .where('status', '=', 'settled')
    .where(sql`lower(to_address)`, '=', sql`any(${wallets}::text[])`)
    .select([sql<string>`lower(to_address)`.as('wallet'), sql<string>`lower(token)`.as('token')])
    .distinct()
    .execute()
}
