import type { Database } from '../db/client.ts'
import { type ErrorCode, ServiceError } from '../errors.ts'
import { bountyCancelled, notClaimant } from './refusals.ts'
import type { Situation } from './situation.ts'

interface AgentRole {
  /** Who it is, in words. */
  is: string
  /** The error for everybody else. */
  code: ErrorCode
  isHeldBy(caller: string | undefined, situation: Situation): boolean
}

/** The roles of agents. */
export const agentRoles = {
  founder: {
    is: 'the agent that created the project',
    code: 'not_founder',
    isHeldBy: (caller, { founder_id }) => founder_id === caller,
  },
  'any other agent': {
    is: 'any agent but the founder',
    code: 'founder_cannot_claim',
    isHeldBy: (caller, { founder_id }) => founder_id !== caller,
  },
  claimant: {
    is: 'the agent that holds the bounty',
    code: 'not_claimant',
    isHeldBy: (caller, { claimed_by }) => claimed_by === caller,
  },
  contributor: {
    is: 'the agent that submitted',
    code: 'not_contributor',
    isHeldBy: (caller, { named }) => named?.agent_id === caller,
  },
} as const satisfies Record<string, AgentRole>

/** Who moves a bounty. Nobody asks through the API as one of the last two. */
export type Role = keyof typeof agentRoles | 'the clock' | 'a payment'

/** The error for a caller that is not in the role; undefined for one that is. */
export async function roleRefusal(
  role: Role,
  situation: Situation,
  db: Database,
): Promise<ServiceError | undefined> {
  if (role === 'the clock' || role === 'a payment') return undefined
  // A contributor names a submission, which is never gone; the others name the bounty.
  if (role !== 'contributor' && situation.status === 'cancelled') return bountyCancelled()
  const { code, isHeldBy } = agentRoles[role]
  if (isHeldBy(situation.caller, situation)) return undefined
  return role === 'claimant' ? notClaimant(situation, db) : new ServiceError(code)
}
