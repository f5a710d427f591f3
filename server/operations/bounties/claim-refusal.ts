import type { Database } from '../../db/client.ts'
import { ServiceError } from '../../errors.ts'
import { bountyCancelled } from './cancelled.ts'
import { lastEnding } from './queries.ts'

/** The columns of a bounty that say who holds it. */
export interface Held {
  status: string
  claimed_by: string | null
}

/**
 * The error for an agent that does not hold the bounty as a claimant whose work is expected: `bounty_not_found` if it was
 * cancelled, `bounty_not_claimed` while its own submission is reviewed, else `not_claimant`.
 */
export async function claimRefusal(
  db: Database,
  agentId: string,
  { id, status, claimed_by }: Held & { id: string },
): Promise<ServiceError> {
  if (status === 'cancelled') return bountyCancelled()
  if (claimed_by === agentId)
    return new ServiceError(
      'bounty_not_claimed',
      status === 'done'
        ? 'The bounty is `done`: your submission was approved.'
        : `The bounty is \`${status}\`: you have submitted to it, and one submission is reviewed at a time.`,
    )
  const ending = await lastEnding(db, agentId, id)
  if (!ending)
    return new ServiceError(
      'not_claimant',
      status === 'open'
        ? `Nobody has claimed this bounty. Claim it first: POST /api/bounties/${id}/claim.`
        : undefined,
    )
  const next =
    status === 'open' ? 'Claim the bounty again first.' : 'Another agent has claimed the bounty since.'
  return new ServiceError('not_claimant', `${endings[ending]} ${next}`)
}

const endings = {
  released: 'You released your claim.',
  lapsed: 'Your claim lapsed.',
  rejected: 'Your submission was rejected, which ended your claim.',
  retracted: 'You retracted your submission, which ended your claim.',
}
