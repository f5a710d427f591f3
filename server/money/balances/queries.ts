import { sql } from 'kysely'
import type { Address } from 'viem'
import { isAfter, newestFirst } from '../../api/page.ts'
import type { Database } from '../../db/client.ts'

/** A project's token and the wallets that were paid in it, for which it was bought, or that founded the project. */
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
 * The tokens that `wallets` were paid in, for which they were bought, or that they founded, newest project first; those after
 * the project `before`, if given. Of `projectId` alone, if given: then in all `wallets`, however it got there. `wallets` are
 * in lower case.
 */
export async function listHeldTokens(
  db: Database,
  {
    wallets,
    projectId,
    before,
    limit,
  }: { wallets: Address[]; projectId?: string | undefined; before?: string | undefined; limit: number },
): Promise<HeldToken[]> {
  const held = db
    .with('received', () => received(db, wallets))
    .selectFrom('projects')
    .where((where) =>
      projectId === undefined
        ? where.or([
            where(sql`lower(token_address)`, '=', sql`any(array(select token from received))`),
            where(sql`lower(founder_wallet)`, '=', sql`any(${wallets}::text[])`),
          ])
        : where.and([where('id', '=', projectId), where('token_address', 'is not', null)]),
    )
    .where(isAfter('projects', before))
    .select([
      'id as project_id',
      'token_symbol',
      'token_address',
      'curve_address',
      sql<Address>`lower(founder_wallet)`.as('founder_wallet'),
      sql<string[]>`array(select wallet from received where token = lower(token_address))`.as('paid'),
    ])
    .$narrowType<{ token_address: Address; curve_address: Address }>()
  const projects = await newestFirst(held).limit(limit).execute()
  return projects.map(({ paid, ...project }) => {
    const holds = (wallet: Address) =>
      projectId !== undefined || wallet === project.founder_wallet || paid.includes(wallet)
    return { ...project, wallets: wallets.filter(holds) }
  })
}

/** The tokens that each wallet was ever paid in or that were bought for it, in lower case. */
function received(db: Database, wallets: Address[]) {
  return db
    .selectFrom('payouts')
    .where('status', '=', 'settled')
    .where(sql`lower(to_address)`, '=', sql`any(${wallets}::text[])`)
    .select([sql<string>`lower(to_address)`.as('wallet'), sql<string>`lower(token)`.as('token')])
    .union(
      db
        .selectFrom('trades')
        .innerJoin('projects', (join) => join.on(sql`lower(curve_address)`, '=', sql.ref('trades.curve')))
        .where('side', '=', 'buy')
        .where('recipient', '=', sql<string>`any(${wallets}::text[])`)
        .select(['recipient as wallet', sql<string>`lower(token_address)`.as('token')]),
    )
}
