import { sql } from 'kysely'
import type { Database } from '../../../db/client.ts'
import type { ChainView } from '../lane/chain-view.ts'
import type { Tick } from '../lane/context.ts'
import { underLease } from '../lane/lease.ts'
import type { LaneLease, SettledBlock } from '../types.ts'

/** How many final transactions of a signer are compared with the chain when the last one's block is gone. */
const mostCompared = 1000

/**
 * Checks that the block of the signer's last final transaction is still canonical. Where it is not, a reorganisation went
 * deeper than FINALITY_BLOCKS, and every final transaction whose block is gone is taken up again. Returns whether one was.
 */
export async function takeUpDisplacedFinal(tick: Tick, lastFinal: SettledBlock | null): Promise<boolean> {
  if (!lastFinal || (await isCanonical(tick.view, lastFinal))) return false
  const gone = new Set<string>()
  for (const block of await listFinal(tick.db, tick.lease)) {
    if (await isCanonical(tick.view, block)) break
    gone.add(block.hash)
  }
  if (gone.size === 0) return false
  await underLease(tick.db, tick.lease, (trx) =>
    trx
      .updateTable('transactions')
      .set({ is_final: false, updated_at: sql<Date>`clock_timestamp()` })
      .where('chain_id', '=', tick.lease.chainId)
      .where('from_address', '=', tick.lease.address)
      .where('is_final', '=', true)
      .where('block_hash', 'in', [...gone])
      .execute(),
  )
  const why = `${gone.size} blocks that counted as final are no longer on the chain`
  tick.alarm({ kind: 'deep_reorg', lane: tick.lease.address, why })
  return true
}

/** True also where the node has no block at that height: then it is behind, which proves nothing. */
async function isCanonical(view: ChainView, block: SettledBlock): Promise<boolean> {
  const hash = await view.blockHash(block.number)
  return hash === undefined || hash === block.hash
}

/** The block of each final transaction of a signer, newest first. */
async function listFinal(db: Database, lease: LaneLease): Promise<SettledBlock[]> {
  const { rows } = await sql<SettledBlock>`
    select block_number as number, block_hash as hash from transactions
    where chain_id = ${lease.chainId} and from_address = ${lease.address} and is_final
    order by nonce desc limit ${mostCompared}`.execute(db)
  return rows
}
