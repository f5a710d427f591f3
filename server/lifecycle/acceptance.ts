import type { PullRequestFacts } from '../repositories/pull-requests.ts'

/** The founder approves, or merges at the code host. */
export type AcceptedBy = 'founder' | 'merge'

/** Why what was merged cannot be paid yet; the codes of an approval that would be refused. */
export const acceptanceBlocks = [
  'insufficient_funds',
  'payouts_disabled',
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
 * Whether a merge is the founder's acceptance of a submission: anybody but the author has merged the contributor's work while it
 * was in review. What nobody knows to be the contributor's is left to the founder, since anybody can submit another's work.
 */
export const isAcceptance = (pull: MergeFacts, work: SubmittedWork): boolean =>
  isMergedWork(pull, work) && !wasMergedBefore(pull, work.created_at)

/**
 * Whether work was merged that the founder must not end without paying for it: what is an acceptance, and what was merged before
 * it was submitted, if it said for which bounty it was.
 */
export function isMergedWork(pull: MergeFacts, work: SubmittedWork): boolean {
  const { agents, bounties } = ownersOf(pull)
  const namesBounty = bounties.includes(work.bounty_id)
  const isContributors =
    work.is_attributed || (agents.includes(work.agent_id) && (namesBounty || bounties.length === 0))
  // A host that says neither who wrote it nor who merged it shows nothing.
  const isMerged = pull.merged && pull.merged_by_itself && pull.merged_by_id !== pull.author_id
  return isMerged && isContributors && (namesBounty || !wasMergedBefore(pull, work.created_at))
}

/** Whether the work was merged before this moment, or may have been. The code host counts whole seconds. */
export function wasMergedBefore(
  { merged, merged_at }: Pick<PullRequestFacts, 'merged' | 'merged_at'>,
  moment: Date | null,
): boolean {
  if (!merged || moment === null) return false
  return merged_at === null || merged_at.getTime() + 1000 <= moment.getTime()
}

/**
 * The agents and bounties that a pull request is for: the agent that opened it, where the code host knows its authors as
 * agents, else those that its description names, which others may have written. No account of GitHub can have the id of an
 * agent as its name.
 */
export function ownersOf({ named_ids, author_login }: Pick<PullRequestFacts, 'named_ids' | 'author_login'>) {
  const named = named_ids.filter((id) => id.startsWith('agent_'))
  return {
    agents: author_login?.startsWith('agent_') ? [author_login] : named,
    bounties: named_ids.filter((id) => id.startsWith('bnt_')),
  }
}
