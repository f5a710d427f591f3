import type { Database } from '../db/client.ts'
import { type ErrorCode, ServiceError } from '../errors.ts'
import { mostGivenUp } from './deadlines.ts'
import { bountyCancelled, holdsAnother, notClaimant, notFree, type Refusal } from './refusals.ts'
import type { Situation } from './situation.ts'

/** Who may move a bounty. The last three are no agents: nobody asks as them through the API. */
export type Role =
  | 'founder'
  | 'another agent'
  | 'claimant'
  | 'contributor'
  | 'the clock'
  | 'a payment'
  | 'the service'

/** What must hold before a bounty moves. */
export interface Condition {
  /** In words. */
  says: string
  /** The code of the error where it does not hold. */
  code: ErrorCode
  /** @throws ServiceError a more exact one than that of `refusal` */
  holds(situation: Situation, trx: Database): boolean | Promise<boolean>
  /** The error with a sentence of its own. Default: that of the code. */
  refusal?: Refusal
  /** The constraint or trigger by which the database keeps it where two requests come at once. */
  keptBy?: string
}

export const isFree: Condition = {
  says: "it is open, or another agent's claim on it has lapsed",
  code: 'bounty_not_open',
  holds: ({ status, claimed_by, has_lapsed, caller }) =>
    status === 'open' || (has_lapsed && claimed_by !== caller),
  refusal: notFree,
  keptBy: 'bounties_claim_kept',
}

export const isGivenUpSeldom: Condition = {
  says: `the agent has given it up less than ${mostGivenUp} times within the time of one claim`,
  code: 'claimed_too_often',
  holds: ({ given_up = 0 }) => given_up < mostGivenUp,
}

export const hasNoOtherClaim: Condition = {
  says: 'the agent holds no other bounty of the project',
  code: 'active_claim_exists',
  holds: ({ other_claim }) => !other_claim,
  refusal: holdsAnother,
  keptBy: 'bounties_one_active_claim',
}

export const hasNotLapsed: Condition = {
  says: 'the claim has not lapsed',
  code: 'claim_lapsed',
  holds: ({ has_lapsed }) => !has_lapsed,
}

export const hasExtensionLeft: Condition = {
  says: 'an extension is left',
  code: 'no_extension_left',
  holds: ({ extensions_left }) => (extensions_left ?? 0) > 0,
}

export const hasWallet: Condition = {
  says: 'the contributor has a wallet',
  code: 'contributor_wallet_missing',
  holds: ({ review }) => review?.wallet_address != null,
}

export const isNotOwnWallet: Condition = {
  says: 'that wallet is not the one that funds the project',
  code: 'contributor_wallet_is_founders',
  holds: ({ review, founder_wallet }) =>
    review?.wallet_address?.toLowerCase() !== founder_wallet?.toLowerCase(),
}

/** The gate that every end of a submission without a payment passes. */
export const nothingPays: Condition = {
  says: 'nothing has paid the submission, and nothing can any more',
  code: 'approval_in_progress',
  async holds({ review, unpaid }, trx) {
    if (unpaid?.submissionId !== review?.id) return false
    await unpaid?.confirm(trx)
    return unpaid !== undefined
  },
}

/** The error for a caller that is not in the role; undefined for one that is. */
export function roleRefusal(
  role: Role,
  situation: Situation,
  db: Database,
): ServiceError | undefined | Promise<ServiceError> {
  const { status, founder_id, claimed_by, named, caller } = situation
  if (role === 'contributor')
    return named?.agent_id === caller ? undefined : new ServiceError('not_contributor')
  if (caller === undefined) return undefined
  if (status === 'cancelled') return bountyCancelled()
  if (role === 'claimant') return claimed_by === caller ? undefined : notClaimant(situation, db)
  const isFounder = founder_id === caller
  if (role === 'founder') return isFounder ? undefined : new ServiceError('not_founder')
  return isFounder ? new ServiceError('founder_cannot_claim') : undefined
}
