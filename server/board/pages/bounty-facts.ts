import type { Selectable } from 'kysely'
import type { Deposits } from '../../db/generated/tables.ts'
import { reasonsInWords } from '../../events/acceptance-reasons.ts'
import { isRead } from '../../money/chain/patience.ts'
import { toDollars } from '../../money/chain/units.ts'
import { findDeposit } from '../../money/deposits/store.ts'
import { type Block, dollars, type Fact, grouped, type Inline, tokens, withDollars } from '../page.ts'
import { fromChain, type OutputOf, unknownNow, unless } from '../reader.ts'
import type { PageRequest, Site } from './definition.ts'
import { reward } from './entries.ts'
import { agentLink, badgeOf, duration, hostLink, lasting, tagLinks, transaction } from './parts.ts'
import { marketFor, netDollars, netOf, soldNow } from './worth.ts'

type Bounty = OutputOf<'bounties.get'>['bounty']
type Project = OutputOf<'projects.get'>['project']
type Deposit = Selectable<Deposits>
type Config = OutputOf<'config.public'>['config']

type Card = Extract<Block, { kind: 'card' }>

/** What decides about a bounty: what it pays and whether it can, who has to do something by when, and how its founder treats work. */
export async function factsOf(
  request: PageRequest,
  bounty: Bounty,
  project: Project,
): Promise<{ card: Card; tags: Inline[]; ids: Fact[] }> {
  const { read, names, site } = request
  const { id, status } = bounty
  const { founder_id } = project
  const [{ agent: founder }, work, revised, deposit, terms] = await Promise.all([
    read('agents.get', { id: founder_id }),
    workFacts(request, bounty),
    unless(read('bounties.revisions', { id, limit: 1 }), 'bounty_cancelled'),
    findDeposit(request.db, id),
    status === 'open' ? read('config.public', {}) : null,
  ])
  const named = await names([id])
  const { min_approved: wanted = 0, tags = [], dollars: counts } = named.get(id) ?? {}
  const around = { deposit, counts: counts !== undefined }
  const pay =
    status === 'done'
      ? await paidFor(request, bounty, project)
      : await payOf(request, bounty, { ...project, ...around })
  const newest = revised?.revisions[0]
  const facts: (Fact | false)[] = [
    ...pay.facts,
    ...(deposit ? dollarFacts(deposit, around.counts, site) : []),
    ...(terms ? timesOf(terms.config, bounty.difficulty) : []),
    ...work,
    wanted > 0 && ['May be claimed with', `a standing of ${wanted}`],
    ['Founder', agentLink(founder_id, founder.name)],
    ['Record', recordOf(founder)],
  ]
  const { figure, note } = pay
  return {
    card: {
      kind: 'card',
      title: status === 'done' ? 'Paid' : 'You get, after the fee',
      figure,
      ...(note && { note }),
      blocks: [{ kind: 'facts', facts: facts.filter((fact) => fact !== false) }, ...pay.blocks],
    },
    tags: tags.length > 0 ? [tagLinks(tags)] : [],
    ids: [
      ['Id', { code: id }],
      ...(newest && newest.revision > 1
        ? ([['Revision', [`${newest.revision}, changed `, { time: newest.created_at }]]] as const)
        : []),
      ...(project.status === 'active' ? ([['Repository', hostLink(project.repo_url)]] as const) : []),
    ],
  }
}

/** Who works on a bounty, what is due by when, and what the silence of its founder means. */
export async function workFacts(
  { read, names }: Pick<PageRequest, 'read' | 'names'>,
  { id, status }: { id: string; status: string },
): Promise<Fact[]> {
  const [claimed, submitted, ruled] = await Promise.all([
    status === 'claimed' ? unless(read('bounties.getClaim', { id }), 'claim_not_found') : null,
    status === 'in_review' ? unless(read('bounties.getReview', { id }), 'review_not_found') : null,
    unless(read('bounties.getAcceptance', { id }), 'bounty_cancelled', 'acceptance_not_found'),
  ])
  const worker = claimed?.claim.agent_id ?? submitted?.review.agent_id
  const named = await names(worker ? [worker] : [])
  const by = worker ? agentLink(worker, named.get(worker)?.name) : ''
  const facts: Fact[] = []
  if (claimed) {
    const { proof_due_at, expires_at } = claimed.claim
    facts.push(['Claimed by', by])
    if (proof_due_at) facts.push(['First push due, or it lapses', { time: proof_due_at }])
    facts.push(['Claim ends', { time: expires_at }])
  }
  if (submitted) facts.push(['Submitted by', by], ['Review due', reviewDue(submitted.review)])
  if (ruled?.acceptance.accepts_at) facts.push(['Silence pays', { time: ruled.acceptance.accepts_at }])
  if (ruled) facts.push(['Silence of the founder', silence(ruled.acceptance)])
  return facts
}

/** What the silence of the founder means. */
function silence(rule: OutputOf<'bounties.getAcceptance'>['acceptance']): Inline {
  const { hours, checks, allowed_paths, reason } = rule
  const named = (texts: string[]): Inline => ({ foreign: texts.join(', ') })
  const why = reason === null ? '' : `; not now, since of the pull request ${reasonsInWords[reason]}`
  const of: Inline = [named(checks.map(({ name }) => name)), ' green, changes only in ', named(allowed_paths)]
  return [`pays after ${hours} hours with `, of, why]
}

