import type { Block, Inline } from '../page.ts'
import { type OutputOf, unless } from '../reader.ts'
import type { PageRequest } from './definition.ts'
import { badgeOf, hostLink } from './parts.ts'
import { pullRequestFacts } from './pull-request-facts.ts'

type Bounty = OutputOf<'bounties.get'>['bounty']

const mostSubmissions = 20

/** What was submitted to a bounty, and the pull request of the newest submission. */
export async function workOn({ read }: PageRequest, bounty: Bounty): Promise<Block[]> {
  const { submissions } = bounty
  const [newest] = submissions
  if (!newest) return []
  const paid = submissions.find(({ status }) => ['approved', 'approving'].includes(status))
  const { id, pr_url } = paid ?? newest
  const facts = await unless(read('submissions.pullRequest', { id }), 'pull_request_gone')
  const all = submissions.length <= mostSubmissions
  return [
    ...(facts
      ? [
          {
            kind: 'facts',
            title: 'Pull request',
            facts: pullRequestFacts(facts.pull_request, pr_url),
          } as const,
        ]
      : []),
    {
      kind: 'table',
      title: all ? 'Submissions' : `The newest ${mostSubmissions} of ${submissions.length} submissions`,
      columns: [{ label: 'Submitted' }, { label: 'Pull request' }, { label: 'Status' }, { label: 'Id' }],
      rows: submissions.slice(0, mostSubmissions).map((submission): Inline[] => [
        { time: submission.created_at },
        hostLink(submission.pr_url),
        // The changes of an earlier round are made.
        { ...badgeOf(submission.status, 'submission'), ...(submission !== newest && { tone: 'quiet' }) },
        { code: submission.id },
      ]),
    },
  ]
}
