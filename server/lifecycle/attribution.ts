import { unshown } from '../repositories/named-ids.ts'
import type { PullRequestFacts } from '../repositories/pull-requests.ts'
import type { Work } from '../repositories/work.ts'

/** What the code host shows about whose work a pull request or a branch is. */
type Owned = Pick<PullRequestFacts, 'named_ids' | 'author_login'>

/** What the code host shows about whether and how a pull request came to the default branch. */
export type MergeFacts = Pick<
  PullRequestFacts,
  'merged' | 'opened_at' | 'merged_at' | 'merged_by_itself' | 'merged_by_id' | 'author_id'
>

/** The work of a claim, as far as this service knows it. */
export interface ClaimedWork {
  /**
   * Whether it is known, from before it was merged, to be the agent's. Seen once is enough: those who may merge it can also edit its
   * description.
   */
  is_attributed: boolean
  /** A merge from this moment on counts; see {@link countsSinceClaim}. */
  merge_counts_from: Date
}

/** Ids of the agents and bounties that a pull request is for. */
export interface Owners {
  agents: string[]
  bounties: string[]
}

/**
 * The agents and bounties that a pull request is for: the agent that opened it, where the code host knows its authors as
 * agents, else those that its description names, which others may have written. No account of GitHub can have the id of an
 * agent as its name.
 */
export function ownersOf({ named_ids, author_login }: Owned): Owners {
  const named = named_ids.filter((id) => id.startsWith('agent_'))
  return {
    agents: author_login?.startsWith('agent_') ? [author_login] : named,
    bounties: named_ids.filter((id) => id.startsWith('bnt_')),
  }
}

/** Whether it shows that the work is this agent's, for this bounty alone if it names any. What names several was merged for any of them. */
export function isWorkOf(work: Owned, agentId: string, bountyId: string): boolean {
  const owners = ownersOf(work)
  return owners.agents.includes(agentId) && !isForOthers(owners, agentId, bountyId)
}

/** Whether it shows that the work is another agent's or for another bounty as well. */
export const isForOthers = ({ agents, bounties }: Owners, agentId: string, bountyId: string): boolean =>
  (agents.length > 0 && !agents.includes(agentId)) || bounties.some((id) => id !== bountyId)

/** Whether it mentions another bounty, wherever that stands. */
export const mentionsOthers = ({ bounties }: Owners, bountyId: string): boolean =>
  bounties.some((id) => id !== bountyId && id !== unshown)

/** Whether its description names both the bounty and the agent, where everybody sees it. */
export const namesBoth = (
  { named_ids }: Pick<Owned, 'named_ids'>,
  { agent_id, bounty_id }: { agent_id: string; bounty_id: string },
): boolean => [agent_id, bounty_id].every((id) => named_ids.includes(id)) && !named_ids.includes(unshown)

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
    says: 'its commits are not in the default branch',
    applies: (pull) => !pull.merged,
  },
  {
    is: 'older work',
    says: 'it was merged before the claim, or before it was known whose work it is, or the code host does not say when',
    applies: (pull, work) => wasMergedBefore(pull, work.merge_counts_from),
  },
  {
    is: 'merged with others',
    says: 'its commits may have come by a pull request or branch of another account, or were paid for another bounty',
    applies: (pull) => !pull.merged_by_itself,
  },
  {
    is: 'merged by its author',
    says: 'its author merged it, or the code host says neither who wrote it nor who merged it',
    applies: (pull) => pull.merged_by_id === pull.author_id,
  },
  {
    is: "somebody's work",
    says: 'nothing has shown before that it is the work of the agent that submits it, and anybody can submit any address',
    applies: (_pull, work) => !work.is_attributed,
  },
] as const satisfies Row[]

/** What a merge is; see {@link mergeRows}. */
export type Merge = (typeof mergeRows)[number]['is'] | 'accepted'

/** What the state of a pull request means for the work of a claim. */
export function mergeOf(pull: MergeFacts, work: ClaimedWork): Merge {
  return mergeRows.find(({ applies }) => applies(pull, work))?.is ?? 'accepted'
}

/**
 * Whether merges of a submission count since its claim, and not only since it was submitted: where it was known before the merge whose
 * work for which bounty it is. What is merged can still be described as anything.
 */
export const countsSinceClaim = (
  { merged }: Pick<PullRequestFacts, 'merged'>,
  isAttributed: boolean,
  wasSeen: boolean,
): boolean => wasSeen || (isAttributed && !merged)

/**
 * The number of a pull request that is known from now on to be the agent's for the bounty; null where it names another one, several or
 * none, or was merged before, and for a branch.
 */
export function knownPull(
  { number, merged_at, ...owned }: { number: number | null } & Owned & Pick<PullRequestFacts, 'merged_at'>,
  agentId: string,
  bountyId: string,
): number | null {
  const isKnown = isWorkOf(owned, agentId, bountyId) && owned.named_ids.includes(bountyId)
  return isKnown && merged_at === null ? number : null
}

/** What names a bounty later than this after it was opened, in ms, may have been read before as something else. */
const openingMs = 60_000
/** So long after that its founder has noticed it, in ms. */
const noticeMs = 300_000

/**
 * From when on merges of a pull request count, which is known since `known` to be for a bounty: at once where it was opened so, else once
 * its founder can have noticed. A founder that is about to merge something for another bounty, or as a gift, must not pay for this one.
 */
export const noticedFrom = (opened: Date | null, known: Date): Date =>
  opened && known.getTime() - opened.getTime() <= openingMs ? opened : new Date(known.getTime() + noticeMs)

/** The code host counts whole seconds: what it dates so was at most this much later, in ms. */
export const hostSecondMs = 1000

/** When a pull request was opened as it is now; null where its description may be another one since. */
export const openedAsItIs = ({
  opened_at,
  changed_at,
}: Pick<Work, 'opened_at' | 'changed_at'>): Date | null =>
  opened_at && changed_at && changed_at.getTime() - opened_at.getTime() <= hostSecondMs ? opened_at : null

/** The last of these moments. */
export const latest = (...moments: Date[]): Date => new Date(Math.max(...moments.map(Number)))

/** The first moment before which this merge certainly was, so that it does not count from there on. */
export const justAfter = (merged_at: Date): Date => new Date(merged_at.getTime() + hostSecondMs)

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
