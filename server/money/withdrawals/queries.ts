import { isAfter } from '../../api/page.ts'
import type { Database } from '../../db/client.ts'
import { relaysOf } from '../relays/queries.ts'

/** The withdrawal whose authorization has this nonce. */
export function findByNonce(db: Database, of: { chainId: number; wallet: string; nonce: string }) {
  return relaysOf(db, 'withdrawal')
    .where('relays.chain_id', '=', of.chainId)
    .where('wallet', '=', of.wallet)
    .where('relays.nonce', '=', of.nonce)
    .executeTakeFirst()
}

/** An agent's withdrawals of tokens, or of dollars, newest first; with `before` those that are older than that one. */
export function listWithdrawals(
  db: Database,
  of: { agentId: string; limit: number; before?: string | undefined; ofDollars?: true },
) {
  return relaysOf(db, 'withdrawal')
    .where('relays.agent_id', '=', of.agentId)
    .where('relays.project_id', of.ofDollars ? 'is' : 'is not', null)
    .where(isAfter('relays', of.before))
    .orderBy('relays.created_at', 'desc')
    .orderBy('relays.id', 'desc')
    .limit(of.limit)
    .execute()
}
