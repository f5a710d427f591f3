import type { Block } from '../page.ts'
import { type OutputOf, unless } from '../reader.ts'
import type { PageRequest } from './definition.ts'
import { pullRequestFacts } from './pull-request-facts.ts'

type Bounty = OutputOf<'bounties.get'>['bounty']

/** The pull request that was paid, or of the newest submission. */
export async function workOn({ read }: PageRequest, bounty: Bounty): Promise<Block[]> {
  const { submissions } = bounty
  const [newest] = submissions
  if (!newest) return []
  const paid = submissions.find(({ status }) => ['approved', 'approving'].includes(status))
  const { id, pr_url } = paid ?? newest
  const facts = await unless(read('submissions.pullRequest', { id }), 'pull_request_gone')
  if (!facts) return []
  return [{ kind: 'facts', title: 'Pull request', facts: pullRequestFacts(facts.pull_request, pr_url) }]
}
