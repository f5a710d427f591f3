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
  status: 'open' | 'claimed' | 'in_review' | 'done' | 'cancelled'
  claimant: number | null
  /** Its submissions, newest first. */
  submissions: { contributor: number; status: string }[]
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
  claim(model: Model, agent: number, bounty: ModelBounty): Refusal {
    if (bounty.status === 'cancelled') return 'bounty_not_found'
    if (founderOf(model, bounty) === agent) return 'founder_cannot_claim'
    if (bounty.status !== 'open') return 'bounty_not_open'
    const held = unfinished(model, bounty.project).some((other) => other.claimant === agent)
    return held ? 'active_claim_exists' : null
  },
  submit(_: Model, agent: number, bounty: ModelBounty): Refusal {
    if (bounty.status === 'cancelled') return 'bounty_not_found'
    if (bounty.claimant !== agent) return 'not_claimant'
    return bounty.status === 'claimed' ? null : 'bounty_not_claimed'
  },
  review: (model: Model, agent: number, bounty: ModelBounty): Refusal =>
    ofFounder(model, agent, bounty) ?? (bounty.status === 'in_review' ? null : 'bounty_not_in_review'),
  cancel: (model: Model, agent: number, bounty: ModelBounty): Refusal =>
    ofFounder(model, agent, bounty) ?? (bounty.status === 'open' ? null : 'bounty_not_open'),
  /** Of the newest submission. */
  retract(_: Model, agent: number, bounty: ModelBounty): Refusal {
    const [newest] = bounty.submissions
    if (!newest) return 'submission_not_found'
    if (newest.contributor !== agent) return 'not_contributor'
    return bounty.status === 'in_review' ? null : 'submission_not_pending'
  },
  pay: (model: Model, bounty: ModelBounty): Refusal =>
    model.wallets[bounty.claimant as number] === model.projects[bounty.project]?.wallet
      ? 'contributor_wallet_is_founders'
      : null,
}

function ofFounder(model: Model, agent: number, bounty: ModelBounty): Refusal {
  if (bounty.status === 'cancelled') return 'bounty_not_found'
  return founderOf(model, bounty) === agent ? null : 'not_founder'
}

const founderOf = (model: Model, bounty: ModelBounty) => model.projects[bounty.project]?.founder
