import { sql } from 'kysely'
import { within } from '../../config/time-limit.ts'
import type { Database } from '../../db/client.ts'
import type { Chain } from '../chain/chain.ts'

/** Longest time that a request waits for the nodes, in ms. */
const patienceMs = 2000

/**
 * How many nonces of each signer this process has seen the chain use. They are kept in memory on purpose: a database
 * that falls back to a backup or an asynchronous standby forgets which nonces it gave out, and only a memory outside of it
 * can reveal that.
 */
export interface SeenNonces {
  /** The chain has used all nonces of `address` below `minedNonce`. */
  add(address: string, minedNonce: number): void
  /** Reads the used nonces of all signers from the chain. A node that does not answer in time adds nothing. */
  refresh(chain: Pick<Chain, 'client' | 'operators'>): Promise<void>
  /** Whether a signer has used nonces that `db` never gave out; true also while nothing was seen of a signer. */
  exceedsBooked(db: Database, chain: Pick<Chain, 'id' | 'operators'>): Promise<boolean>
}

export function createSeenNonces(): SeenNonces {
  const seen = new Map<string, number>()
  // A node that is behind must not make this process forget.
  const add = (address: string, minedNonce: number) => {
    const key = address.toLowerCase()
    seen.set(key, Math.max(minedNonce, seen.get(key) ?? 0))
  }
  return {
    add,
    async refresh({ client, operators }) {
      const reads = operators.map(async ({ address }) =>
        add(address, await client.getTransactionCount({ address, blockTag: 'latest' })),
      )
      await within(patienceMs, Promise.allSettled(reads), () => undefined)
    },
    async exceedsBooked(db, { id: chainId, operators }) {
      if (operators.some(({ address }) => !seen.has(address.toLowerCase()))) return true
      const { rows } =
        await sql`select from unnest(${[...seen.keys()]}::text[], ${[...seen.values()]}::bigint[])
          as signer (address, mined_nonce)
        left join lanes on lanes.address = signer.address and lanes.chain_id = ${chainId}
        where coalesce(lanes.next_nonce, 0) < signer.mined_nonce limit 1`.execute(db)
      return rows.length > 0
    },
  }
}
