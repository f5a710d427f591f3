import { sql } from 'kysely'
import type { Config } from '../../config/config.ts'
import type { Database } from '../../db/client.ts'
import { mineTowards } from '../../embedded/index.ts'
import { askForWork } from '../../loops/look.ts'
import { startRounds, type Worker } from '../../loops/rounds.ts'

/** Two blocks a second: with the default of 64 a block is final after half a minute. A round is one short statement. */
const pauseMs = 500
/** The `safe` and the `finalized` block of the embedded chain are at most so far below the newest one. */
const tagBlocks = 2

/** What the loop needs. */
export interface BlockOptions {
  db: Database
  rpcUrl: string
  chainId: number
  config: Pick<Config, 'CONFIRMATIONS' | 'FINALITY_BLOCKS'>
}

/**
 * Starts the loop that keeps the embedded chain, which makes a block only for a transaction, from standing still while
 * something waits for the blocks above it: a transaction that does not count yet or was reverted, or a relay that has
 * expired. It mines until those blocks are there and no further, so an idle chain stays as it is.
 */
export function startBlocks({ db, rpcUrl, chainId, config }: BlockOptions): Worker {
  const isFar = sql`status in ('mined', 'reverted') and not is_final and chain_id = ${chainId}`
  const isRunning = sql`status = 'running' and chain_id = ${chainId}`
  const hasNeed = () =>
    sql`exists (select from transactions where ${isFar}) or exists (select from relays where ${isRunning})`
  const depth = Math.max(config.FINALITY_BLOCKS, config.CONFIRMATIONS ?? 1) + tagBlocks

  async function mineIfNeeded(): Promise<void> {
    const { rows } = await sql<{ block: number | null; time: number | null }>`select
      (select max(block_number) from transactions where ${isFar}) as block,
      (select min(valid_before) from relays where ${isRunning}) as time`.execute(db)
    const [{ block = null, time = null } = {}] = rows
    if (block !== null || time !== null) await mineTowards(rpcUrl, { block, time, depth })
  }

  // A failure is one of database or chain, which others report; the next round tries again.
  return startRounds(() => mineIfNeeded().catch(() => undefined), pauseMs, askForWork(db, hasNeed))
}
