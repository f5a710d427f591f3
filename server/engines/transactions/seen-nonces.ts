import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Chain } from '../../chain/chain.ts'
import type { Database } from '../../db/client.ts'

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
  /** Whether some signer has used nonces that `db` never gave out; also where nobody knows, because none was seen. */
  exceedsBooked(db: Database, chain: Pick<Chain, 'id' | 'operators'>): Promise<boolean>
}

export function createSeenNonces(): SeenNonces {
  const seen = new Map<string, number>()
  // A node that is behind must not make this process forget.
  const saw = (address: string, minedNonce: number) => {
    const key = address.toLowerCase()
    seen.set(key, Math.max(minedNonce, seen.get(key) ?? 0))
  }
  return {
    saw,
    async look({ client, operators }) {
      const looks = operators.map(async ({ address }) =>
        saw(address, await client.getTransactionCount({ address, blockTag: 'latest' })),
      )
      await Promise.race([Promise.allSettled(looks), delay(patienceMs, undefined, { ref: false })])
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
