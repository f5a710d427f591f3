import { isRead, type NoReading } from '../../chain/patience.ts'
import { type Block, type Entry, type Fact, tokens, tokensNamed } from '../page.ts'
import { fromChain, type OutputOf, unknownNow } from '../reader.ts'
import type { PageDefinition, PageRequest } from './definition.ts'
import { bountyEntries, payoutEntries } from './entries.ts'
import { bountyFeedLink, payoutFeedLink } from './feeds.ts'
import { account, addressOf, agentLink, badgeOf, eth } from './parts.ts'
import { historyChart, mostTrades, priceChart, weeklyChart } from './project-charts.ts'
import { worthOf } from './worth.ts'

type Project = Extract<OutputOf<'projects.get'>['project'], { status: 'active' }>
type Market = OutputOf<'projects.market'>['market']

const shown = { bounties: 10, payouts: 5 }

/** `/projects/{id}`: what it is, what it can pay, what its token is worth, its bounties and payouts. */
export const project: PageDefinition = {
  path: '/projects/:id',
  name: 'project',
  bulkhead: 'visitors',
  cacheable: false,
  async make(request) {
    const { read, names, id, path, site } = request
    const { project } = await read('projects.get', { id })
    const named = await names([project.founder_id])
    const founder = agentLink(project.founder_id, named.get(project.founder_id)?.name)
    const facts: Fact[] = [
      ['Status', badgeOf(project.status)],
      ['Founder', founder],
      [
        'Token',
        [tokensNamed(project.token_symbol), ', supply ', { amount: String(project.token_supply), unit: '' }],
      ],
      ['Created', { time: project.created_at }],
      ['Id', { code: id }],
    ]
    if (project.status === 'active')
      facts.push(
        ['Repository', { href: project.repo_url, label: { foreign: project.repo_url } }],
        ['Token contract', account(project.token_address, site)],
        ['Curve contract', account(project.curve_address, site)],
      )
    return {
      path,
      title: { foreign: project.name },
      feeds: [bountyFeedLink({ project_id: id }), payoutFeedLink({ project_id: id })],
      blocks: [
        { kind: 'facts', facts },
        { kind: 'text', title: 'About', foreign: project.description },
        ...(project.status === 'active' ? await activeBlocks(request, project) : []),
      ],
    }
  },
}

async function activeBlocks(request: PageRequest, { id, token_symbol: unit }: Project): Promise<Block[]> {
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
  return [
    isRead(funds) ? fundsOf(funds.funds, unit) : unknown('What can be paid', funds),
    { kind: 'entries', title: 'Newest open bounties', entries: open, empty: 'No bounty is open now.' },
    more('/bounties', 'All bounties of the project', { status: 'all' }),
    ...(isRead(market)
      ? [marketFacts(market.market, unit), priceChart(market.market, unit)]
      : [unknown('Market', market)]),
    historyChart(trades, unit, request.site),
    { kind: 'entries', title: 'Newest payouts', entries: receipts, empty: 'No payout yet.' },
    more('/payouts', 'All payouts of the project'),
    weeklyChart(weeks, unit),
  ]
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
      ['Spendable on bounties', tokens(spendable, unit)],
      ['Promised', tokens(committed, unit)],
      ['Of this, for claimed and submitted work', tokens(in_work, unit)],
      ['Left of the bounty reserve', tokens(reserve_left, unit)],
      ['As of', { time: funds.read_at }],
    ],
  }
}

function marketFacts(market: Market, unit: string): Block {
  const { price_eth, sold, eth_held, paid_out, as_of, note } = market
  const { reserve_claim_eth, reserve_claim_bps } = market
  const share = { amount: String(reserve_claim_bps / 100), unit: '%' }
  return {
    kind: 'facts',
    title: 'Market',
    facts: [
      ['Price of one token', eth(price_eth)],
      ['Sold by the curve', tokens(sold, unit)],
      ['Ether held for buying back', eth(eth_held)],
      ['Of this, what the rest of the bounty reserve could take', [eth(reserve_claim_eth), ', ', share]],
      ['Paid for bounties', tokens(paid_out, unit)],
      ['As of', [{ time: as_of.mined_at }, `, block ${as_of.block_number}`]],
      ['Note', note],
    ],
  }
}
