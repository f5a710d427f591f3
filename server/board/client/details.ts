import type {
  BountiesGetResponse,
  PayoutsGetResponse,
  ProjectsFundsResponse,
  ProjectsGetResponse,
  PullRequest,
  SubmissionsGetResponse,
  SubmissionsPullRequestResponse,
  SubmissionWithReview,
  Task,
} from '../../../sdk/src/generated/schema.ts'
import { type Fact, type Inline, type Payee, type Row, tokens, withDollars } from '../page.ts'
import { badgeOf, bountyLink } from '../pages/parts.ts'
import { pullRequestFacts } from '../pages/pull-request-facts.ts'
import { cut, less } from './amounts.ts'
import { type Api, attempt, Failure } from './api.ts'
import type { Desk } from './part.ts'

/** What the facts about a submission are made from. */
interface Basis {
  bounty: BountiesGetResponse['bounty']
  submission: SubmissionWithReview
  /** The contributor's name. */
  by: Inline
  /** What the code host reports about the pull request, or why that is not known; not read while a payout runs. */
  pull: PullRequest | Failure | undefined
  symbol: string
  feeBps: number
  /** What the reward sells for now, as lists show it. */
  sells: Inline | undefined
}

/** What a founder looks at before a decision. */
export interface Details extends Basis {
  facts: Fact[]
  folded: Fact[]
  /** Whether nothing is wrong with what is folded. */
  isAsSubmitted: boolean
}

/** Facts about a pull request that are folded away, unless something is wrong with the first two. */
const right: Record<string, string> = {
  'Branch names bounty and contributor': 'yes',
  'Changed since it was submitted': 'no',
}
const rare = /^(Author|Newest|As of)/

/** Reads what a task of a founder is about. Without bounty, submission and contributor there is nothing to decide. */
export async function readDetails({ api, config, rows }: Desk, task: Task, row: Row): Promise<Details> {
  const { action, bounty_id } = task
  const path = `/submissions/${task.submission_id}`
  const [{ bounty }, { submission }, found, { project }] = await Promise.all([
    api.get<BountiesGetResponse>(`/bounties/${bounty_id}`),
    api.get<SubmissionsGetResponse>(path),
    action === 'approve'
      ? undefined
      : attempt(api.get<SubmissionsPullRequestResponse>(`${path}/pull-request`)),
    api.get<ProjectsGetResponse>(`/projects/${task.project_id}`),
  ])
  const { agent_id, pr_url, other_submissions: others } = submission
  const rowOf = await rows([agent_id, ...others.map((other) => other.agent_id)])
  const by = nameIn(rowOf(agent_id))
  const pull = found instanceof Failure ? found : found?.pull_request
  const basis = {
    bounty,
    submission,
    by,
    pull,
    symbol: project.token_symbol,
    feeBps: config.fees.platform_bps,
    sells: row.figure,
  }
  const money = await (action === 'review' ? factOfPayment(api, basis) : readPayout(api, path, basis))
  const known = pull && !(pull instanceof Failure) ? pullRequestFacts(pull, pr_url) : []
  const isRare = ([label, value]: Fact) => rare.test(label) || right[label] === value
  const isAsSubmitted = known.filter(([label, value]) => right[label] === value).length === 2
  const facts: Fact[] = [
    money,
    ['Contributor', [rowOf(agent_id).title, ' ', { code: agent_id }]],
    ...(pull instanceof Failure ? [['Pull request', pull.message] as const] : []),
    ...known.filter((fact) => !isRare(fact)),
    ...(await lastRound(api, basis)),
    ...others.map(
      ({ bounty_id: id, agent_id: other, status }): Fact => [
        'Also submitted',
        [
          { page: `/bounties/${id}`, label: id },
          ' by ',
          rowOf(other).title,
          ' ',
          badgeOf(status, 'submission'),
        ],
      ],
    ),
  ]
  const folded: Fact[] = [
    ['Bounty', bountyLink(bounty)],
    ['Reward', tokens(bounty.reward_amount, basis.symbol)],
    ...known.filter(isRare),
    ['Changes', { href: `${pr_url}/files`, label: 'at the code host' }],
  ]
  return { ...basis, facts, folded, isAsSubmitted }
}

/** The name in a link to an agent. */
const nameIn = ({ title }: Row): Inline =>
  typeof title === 'object' && 'label' in title ? title.label : title

async function factOfPayment(api: Api, basis: Basis): Promise<Fact> {
  const payment = await readPayment(api, basis)
  return ['Pays', payment instanceof Failure ? payment.message : payment.net]
}

/** What changed since the same pull request was submitted before; nothing if that is not known. */
async function lastRound(
  api: Api,
  { bounty, submission: { pr_url, created_at }, pull }: Basis,
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
  { submission, by, bounty, symbol, feeBps, sells }: Basis,
): Promise<{ net: Inline; gross: Inline } | Failure> {
  const reading = api
    .get<Payee>(`/submissions/${submission.id}/payee`, {}, '')
    .then(({ wallet_address: wallet, dollars }) => {
      const paid = withDollars(dollars?.net, tokens(cut(`${bounty.reward_amount}`, feeBps), symbol))
      const to: Inline = wallet ? ['wallet ', { code: wallet }] : 'who has no wallet'
      const gross = withDollars(dollars?.gross, tokens(bounty.reward_amount, symbol))
      const worth: Inline = dollars || !sells ? '' : [' (', sells, ')']
      return { net: [paid, worth, ' to ', by, ', ', to], gross }
    })
  return attempt(reading)
}

/** What the founder can spend now, and what is left of it once the reward is paid. */
export async function readFunds(api: Api, { bounty, symbol }: Basis): Promise<Inline> {
  const read = await attempt(api.get<ProjectsFundsResponse>(`/projects/${bounty.project_id}/funds`))
  if (read instanceof Failure) return read.message
  const { spendable } = read.funds
  const left = less(spendable, bounty.reward_amount, symbol)
  return [tokens(spendable, symbol), ', ', left ? [left, ' after this payment'] : 'too little']
}

async function readPayout(api: Api, path: string, { symbol }: Basis): Promise<Fact> {
  const read = await attempt(api.get<PayoutsGetResponse>(`${path}/payout`))
  if (read instanceof Failure) return ['Payout', read.message]
  const { net, fee, dollars, to, status } = read.payout
  const badge = badgeOf(status, 'payout')
  const paid = withDollars(dollars?.net, tokens(net, symbol))
  const kept = withDollars(dollars?.fee, tokens(fee, symbol))
  return ['Payout', [badge, ' ', paid, ' to ', { code: to }, ', fee ', kept]]
}
