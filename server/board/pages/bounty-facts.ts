import type { Selectable } from 'kysely'
import type { Deposits } from '../../db/generated/tables.ts'
import { isRead } from '../../money/chain/patience.ts'
import { toDollars } from '../../money/chain/units.ts'
import { findDeposit } from '../../money/deposits/store.ts'
import { dollarFeeOf } from '../../money/payouts/dollars.ts'
import { dollars, type Fact, grouped, type Inline, type Lead, tokens, withDollars } from '../page.ts'
import { fromChain, type OutputOf, unknownNow, unless } from '../reader.ts'
import type { PageRequest, Site } from './definition.ts'
import { ofTokens } from './entries.ts'
import { agentLink, badgeOf, hostLink, projectLink, tagLinks, transaction } from './parts.ts'
import { marketFor, netOf, soldNow } from './worth.ts'

type Bounty = OutputOf<'bounties.get'>['bounty']
type Project = OutputOf<'projects.get'>['project']
type Deposit = Selectable<Deposits>

/** What matters most about a bounty, and its terms: what it pays and whether it can, who has to do something by when. */
export async function factsOf(
  request: PageRequest,
  bounty: Bounty,
  project: Project,
): Promise<{ lead: Lead; facts: Fact[] }> {
  const { read, names } = request
  const { id, status } = bounty
  const deposit = await findDeposit(request.db, id)
  const [pay, terms, claim, review, founder, revised] = await Promise.all([
    // Of a bounty that is done the receipt says what was paid, by the fee of that time.
    status === 'done' ? null : payOf(request, bounty, { ...project, deposit }),
    status === 'open' ? read('config.public', {}) : null,
    status === 'claimed' ? unless(read('bounties.getClaim', { id }), 'claim_not_found') : null,
    status === 'in_review' ? unless(read('bounties.getReview', { id }), 'review_not_found') : null,
    read('agents.get', { id: project.founder_id }),
    unless(read('bounties.revisions', { id, limit: 1 }), 'bounty_cancelled'),
  ])
  const newest = revised?.revisions[0]
  const { founder_id } = project
  const { merged_unpaid } = founder.agent.as_founder
  const worker = claim?.claim.agent_id ?? review?.review.agent_id
  const named = await names([id, founder_id, ...(worker ? [worker] : [])])
  const { min_approved: wanted = 0, tags = [], dollars: counted } = named.get(id) ?? {}
  const facts: (Fact | false | null | undefined)[] = [
    ...(pay?.facts ?? []),
    ...(deposit ? dollarFacts(deposit, counted !== undefined, request.site) : []),
    terms && [
      'Time',
      `${terms.config.claim_hours[bounty.difficulty]} hours for the work, ${terms.config.review_days} days for the review`,
    ],
    ['Founder', agentLink(founder_id, named.get(founder_id)?.name)],
    merged_unpaid > 0 && ['Merged by the founder without being paid', grouped(String(merged_unpaid))],
    project.status === 'active' && ['Repository', hostLink(project.repo_url)],
    worker ? [claim ? 'Claimed by' : 'Submitted by', agentLink(worker, named.get(worker)?.name)] : null,
    claim && ['Claim ends', { time: claim.claim.expires_at }],
    claim?.claim.proof_due_at ? ['Work must be seen by', { time: claim.claim.proof_due_at }] : null,
    review && ['Review due', reviewDue(review.review)],
    wanted > 0 && ['May be claimed with', `a standing of ${wanted}`],
    ['Posted', { time: bounty.created_at }],
    newest &&
      newest.revision > 1 && ['Revision', [`${newest.revision}, changed `, { time: newest.created_at }]],
    ['Id', { code: id }],
  ]
  const lead: Lead = {
    figure: withDollars(counted, tokens(bounty.reward_amount, project.token_symbol)),
    ...(pay && { note: ofTokens(pay.worth, counted) }),
    details: [
      badgeOf(status),
      bounty.difficulty,
      ...(tags.length > 0 ? [tagLinks(tags)] : []),
      projectLink(project),
      ...dueOf(claim?.claim, review?.review),
    ],
  }
  return { lead, facts: facts.filter((fact) => fact !== null && fact !== undefined && fact !== false) }
}

/** What has to happen next, and by when. */
function dueOf(
  claim: OutputOf<'bounties.getClaim'>['claim'] | undefined,
  review: OutputOf<'bounties.getReview'>['review'] | undefined,
): Inline[] {
  if (claim?.proof_due_at) return [['work must be seen ', { time: claim.proof_due_at }]]
  if (claim) return [['claim ends ', { time: claim.expires_at }]]
  return review ? [['review due ', reviewDue(review)]] : []
}

async function payOf(
  request: PageRequest,
  bounty: Bounty,
  { token_symbol, deposit }: Project & { deposit: Deposit | undefined },
): Promise<{ worth: Inline; facts: Fact[] }> {
  const { read, site } = request
  const [market, funds] = await Promise.all([
    marketFor(request, bounty),
    fromChain(read('projects.funds', { id: bounty.project_id })),
  ])
  const locked = deposit?.status === 'locked' && BigInt(deposit.amount)
  const net = locked ? toDollars(locked - dollarFeeOf(locked, site.feeBps)) : undefined
  return {
    worth: isRead(market) ? ['sells for ', soldNow(market, ' now, after the fee')] : unknownNow[market],
    facts: [
      ['After the platform fee', withDollars(net, tokens(netOf(bounty.reward_amount, site), token_symbol))],
      ['Could be paid now', isRead(funds) ? payable(funds.funds, bounty, token_symbol) : unknownNow[funds]],
    ],
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
  if (!payouts_enabled) return 'no: payouts are stopped'
  const has: Inline = ['the founder can spend ', tokens(spendable, symbol)]
  if (Number(spendable) < reward_amount) return ['no: ', has]
  const before = Number(in_work) - (status === 'open' ? 0 : reward_amount)
  if (Number(spendable) >= before + reward_amount) return ['yes: ', has]
  return ['only if it is paid before other work in progress: ', has, ', that needs ', tokens(before, symbol)]
}

function reviewDue({ review_due_at, overdue }: OutputOf<'bounties.getReview'>['review']): Inline {
  return [{ time: review_due_at }, overdue ? [' ', { badge: 'overdue', tone: 'bad' }] : '']
}
