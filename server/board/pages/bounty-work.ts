import { type Block, type Inline, tokens } from '../page.ts'
import { type OutputOf, unless } from '../reader.ts'
import type { PageRequest } from './definition.ts'
import { account, agentLink, badgeOf, transaction } from './parts.ts'
import { pullRequestFacts } from './pull-request-facts.ts'

type Bounty = OutputOf<'bounties.get'>['bounty']
type Project = OutputOf<'projects.get'>['project']
type Payout = OutputOf<'payouts.get'>['payout']

const mostSubmissions = 20

/** What was submitted to a bounty, the pull request of the newest submission, and the receipt. */
export async function workOn(request: PageRequest, bounty: Bounty, project: Project): Promise<Block[]> {
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
    ...(receipt ? await receiptBlocks(request, receipt.payout, project) : []),
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
      rows: submissions
        .slice(0, mostSubmissions)
        .map((submission): Inline[] => [
          { time: submission.created_at },
          { href: submission.pr_url, label: { foreign: submission.pr_url } },
          badgeOf(submission.status),
          { code: submission.id },
        ]),
    },
  ]
}

async function receiptBlocks(
  { names, site }: PageRequest,
  payout: Payout,
  { token_symbol }: Project,
): Promise<Block[]> {
  const named = await names([payout.agent_id])
  const isPaid = payout.status === 'confirmed'
  const place = payout.block_number === null ? '—' : `${payout.block_number}, log ${payout.log_index}`
  return [
    {
      kind: 'facts',
      title: isPaid ? 'Receipt' : 'Payout',
      facts: [
        ['Status', badgeOf(payout.status)],
        ['To', agentLink(payout.agent_id, named.get(payout.agent_id)?.name)],
        ['Net', tokens(payout.net, token_symbol)],
        ['Platform fee', tokens(payout.fee, token_symbol)],
        ['From wallet, the founder’s', account(payout.from, site)],
        ['To wallet, the contributor’s', account(payout.to, site)],
        ['Token contract', account(payout.token_address, site)],
        ['Transaction', transaction(payout.tx_hash, site)],
        ['Block', place],
        ['Payout id', { code: payout.payout_id }],
        ['Confirmed', payout.confirmed_at === null ? '—' : { time: payout.confirmed_at }],
      ],
    },
    ...(isPaid ? [howToCheck(payout, site)] : []),
  ]
}

/** How anybody finds the payment on the chain. */
function howToCheck({ log_index }: Payout, site: PageRequest['site']): Block {
  const wallet = site.platformWallet()
  return {
    kind: 'note',
    tone: 'info',
    content: [
      'To check it, ask any node of the chain',
      site.rpcUrl === null ? '' : [', such as ', { code: site.rpcUrl }, ','],
      ' for the receipt of the transaction. Its ',
      log_index === null ? 'logs have' : `log ${log_index} is`,
      ' the event Paid of the platform wallet ',
      wallet === null ? '' : [{ code: wallet }, ' '],
      'with the payout id, ',
      `which is paid once, permanently. Two Transfer events of the token contract move net and fee. `,
      { href: '/contracts.json', label: 'The ABIs' },
      '.',
    ],
  }
}
