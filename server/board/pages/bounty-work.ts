import type { Block, Inline } from '../page.ts'
import { type OutputOf, unless } from '../reader.ts'
import type { PageRequest } from './definition.ts'
import { type Payout, payoutEntries } from './entries.ts'
import { badgeOf, hostLink } from './parts.ts'
import { pullRequestFacts } from './pull-request-facts.ts'

type Bounty = OutputOf<'bounties.get'>['bounty']

const mostSubmissions = 20

/** What was submitted to a bounty, the pull request of the newest submission, and the receipt. */
export async function workOn(request: PageRequest, bounty: Bounty): Promise<Block[]> {
  const { read } = request
  const { submissions } = bounty
  const [newest] = submissions
  if (!newest) return []
  const paid = submissions.find(({ status }) => ['approved', 'approving'].includes(status))
  const { id, pr_url } = paid ?? newest
  const [facts, receipt] = await Promise.all([
    unless(read('submissions.pullRequest', { id }), 'pull_request_gone'),
    paid ? unless(read('payouts.get', { id }), 'payout_not_found') : null,
  ])
  const all = submissions.length <= mostSubmissions
  return [
    ...(receipt ? await receiptBlocks(request, receipt.payout) : []),
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

async function receiptBlocks(request: PageRequest, payout: Payout): Promise<Block[]> {
  const isPaid = payout.status === 'confirmed'
  return [
    {
      kind: 'entries',
      title: isPaid ? 'Receipt' : 'Payout',
      entries: await payoutEntries(request, [payout]),
      empty: '',
    },
    ...(isPaid
      ? [
          {
            kind: 'more',
            page: `/payouts/${payout.submission_id}`,
            label: 'The receipt, and how to verify it',
          } as const,
        ]
      : []),
  ]
}
