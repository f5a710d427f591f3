import type {
  AgentsGetResponse,
  BountiesGetResponse,
  ConfigPublicResponse,
  PayoutsGetResponse,
  ProjectsFundsResponse,
  PullRequest,
  SubmissionsGetResponse,
  SubmissionsPullRequestResponse,
  SubmissionWithReview,
  Task,
} from '../../../sdk/src/generated/schema.ts'
import { type Amount, type Fact, type Inline, type Payee, tokens, withDollars } from '../page.ts'
import { agentLink, badgeOf, bountyLink } from '../pages/parts.ts'
import { pullRequestFacts } from '../pages/pull-request-facts.ts'
import { type Api, attempt, Failure } from './api.ts'

/** What a founder looks at before a decision. */
export interface Details {
  bounty: BountiesGetResponse['bounty']
  submission: SubmissionWithReview
  /** The contributor. */
  agent: AgentsGetResponse['agent']
  /** What the code host reports about the pull request, or why that is not known; not read while a payout runs. */
  pull: PullRequest | Failure | undefined
  facts: Fact[]
  folded: Fact[]
}

/** Facts about a pull request that are folded away. */
const rare: ReadonlySet<string> = new Set(['Author at the code host', 'Newest commit', 'As of'])

/** An agent by its name and the end of its id, which distinguishes two of one name. */
export const nameOf = ({ id, name }: { id: string; name: string }): Inline => [
  { foreign: name, most: 60 },
  { mark: id.slice(-4) },
]

/** Reads what a task is about, four requests at a time. Without bounty, submission and contributor there is nothing to decide. */
export async function readDetails(api: Api, task: Task, symbol: string): Promise<Details> {
  const { action, bounty_id } = task
  const path = `/submissions/${task.submission_id}`
  const [{ bounty }, { submission }, found, money] = await Promise.all([
    api.get<BountiesGetResponse>(`/bounties/${bounty_id}`),
    api.get<SubmissionsGetResponse>(path),
    action === 'approve'
      ? undefined
      : attempt(api.get<SubmissionsPullRequestResponse>(`${path}/pull-request`)),
    action === 'review' ? readFunds(api, task, symbol) : readPayout(api, path, symbol),
  ])
  const { agent_id, pr_url, review_due_at, overdue } = submission
  const { agent } = await api.get<AgentsGetResponse>(`/agents/${agent_id}`)
  const pays = action === 'review' && (await readPayment(api, { submission, agent, bounty }, symbol))
  const pull = found instanceof Failure ? found : found?.pull_request
  const known = pull && !(pull instanceof Failure) ? pullRequestFacts(pull, pr_url) : []
  const late: Inline = overdue ? [' ', { badge: 'overdue', tone: 'bad' }] : ''
  const facts: Fact[] = [
    ...(pays ? [['Pays', pays instanceof Failure ? pays.message : pays.net] as const] : []),
    ['Contributor', [agentLink(agent_id, agent.name), ' ', { code: agent_id }]],
    money,
    ...(review_due_at ? [['Review due', [{ time: review_due_at }, late]] as const] : []),
    ...(pull instanceof Failure ? [['Pull request', pull.message] as const] : []),
    ...known.filter(([label]) => !rare.has(label)),
    ...(await lastRound(api, { bounty, submission, pull })),
  ]
  for (const { bounty_id: id, agent_id: by, status } of submission.other_submissions) {
    const author = await attempt(api.get<AgentsGetResponse>(`/agents/${by}`))
    const name = author instanceof Failure ? undefined : author.agent.name
    facts.push([
      'Also submitted',
      [
        { page: `/bounties/${id}`, label: id },
        ' by ',
        agentLink(by, name),
        ' ',
        badgeOf(status, 'submission'),
      ],
    ])
  }
  const folded: Fact[] = [
    ['Bounty', bountyLink(bounty)],
    ['Reward', tokens(bounty.reward_amount, symbol)],
    ...known.filter(([label]) => rare.has(label)),
    ['Changes', { href: `${pr_url}/files`, label: 'at the code host' }],
  ]
  return { bounty, submission, agent, pull, facts, folded }
}

