import type { PullRequestFacts } from './pull-request-facts.ts'

/** What shows whose work a pull request or a branch is: the name of its branch. */
export type Named = Pick<PullRequestFacts, 'head_ref'>

/** What the code host shows about whether and how a pull request came to the default branch. */
export type MergeFacts = Pick<
  PullRequestFacts,
  | 'merged'
  | 'opened_at'
  | 'merged_at'
  | 'merged_by_itself'
  | 'merged_by_id'
  | 'merge_commit_sha'
  | 'author_id'
  | 'fork_owner_id'
>

/** The work of a claim, as far as this service knows it. */
export interface ClaimedWork {
  /** Whether its branch names the agent and the bounty. */
  is_attributed: boolean
  /** A merge before this moment is older work: when it was claimed. */
  merge_counts_from: Date
}

/** The agent and the bounty that the name of a branch begins with, each if it does. */
export interface Owner {
  agent: string | null
  bounty: string | null
}

/** The name of a branch for the work of an agent on a bounty. It may go on behind it. */
export const branchFor = (agentId: string, bountyId: string): string => `${agentId}/${bountyId}`

/**
 * Whose work a pull request or a branch is. Who names a branch can push to it, and the branch of a pull request keeps its name: those who
 * may merge it can edit what is written about it, but not this.
 */
export function ownerOf({ head_ref }: Named): Owner {
  const [, agent = null, bounty = null] =
    /^(agent_[0-9a-z]{20})(?:$|\/)(?:(bnt_[0-9a-z]{20})(?![0-9A-Za-z]))?/.exec(head_ref) ?? []
  return { agent, bounty }
}

/** Whether its branch names the agent and the bounty. */
export function isWorkOf(work: Named, agentId: string, bountyId: string): boolean {
  const { agent, bounty } = ownerOf(work)
  return agent === agentId && bounty === bountyId
}

/** Whether its branch names the agent, and no other bounty. */
export function isOfAgent(work: Named, agentId: string, bountyId: string): boolean {
  const { agent, bounty } = ownerOf(work)
  return agent === agentId && (bounty ?? bountyId) === bountyId
}

/** Whether its branch names another agent or another bounty. */
export function isForOthers(work: Named, agentId: string, bountyId: string): boolean {
  const { agent, bounty } = ownerOf(work)
  return (agent ?? agentId) !== agentId || (bounty ?? bountyId) !== bountyId
}

/**
 * Whether the code host itself has called it merged, which is final. Otherwise its commit was found in the default branch, which may
 * lose it again.
 */
export const isFinal = (pull: Pick<MergeFacts, 'merged_by_id' | 'merge_commit_sha'>): boolean =>
  pull.merged_by_id !== null || pull.merge_commit_sha !== null

interface Row {
  /** What it is, where the row applies. */
  is: string
  /** In words. */
  says: string
  applies(pull: MergeFacts, work: ClaimedWork): boolean
}

/**
 * What the state of a pull request means for the work of a claim: the first row that applies. Where none does, anybody but the
 * author has brought the claimant's work to the default branch since the claim: that accepts it, and it is paid.
 */
export const mergeRows = [
  {
    is: 'unmerged',
    says: 'nobody has merged it, and its commits are not in the default branch',
    applies: (pull) => !pull.merged,
  },
  {
    is: 'older work',
    says: 'it was merged before the claim',
    applies: (pull, work) => wasMergedBefore(pull, work.merge_counts_from),
  },
  {
    is: 'merged with others',
    says: 'its commits may have come by a pull request or branch of another account or agent, were paid for another bounty, or merged another pull request',
    applies: (pull) => !pull.merged_by_itself,
  },
  {
    is: "somebody's work",
    says: 'its branch does not name the agent that submits it and the bounty, and anybody can submit any address',
    applies: (_pull, work) => !work.is_attributed,
  },
  {
    is: 'merged by its author',
    says: 'who opened it, or the owner of the fork that it comes from, merged it',
    applies: ({ merged_by_id: by, author_id, fork_owner_id }) =>
      by !== null && (by === author_id || by === fork_owner_id),
  },
] as const satisfies Row[]

/** What a merge is; see {@link mergeRows}. */
export type Merge = (typeof mergeRows)[number]['is'] | 'accepted'

/** What the state of a pull request means for the work of a claim. */
export function mergeOf(pull: MergeFacts, work: ClaimedWork): Merge {
  return mergeRows.find(({ applies }) => applies(pull, work))?.is ?? 'accepted'
}

/** The code host counts whole seconds: what it dates so was at most this much later, in ms. */
export const hostSecondMs = 1000

/** The first moment before which this merge certainly was, so that it does not count from there on. */
const justAfter = (merged_at: Date): Date => new Date(merged_at.getTime() + hostSecondMs)

/**
 * Whether the work was merged before this moment, or may have been: in the same second as well, unless it was opened in that second or
 * after it. Otherwise an agent that sees a merge could still claim its bounty.
 */
export function wasMergedBefore(
  { merged, opened_at, merged_at }: Pick<PullRequestFacts, 'merged' | 'opened_at' | 'merged_at'>,
  moment: Date | null,
): boolean {
  if (!merged || moment === null) return false
  if (merged_at === null || justAfter(merged_at) <= moment) return true
  const isSameSecond = merged_at < moment
  return isSameSecond && (opened_at === null || justAfter(opened_at) <= moment)
}
