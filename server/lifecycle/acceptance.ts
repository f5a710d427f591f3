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
  'merged' | 'merged_by_id' | 'author_id' | 'author_login' | 'named_ids'
>

/** Whose work a pull request is submitted as. */
export interface SubmittedWork {
  bounty_id: string
  agent_id: string
  /** Whether it was known to be the agent's when it was submitted. Whoever may merge it can also edit its description. */
  is_attributed: boolean
}

/**
 * Whether the contributor's work was merged by anybody but its author: the founder has taken it, and ends its review by paying
 * for it. What nobody knows to be the contributor's is left to the founder, since anybody can submit another's pull request.
 */
export function isMergedWork(pull: MergeFacts, work: SubmittedWork): boolean {
  // A host that says neither who wrote it nor who merged it shows nothing.
  return pull.merged && pull.merged_by_id !== pull.author_id && isContributors(pull, work)
}

/** Whether a merge accepts a submission: its work was taken while it was in review. */
export const isAcceptance = (
  pull: MergeFacts & Pick<PullRequestFacts, 'merged_at'>,
  submission: SubmittedWork & { created_at: Date },
): boolean => isMergedWork(pull, submission) && !wasMergedBefore(pull, submission.created_at)

function isContributors(pull: MergeFacts, { bounty_id, agent_id, is_attributed }: SubmittedWork): boolean {
  const { agents, bounties } = ownersOf(pull)
  return (
    is_attributed || (agents.includes(agent_id) && (bounties.length === 0 || bounties.includes(bounty_id)))
  )
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
