import type { PullRequestFacts } from './pull-requests.ts'

/** What shows whose work a pull request is. */
type Attribution = Pick<PullRequestFacts, 'named_ids' | 'author_login'>

/**
 * The agents and bounties that a pull request is for: the agent that opened it, where the code host knows its authors as
 * agents, else those that its description names, which others may have written. No account of GitHub can have the id of an
 * agent as its name.
 */
export function ownersOf({ named_ids, author_login }: Attribution): { agents: string[]; bounties: string[] } {
  const named = named_ids.filter((id) => id.startsWith('agent_'))
  return {
    agents: author_login?.startsWith('agent_') ? [author_login] : named,
    bounties: named_ids.filter((id) => id.startsWith('bnt_')),
  }
}

/** Whether it shows that the work is this agent's, for this bounty if it names one. */
export function isWorkOf(work: Attribution, agentId: string, bountyId: string): boolean {
  const { agents, bounties } = ownersOf(work)
  return agents.includes(agentId) && (bounties.length === 0 || bounties.includes(bountyId))
}
