import { isRead, type NoReading } from '../../money/chain/patience.ts'
import { type Block, type Entry, type Fact, type Inline, tokens, tokensNamed } from '../page.ts'
import { fromChain, type OutputOf, unknownNow } from '../reader.ts'
import type { PageDefinition, PageRequest } from './definition.ts'
import { bountyEntries, payoutEntries } from './entries.ts'
import { bountyFeedLink, payoutFeedLink } from './feeds.ts'
import { account, addressOf, agentLink, badgeOf, eth, fundedBadge } from './parts.ts'
import { historyChart, leastPoints, mostTrades, priceChart, weeklyChart } from './project-charts.ts'
import { worthOf } from './worth.ts'

type Project = Extract<OutputOf<'projects.get'>['project'], { status: 'active' }>
type Market = OutputOf<'projects.market'>['market']

const shown = { bounties: 10, payouts: 5 }

/** `/projects/{id}`: what it is, who founded it, what it offers and has paid, and then what its token is worth. */
export const project: PageDefinition = {
  path: '/projects/:id',
  name: 'project',
  bulkhead: 'visitors',
  cacheable: false,
  async make(request) {
    const { read, names, id, path, site } = request
    const { project } = await read('projects.get', { id })
    const named = await names([project.founder_id])
    const active = project.status === 'active' ? await activeParts(request, project) : undefined
    const facts: Fact[] = [['Id', { code: id }]]
    if (project.status === 'active')
      facts.unshift(
        ['Token contract', account(project.token_address, site)],
        ['Curve contract', account(project.curve_address, site)],
      )
    return {
      path,
      title: { foreign: project.name, isName: true },
      lead: {
        details: [
          badgeOf(project.status),
          ...(active?.funded ?? []),
          ['by ', agentLink(project.founder_id, named.get(project.founder_id)?.name)],
          ...(project.status === 'active' ? [{ href: project.repo_url, label: 'repository' }] : []),
          ['pays in ', tokensNamed(project.token_symbol)],
          ['created ', { time: project.created_at }],
        ],
      },
      feeds: [bountyFeedLink({ project_id: id }), payoutFeedLink({ project_id: id })],
      blocks: [
        { kind: 'text', title: 'About', foreign: project.description },
        ...(active?.blocks ?? []),
        { kind: 'facts', title: 'Contracts and id', facts },
      ],
    }
  },
}

async function activeParts(
  request: PageRequest,
  { id, token_symbol: unit }: Project,
): Promise<{ funded: Inline[]; blocks: Block[] }> {
  const { read } = request
  const [market, funds, { trades }, open, { payouts }, weeks] = await Promise.all([
    fromChain(read('projects.market', { id })),
    fromChain(read('projects.funds', { id })),
    read('projects.marketHistory', { id, limit: mostTrades }),
    openBounties(request),
    read('payouts.list', { project_id: id, limit: shown.payouts }),
    request.weeks(id),
  ])
  const receipts = await payoutEntries(request, payouts)
  const more = (path: string, label: string, query = {}): Block => ({
    kind: 'more',
    page: addressOf(path, { project_id: id, ...query }),
    label,
  })
  const blocks: Block[] = [
    { kind: 'entries', title: 'Open bounties', entries: open, empty: 'No bounty is open now.' },
    more('/bounties', 'All bounties of the project', { status: 'all' }),
    { kind: 'entries', title: 'Newest payouts', entries: receipts, empty: 'No payout yet.' },
    ...(receipts.length > 0 ? [more('/payouts', 'All payouts of the project')] : []),
    ...weeklyChart(weeks, unit),
    isRead(funds) ? fundsOf(funds.funds, unit) : unknown('What can be paid', funds),
    isRead(market) ? marketFacts(market.market, unit) : unknown('Market', market),
    ...(isRead(market) && Number(market.market.sold) > 0 ? [priceChart(market.market, unit)] : []),
    ...(trades.length < leastPoints ? [] : [historyChart(trades, unit, request.site)]),
  ]
  return { blocks, funded: isRead(funds) && funds.funds.committed !== '0' ? [fundedBadge(funds.funds)] : [] }
}

async function openBounties(request: PageRequest): Promise<Entry[]> {
  const { read, id } = request
  const { bounties } = await read('bounties.list', { project_id: id, status: 'open', limit: shown.bounties })
  return bountyEntries(request, bounties, await worthOf(request, bounties))
}

function unknown(title: string, why: NoReading): Block {
  return { kind: 'note', title, tone: 'warning', content: unknownNow[why] }
}

function fundsOf(funds: OutputOf<'projects.funds'>['funds'], unit: string): Block {
  const { spendable, committed, in_work, reserve_left, covers_all, covers_work, payouts_enabled } = funds
  const which = covers_all
    ? 'all'
    : covers_work
      ? 'those in work, but not all open ones'
      : 'not all of those in work'
  return {
    kind: 'facts',
    title: 'What can be paid',
    facts: [
      ['Rewards that can be paid now', payouts_enabled ? which : 'none: payouts are stopped'],
      ['Promised by bounties', tokens(committed, unit)],
      ['Of this, for work in progress', tokens(in_work, unit)],
      ['The founder can pay now', tokens(spendable, unit)],
      ['Bounty reserve', [tokens(reserve_left, unit), ' left, for bounties alone']],
      ['As of', { time: funds.read_at }],
    ],
  }
}

function marketFacts(market: Market, unit: string): Block {
  const { price_eth, sold, supply, eth_held, paid_out, as_of, note } = market
  const { reserve_claim_eth, reserve_claim_bps } = market
  const share = { amount: String(reserve_claim_bps / 100), unit: '%' }
  return {
    kind: 'facts',
    title: 'Market',
    facts: [
      ['The curve', 'a contract that sells the token and buys it back; each one sold makes the next dearer'],
      ['Tokens in all', tokens(supply, unit)],
      ['Price of one token', eth(price_eth)],
      ['Sold and not bought back', tokens(sold, unit)],
      ['Ether to buy back with', eth(eth_held)],
      ['All that is left for bounties would sell for', [eth(reserve_claim_eth), ', ', share]],
      ['Paid for bounties, with the fee', tokens(paid_out, unit)],
      ['As of', [`block ${as_of.block_number}, `, { time: as_of.mined_at }]],
      ['Note', note],
    ],
  }
}