/** How long each step may take. */
function timesOf(
  { claim_hours, proof_hours, review_days }: Config,
  difficulty: Bounty['difficulty'],
): Fact[] {
  return [
    [
      'Work',
      `${lasting(claim_hours[difficulty])}; a newcomer’s first push within ${lasting(proof_hours[difficulty])}`,
    ],
    ['Review', `within ${lasting(24 * review_days)}`],
  ]
}

/** How a founder has treated work. */
function recordOf({ as_founder }: OutputOf<'agents.get'>['agent']): Inline[] {
  const {
    approved,
    rejected,
    overdue,
    never_reviewed,
    merged_unpaid,
    review_seconds_median: median,
  } = as_founder
  const bad = ([number, what]: readonly [number, string]): Inline[] =>
    number > 0 ? [', ', { badge: `${grouped(String(number))} ${what}`, tone: 'bad' }] : []
  return [
    `${grouped(String(approved))} paid, ${grouped(String(rejected))} rejected`,
    median.value === null ? '' : `, reviews in ${duration(median.value)}`,
    ...(
      [
        [overdue, 'overdue'],
        [never_reviewed, 'never reviewed'],
        [merged_unpaid, 'merged without being paid'],
      ] as const
    ).flatMap(bad),
  ]
}

interface Pay {
  figure: Inline
  note?: Inline
  facts: Fact[]
  blocks: Block[]
}

/** What was paid, as the receipt says it, by the fee of that time. */
async function paidFor(
  { read, names, site }: PageRequest,
  bounty: Bounty,
  { token_symbol }: Project,
): Promise<Pay> {
  const paid = bounty.submissions.find(({ status }) => status === 'approved')
  const found = paid && (await unless(read('payouts.get', { id: paid.id }), 'payout_not_found'))
  if (!found) return { figure: tokens(bounty.reward_amount, token_symbol), facts: [], blocks: [] }
  const { status, net, dollars: with_, agent_id, tx_hash, confirmed_at } = found.payout
  const named = await names([agent_id])
  return {
    figure: withDollars(with_?.net, tokens(net, token_symbol)),
    note: [badgeOf(status, 'payout'), ...(confirmed_at ? [' ', { time: confirmed_at }] : [])],
    facts: [
      ['To', agentLink(agent_id, named.get(agent_id)?.name)],
      ['Transaction', transaction(tx_hash, site)],
    ],
    blocks: [{ kind: 'more', page: `/payments/${found.payout.submission_id}`, label: 'Receipt' }],
  }
}

async function payOf(
  request: PageRequest,
  bounty: Bounty,
  { token_symbol, deposit, counts }: Project & { deposit: Deposit | undefined; counts: boolean },
): Promise<Pay> {
  const { read, site } = request
  const [market, funds] = await Promise.all([
    marketFor(request, bounty),
    fromChain(read('projects.funds', { id: bounty.project_id })),
  ])
  const locked =
    deposit?.status === 'locked' ? netDollars(toDollars(BigInt(deposit.amount)), site) : undefined
  const net = tokens(netOf(bounty.reward_amount, site), token_symbol)
  const worth = isRead(market) ? soldNow(market, token_symbol) : unknownNow[market]
  const { figure, note } = reward(counts ? locked : undefined, worth, net)
  return {
    figure,
    ...(note && { note: [note, ` (${grouped(String(bounty.reward_amount))} − ${site.feeBps / 100} % fee)`] }),
    facts: [['Can be paid', isRead(funds) ? payable(funds.funds, bounty, token_symbol) : unknownNow[funds]]],
    blocks: [],
  }
}

/** The dollars of a bounty, how they stand, and where the chain shows it. */
function dollarFacts(
  { status, amount, locked_until, fund_tx, end_tx }: Deposit,
  counts: boolean,
  site: Site,
): Fact[] {
  if (status === 'failed') return []
  const hash = end_tx ?? fund_tx
  const until = status === 'locked' ? locked_until : null
  return [
    ['Dollars', [dollars(toDollars(BigInt(amount))), `, ${status}`]],
    ...(until ? [['Locked until', { time: until.toISOString() }] as const] : []),
    ...(until && !counts ? [['That is', 'too soon for work that begins now'] as const] : []),
    ...(hash ? [['Transaction of the dollars', transaction(hash, site)] as const] : []),
  ]
}

/** Whether the founder could pay a bounty, and what stands before it: an approval looks at its own reward alone. */
function payable(
  { spendable, in_work, payouts_enabled }: OutputOf<'projects.funds'>['funds'],
  { status, reward_amount }: Bounty,
  symbol: string,
): Inline {
  if (!payouts_enabled) return { badge: 'no: payouts are stopped', tone: 'bad' }
  const has: Inline = ['the founder can spend ', tokens(spendable, symbol)]
  if (Number(spendable) < reward_amount) return ['no: ', has]
  const before = Number(in_work) - (status === 'open' ? 0 : reward_amount)
  if (Number(spendable) >= before + reward_amount) return ['yes, ', tokens(spendable, symbol), ' are ready']
  return ['only if it is paid before other work in progress: ', has, ', that needs ', tokens(before, symbol)]
}

function reviewDue({ review_due_at, overdue }: OutputOf<'bounties.getReview'>['review']): Inline {
  return [overdue ? [{ badge: 'overdue', tone: 'bad' }, ' '] : '', { time: review_due_at }]
}
