import { sql } from 'kysely'
import type { Address } from 'viem'
import type { Database } from '../../db/client.ts'
import { chainAddress } from '../chain/address.ts'
import { blockBefore, chainTime } from '../chain/block-time.ts'
import { logWindows } from '../chain/log-windows.ts'
import { changesBetween } from './changes.ts'
import type { FollowContext } from './context.ts'
import { readTrades } from './events.ts'
import { type BlockId, type FollowerLease, storeChanges } from './store.ts'

/** The curves of the database, in lower case; with `among` those of these. */
export async function findKnownCurves(db: Database, among?: string[]): Promise<Address[]> {
  const { rows } = await sql<{ curve: Address }>`select lower(curve_address) as curve from activations
    where ${among ? sql`lower(curve_address) = any(${among})` : sql`curve_address is not null`}`.execute(db)
  return rows.map(({ curve }) => curve)
}

/** When the first project was created that has been activated: no curve is older. */
export async function firstProjectAt(db: Database): Promise<Date | undefined> {
  const { rows } = await sql<{ created_at: Date }>`select created_at from projects p
    where exists (select from activations a where a.project_id = p.id) order by created_at, id limit 1`.execute(
    db,
  )
  return rows[0]?.created_at
}

const curvesAtOnce = 100

/**
 * Reads the trades up to the cursor on curves that the database has learned of since. A curve is stored before it is
 * created, so usually there are none. A database that fell back learns of its curves again when their projects are
 * activated anew.
 */
export async function followNewCurves(
  context: FollowContext,
  lease: FollowerLease,
  cursor: BlockId,
): Promise<void> {
  const { db, chain, log } = context
  for (;;) {
    // No curve is older than its project. The order is that of an index of these curves alone: without it the planner, which
    // expects many of them, reads a whole table to find the first.
    const { rows } = await sql<{ id: string; curve: string; since: Date }>`
      select p.id, a.curve_address as curve, p.created_at as since
      from activations a join projects p on p.id = a.project_id
      where a.curve_address is distinct from a.followed_curve order by a.project_id limit ${curvesAtOnce}`.execute(
      db,
    )
    if (rows.length === 0) return
    const { timestamp } = await chain.client.getBlock({ blockNumber: BigInt(cursor.block) })
    for (const { curve: stored, since } of rows) {
      const curve = chainAddress(stored)
      if (chainTime(since) >= timestamp || !(await mayBeOlder(context, curve, cursor))) continue
      log.info({ curve, block: cursor.block }, 'reading the earlier trades of a curve')
      const start = await blockBefore(chain.client, cursor.block, since)
      const read = (from: number, to: number) => readTrades(chain, from, to, [curve])
      for await (const { found: trades } of logWindows(chain.client, read, start, cursor.block))
        await storeChanges(db, lease, await changesBetween(chain, [], { payments: [], trades }))
    }
    const ids = rows.map(({ id }) => id)
    const curves = rows.map(({ curve }) => curve)
    await sql`update activations set followed_curve = curve_address
      where project_id = any(${ids}) and curve_address = any(${curves})`.execute(db)
  }
}

/** Whether a curve may have existed at the cursor; true also where the node has forgotten the state of that block. */
async function mayBeOlder({ chain }: FollowContext, address: Address, { block }: BlockId): Promise<boolean> {
  const code = chain.client.getCode({ address, blockNumber: BigInt(block) })
  return code.then(
    (found) => found !== undefined,
    () => true,
  )
}
