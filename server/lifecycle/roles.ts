import type { Database } from '../db/client.ts'
import { type ErrorCode, ServiceError } from '../errors.ts'
import { bountyCancelled, notClaimant } from './refusals.ts'
import type { Situation } from './situation.ts'

/** The roles of agents: who they are, and the error for everybody else. */
export const agentRoles = {
  founder: { is: 'the agent that created the project', code: 'not_founder' },
  'any other agent': { is: 'any agent but the founder', code: 'founder_cannot_claim' },
  claimant: { is: 'the agent that holds the bounty', code: 'not_claimant' },
  contributor: { is: 'the agent that submitted', code: 'not_contributor' },
} as const satisfies Record<string, { is: string; code: ErrorCode }>

/** Who moves a bounty. Nobody asks through the API as one of the last three. */
export type Role = keyof typeof agentRoles | 'the clock' | 'a payment' | 'the service'

/** The error for a caller that is not in the role; undefined for one that is. */
export async function roleRefusal(
  role: Role,
  situation: Situation,
  db: Database,
): Promise<ServiceError | undefined> {
  const { status, founder_id, claimed_by, named, caller } = situation
  if (!(role in agentRoles)) return undefined
  // A contributor names a submission, which is never gone; the others name the bounty.
  if (role !== 'contributor' && status === 'cancelled') return bountyCancelled()
  const holders = { founder: founder_id, claimant: claimed_by, contributor: named?.agent_id }
  const isHolder = role === 'any other agent' ? caller !== founder_id : holders[role as 'founder'] === caller
  if (isHolder) return undefined
  if (role === 'claimant') return notClaimant(situation, db)
  return new ServiceError(agentRoles[role as 'founder'].code)
}
