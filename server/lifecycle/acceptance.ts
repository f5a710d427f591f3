import { isWorkOf } from '../repositories/owners.ts'
import type { PullRequestFacts } from '../repositories/pull-requests.ts'

/** The founder approves, or merges at the code host. */
export type AcceptedBy = 'founder' | 'merge'

/** Why what was merged cannot be paid yet; the codes of an approval that would be refused. */
export const acceptanceBlocks = [
  'insufficient_funds',
  'payouts_disabled',
  'payout_limit_reached',
  'contributor_wallet_missing',
  'contributor_wallet_is_founders',
] as const

/** What a code host reports about a merge. */
export type MergeFacts = Pick<
  PullRequestFacts,
  'merged' | 'merged_at' | 'merged_by_itself' | 'merged_by_id' | 'author_id' | 'author_login' | 'named_ids'
>

/** A submission, and whose work it is. */
export interface SubmittedWork {
  bounty_id: string
  agent_id: string
  created_at: Date
  /** Whether it was known to be the agent's when it was submitted. Those who may merge it can also edit its description. */
  is_attributed: boolean
}

/**
 * Whether a merge is the founder's acceptance: anybody but the author has merged the contributor's work while it was in review. The
 * founder must not end that without paying. What nobody knows to be the contributor's is left to the founder, since anybody can
 * submit another's work, and so is what was merged before: its author can make it name a bounty afterwards.
 */
export function isAcceptance(pull: MergeFacts, work: SubmittedWork): boolean {
  const isContributors = work.is_attributed || isWorkOf(pull, work.agent_id, work.bounty_id)
  // A host that says neither who wrote it nor who merged it shows nothing.
  const isMerged = pull.merged && pull.merged_by_itself && pull.merged_by_id !== pull.author_id
  return isMerged && isContributors && !wasMergedBefore(pull, work.created_at)
}

/** Whether the work was merged before this moment, or may have been. The code host counts whole seconds. */
export function wasMergedBefore(
  { merged, merged_at }: Pick<PullRequestFacts, 'merged' | 'merged_at'>,
  moment: Date | null,
): boolean {
  if (!merged || moment === null) return false
  return merged_at === null || merged_at.getTime() + 1000 <= moment.getTime()
}
