import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Chain } from '../chain/chain.ts'
import type { Database } from '../db/connect.ts'

/** Longest time that somebody waits for a look, in ms. */
const patienceMs = 2000

/**
 * The nonces that this process has seen the chain use up, by signer. They are kept in memory on purpose: a database that
 * falls back, to a backup or an asynchronous standby, forgets what it gave out, and only a memory outside of it can tell.
 */
export interface SeenNonces {
  /** The chain has used all nonces of `address` below `minedNonce`. */
  saw(address: string, minedNonce: number): void
  /** Asks the chain how far its signers are. Where it does not answer, what was seen before has to do. */
  look(chain: Pick<Chain, 'client' | 'operators'>): Promise<void>
  /** Whether some signer has used nonces that `db` never gave out. */
  exceedsBooked(db: Database, chainId: number): Promise<boolean>
}

export function createSeenNonces(): SeenNonces {
  const seen = new Map<string, number>()
  return {
    saw: (address, minedNonce) => void seen.set(address.toLowerCase(), minedNonce),
    async look({ client, operators }) {
      const looks = operators.map(async ({ address }) =>
        seen.set(address.toLowerCase(), await client.getTransactionCount({ address, blockTag: 'latest' })),
      )
      await Promise.race([Promise.allSettled(looks), delay(patienceMs, undefined, { ref: false })])
    },
    async exceedsBooked(db, chainId) {
      if (seen.size === 0) return false
      const { rows } =
        await sql`select from unnest(${[...seen.keys()]}::text[], ${[...seen.values()]}::bigint[])
          as signer (address, mined_nonce)
        join lanes on lanes.address = signer.address and lanes.chain_id = ${chainId}
        where lanes.next_nonce < signer.mined_nonce limit 1`.execute(db)
      return rows.length > 0
    },
  }
}
