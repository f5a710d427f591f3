import type { ErrorCode } from '../../server/errors.ts'

/** What the model remembers of a project. Amounts are in whole tokens. */
export interface ModelProject {
  founder: number
  status: 'proposed' | 'active'
  /** Wallet that funds it, fixed by the activation. */
  wallet: string
  /** What its founder can still pay: a tenth of the supply, less what was paid. */
  funds: number
}

/** What the model remembers of a bounty. */
export interface ModelBounty {
  project: number
  reward: number
  revision: number
  status: 'open' | 'claimed' | 'in_review' | 'done' | 'cancelled'
  claimant: number | null
  /** How often the claim may still be extended. */
  extensions: number
  /** Whether the time of the claim is over. */
  hasLapsed: boolean
  /** The pull requests of each agent that name it and the agent, oldest first, and whether they count as work. */
  works: Map<number, boolean[]>
  /** Which of the claimant's the service has seen last, counted from the first; null before it has seen any. */
  seen: number | null
  /** Whether a dismissal has opened it. */
  isDismissed: boolean
  /** Agents whose claims its founder has ended. */
  dismissed: Set<number>
  /** How often agents have given a claim on it up, let one lapse, or been rejected. */
  gaveUp: Map<number, number>
  /** What was submitted, oldest first. */
  submissions: ModelSubmission[]
}

/** What the model remembers of a submission. */
export interface ModelSubmission {
  contributor: number
  status: 'pending' | 'approved' | 'rejected' | 'changes_requested' | 'retracted'
  /** Which of the contributor's pull requests it is, counted from the first. */
  work: number
  /** Whether somebody else than its author has merged it. */
  isMerged: boolean
}

/** The whole marketplace, small enough to be obviously right. Agents, projects and bounties are numbered. */
export interface Model {
  /** Wallet of each agent. */
  wallets: string[]
  projects: ModelProject[]
  bounties: ModelBounty[]
  /** Whole tokens received, by project and wallet, fee included. */
  paid: Map<string, number>
}

type Refusal = ErrorCode | null

const unfinished = (model: Model, project: number) =>
  model.bounties.filter(
    (bounty) => bounty.project === project && !['done', 'cancelled'].includes(bounty.status),
  )
const committed = (model: Model, project: number) =>
  unfinished(model, project).reduce((sum, bounty) => sum + bounty.reward, 0)

/** The two state machines: why each step is refused to `agent`, or `null` where it is taken. */
export const refusals = {
  activate: (_: Model, agent: number, project: ModelProject): Refusal =>
    project.founder !== agent ? 'not_founder' : project.status === 'active' ? 'project_already_active' : null,
  offer(model: Model, agent: number, project: ModelProject, reward: number): Refusal {
    if (project.founder !== agent) return 'not_founder'
    if (project.status === 'proposed') return 'token_not_deployed'
    return project.funds < committed(model, model.projects.indexOf(project)) + reward
      ? 'insufficient_funds'
      : null
  },
  /** A reward, or undefined for another title. */
  change(model: Model, agent: number, bounty: ModelBounty, reward: number | undefined): Refusal {
    if (bounty.status === 'cancelled') return 'bounty_cancelled'
    if (founderOf(model, bounty) !== agent) return 'not_founder'
    const rise = (reward ?? bounty.reward) - bounty.reward
    const isAllowed =
      bounty.status === 'open' || (bounty.status !== 'done' && reward !== undefined && rise >= 0)
    if (!isAllowed) return 'bounty_not_open'
    const { funds = 0 } = model.projects[bounty.project] ?? {}
    return rise > 0 && funds < committed(model, bounty.project) + rise ? 'insufficient_funds' : null
  },
  claim(model: Model, agent: number, bounty: ModelBounty): Refusal {
    if (bounty.status === 'cancelled') return 'bounty_cancelled'
    if (founderOf(model, bounty) === agent) return 'founder_cannot_claim'
    const isFree = bounty.hasLapsed && bounty.claimant !== agent
    if (bounty.status !== 'open' && !isFree) return 'bounty_not_open'
    if (bounty.dismissed.has(agent)) return 'claim_dismissed'
    const isRefused = (bounty.gaveUp.get(agent) ?? 0) >= 3
    const held = unfinished(model, bounty.project).some((other) => other.claimant === agent)
    if (isRefused) return 'claimed_too_often'
    return held ? 'active_claim_exists' : null
  },
  /** Refusals of submitting and of giving a claim up. */
  asClaimant(_: Model, agent: number, bounty: ModelBounty): Refusal {
    if (bounty.status === 'cancelled') return 'bounty_cancelled'
    if (bounty.claimant !== agent) return 'not_claimant'
    return bounty.status === 'claimed' ? null : 'bounty_not_claimed'
  },
  extend(model: Model, agent: number, bounty: ModelBounty): Refusal {
    const refusal = refusals.asClaimant(model, agent, bounty)
    if (refusal) return refusal
    if (bounty.hasLapsed) return 'claim_lapsed'
    if (bounty.extensions === 0) return 'no_extension_left'
    return newestUnseen(bounty) === null ? 'no_progress' : null
  },
  /** No claim of the model is old enough for an hour or half of its time to be over, unless it has lapsed. */
  dismiss(model: Model, agent: number, bounty: ModelBounty): Refusal {
    if (bounty.status === 'cancelled') return 'bounty_cancelled'
    if (founderOf(model, bounty) !== agent) return 'not_founder'
    if (bounty.status !== 'claimed') return bounty.isDismissed ? null : 'bounty_not_claimed'
    const isSeen = bounty.seen !== null || newestUnseen(bounty) !== null
    if (bounty.seen === null && isExperienced(model, bounty.claimant)) return 'dismissed_too_early'
    return isSeen && !bounty.hasLapsed ? 'dismissed_too_early' : null
  },
  asFounder(model: Model, agent: number, bounty: ModelBounty, status: 'open' | 'in_review'): Refusal {
    if (bounty.status === 'cancelled') return 'bounty_cancelled'
    if (founderOf(model, bounty) !== agent) return 'not_founder'
    if (bounty.status === status) return null
    return status === 'open' ? 'bounty_not_open' : 'bounty_not_in_review'
  },
  /** Refusals of ending a review without paying. */
  endReview(model: Model, agent: number, bounty: ModelBounty): Refusal {
    const refusal = refusals.asFounder(model, agent, bounty, 'in_review')
    return refusal ?? (bounty.submissions.at(-1)?.isMerged ? 'pull_request_merged' : null)
  },
  retract: (_: Model, agent: number, submission: ModelSubmission): Refusal =>
    submission.contributor !== agent
      ? 'not_contributor'
      : submission.status !== 'pending'
        ? 'submission_not_pending'
        : null,
  pay: (model: Model, bounty: ModelBounty): Refusal =>
    model.wallets[bounty.claimant as number] === model.projects[bounty.project]?.wallet
      ? 'contributor_wallet_is_founders'
      : null,
}

/** The claimant's newest pull request that was not seen yet; null if there is none. */
export function newestUnseen({ works, claimant }: ModelBounty): number | null {
  const counted = (works.get(claimant as number) ?? []).flatMap((counts, index) => (counts ? [index] : []))
  return counted.at(-1) ?? null
}

/** Whether a submission of the agent was approved. */
const isExperienced = (model: Model, agent: number | null) =>
  model.bounties.some(({ status, claimant }) => status === 'done' && claimant === agent)

const founderOf = (model: Model, bounty: ModelBounty) => model.projects[bounty.project]?.founder