/** What changed since the same pull request was submitted before; nothing if that is not known. */
async function lastRound(
  api: Api,
  { bounty, submission: { pr_url, created_at }, pull }: Pick<Details, 'bounty' | 'submission' | 'pull'>,
): Promise<Fact[]> {
  const last = bounty.submissions.find((each) => each.pr_url === pr_url && each.created_at < created_at)
  if (!last || !pull || pull instanceof Failure) return []
  const read = await attempt(api.get<SubmissionsPullRequestResponse>(`/submissions/${last.id}/pull-request`))
  const before = read instanceof Failure ? null : read.pull_request.submitted_head_sha
  if (!before) return []
  const href = `${pr_url}/files/${before}..${pull.head_sha}`
  const same: Inline = { badge: 'no new commit', tone: 'bad' }
  const changed = before === pull.head_sha ? same : { href, label: 'what changed, at the code host' }
  return [['Since the last round', changed]]
}

/** What an approval would pay now, to whom, and to which wallet; and `gross` what that costs. */
export function readPayment(
  api: Api,
  { submission, agent, bounty }: Pick<Details, 'submission' | 'agent' | 'bounty'>,
  symbol: string,
): Promise<{ net: Inline; gross: Inline } | Failure> {
  const reading = Promise.all([
    api.get<ConfigPublicResponse>('/config/public'),
    api.get<Payee>(`/submissions/${submission.id}/payee`, {}, ''),
  ]).then(([{ config }, { wallet_address: wallet, dollars }]) => {
    const paid = withDollars(dollars?.net, without(bounty.reward_amount, config.fees.platform_bps, symbol))
    const to: Inline = wallet ? ['wallet ', { code: wallet }] : 'who has no wallet'
    const gross = withDollars(dollars?.gross, without(bounty.reward_amount, 0, symbol))
    return { net: [paid, ' to ', nameOf(agent), ', ', to], gross }
  })
  return attempt(reading)
}

/** What the founder can spend now; with `reward`, in whole tokens, also what is left once that is paid. */
export async function readFunds(
  api: Api,
  { project_id }: Task,
  symbol: string,
  reward?: number,
): Promise<Fact> {
  const read = await attempt(api.get<ProjectsFundsResponse>(`/projects/${project_id}/funds`))
  if (read instanceof Failure) return ['You can spend', read.message]
  const { spendable } = read.funds
  if (reward === undefined) return ['You can spend', tokens(spendable, symbol)]
  const left = less(spendable, reward, symbol)
  return [
    'You can spend',
    [tokens(spendable, symbol), ', ', left ? [left, ' after this payment'] : 'too little'],
  ]
}

/** An amount less whole tokens; undefined if that is too little. */
export function less(amount: string, taken: number, symbol: string): Amount | undefined {
  const [whole = '', fraction = '0'] = amount.split('.')
  const left = BigInt(whole) - BigInt(taken)
  return left < 0n ? undefined : tokens(`${left}.${fraction}`, symbol)
}

async function readPayout(api: Api, path: string, symbol: string): Promise<Fact> {
  const read = await attempt(api.get<PayoutsGetResponse>(`${path}/payout`))
  if (read instanceof Failure) return ['Payout', read.message]
  const { net, fee, dollars, to, status } = read.payout
  const badge = badgeOf(status, 'payout')
  const paid = withDollars(dollars?.net, tokens(net, symbol))
  const kept = withDollars(dollars?.fee, tokens(fee, symbol))
  return ['Payout', [badge, ' ', paid, ' to ', { code: to }, ', fee ', kept]]
}

/** A reward of whole tokens without a fee in basis points. */
export function without(reward: number, feeBps: number, symbol: string): Amount {
  const digits = `${BigInt(reward) * BigInt(10_000 - feeBps)}`.padStart(5, '0')
  return tokens(`${digits.slice(0, -4)}.${digits.slice(-4)}`, symbol)
}
