import { isRead } from '../../money/chain/patience.ts'
import { fromDecimal } from '../../money/chain/units.ts'
import { type Block, type Entry, type Fact, grouped, tokens, tokensNamed } from '../page.ts'
import { fromChain, type OutputOf, unknownNow } from '../reader.ts'
import type { PageDefinition, PageRequest } from './definition.ts'
import { bountyEntries, payoutEntries } from './entries.ts'
import { bountyFeedLink, payoutFeedLink } from './feeds.ts'
import { account, addressOf, agentLink, badgeOf, counted, eth } from './parts.ts'
import { mostTrades, type Prices, priceHistory } from './project-charts.ts'
import { lotOf, soldNow } from './worth.ts'

type Project = Extract<OutputOf<'projects.get'>['project'], { status: 'active' }>
type Market = OutputOf<'projects.market'>['market']

const shown = { bounties: 10, payouts: 5 }
/** Tokens that a quote is of, unless the visitor names others. */
const usualAmount = '1000'

/** `/projects/{id}`: what its token is worth, whether it can pay, what it offers and has paid. */
export const project: PageDefinition = {
  path: '/projects/:id',
  name: 'project',
  query: ['range', 'amount'],
  bulkhead: 'visitors',
  cacheable: false,
  async make(request) {
    const { read, names, id, path } = request
    const { project } = await read('projects.get', { id })
    const named = await names([project.founder_id])
    const blocks = project.status === 'active' ? await activeParts(request, project) : []
    return {
      path,
      title: { foreign: project.name, isName: true },
      ...(project.status === 'proposed' && { status: badgeOf(project.status) }),
      lead: [
        ['by ', agentLink(project.founder_id, named.get(project.founder_id)?.name)],
        ...(project.status === 'active' ? [{ href: project.repo_url, label: 'repository' }] : []),
        ['pays in ', tokensNamed(project.token_symbol)],
        ['created ', { time: project.created_at }],
      ],
      feeds: [bountyFeedLink({ project_id: id }), payoutFeedLink({ project_id: id })],
      blocks: [
        ...blocks,
        { kind: 'text', title: 'About', foreign: project.description },
        {
          kind: 'folded',
          label: 'Contracts and id',
          blocks: [{ kind: 'facts', facts: idsOf(request, project) }],
        },
      ],
    }
  },
}

function idsOf({ site }: PageRequest, project: OutputOf<'projects.get'>['project']): Fact[] {
  const id: Fact = ['Id', { code: project.id }]
  if (project.status !== 'active') return [id]
  return [
    ['Token contract', account(project.token_address, site)],
    ['Curve contract', account(project.curve_address, site)],
    id,
  ]
}

async function activeParts(request: PageRequest, { id, token_symbol: unit }: Project): Promise<Block[]> {
  const { read, site, query } = request
  const amount = query.amount ?? usualAmount
  const [market, funds, { trades }, open, { payouts }] = await Promise.all([
    fromChain(read('projects.market', { id, sell: amount, buy: amount })),
    fromChain(read('projects.funds', { id })),
    read('projects.marketHistory', { id, limit: mostTrades }),
    openBounties(request),
    read('payouts.list', { project_id: id, limit: shown.payouts }),
  ])
  const receipts = await payoutEntries(request, payouts)
  const more = (path: string, label: string, query = {}): Block => ({
    kind: 'more',
    page: addressOf(path, { project_id: id, ...query }),
    label,
  })
  const lists: Block[] = [
    {
      kind: 'entries',
      title: 'Open bounties',
      label: 'You get, after the fee',
      entries: open,
      empty: 'No bounty is open now.',
    },
    more('/', 'All bounties of the project', { status: 'all' }),
    {
      kind: 'entries',
      title: 'Newest payments',
      label: 'Sells for now',
      entries: receipts,
      empty: 'No payment yet.',
    },
    ...(receipts.length > 0 ? [more('/payments', 'All payments of the project')] : []),
  ]
  const canPay = isRead(funds)
    ? fundsOf(funds.funds, unit)
    : ([['Can be paid now', unknownNow[funds]]] as const)
  if (!isRead(market))
    return [{ kind: 'figures', facts: [['Price', unknownNow[market]], ...canPay] }, ...lists]
  const found = market.market
  const prices: Prices = { trades, market: found, unit, site, path: `/projects/${id}`, range: query.range }
  return [
    { kind: 'figures', facts: [priceNow(prices), ...canPay, ...supplyOf(found, unit)] },
    ...priceHistory(prices),
    ...lists,
    quoteCard(request, found, { unit, amount }),
  ]
}

async function openBounties(request: PageRequest): Promise<Entry[]> {
  const { read, id } = request
  const { bounties } = await read('bounties.list', { project_id: id, status: 'open', limit: shown.bounties })
  return bountyEntries(request, bounties, { isOfOne: true, isOfProject: true })
}

/** The price, and how it has moved. */
function priceNow({ trades, market, unit }: Prices): Fact {
  const { per, price } = lotOf(market.supply, unit)
  const label = 'Price'
  const figure = [price(market.price_eth), per]
  const first = trades.at(-1)
  if (!first) return [label, figure, `nobody buys ${tokensNamed(unit)} yet: rewards in it sell for nothing`]
  const change = Math.round((Number(market.price_eth) / Number(first.price_after_eth) - 1) * 100)
  const newest = trades.length === mostTrades ? 'the newest ' : ''
  const since = `since the first of ${newest}${counted(trades.length, 'trade')}`
  if (trades.length === 1) return [label, figure]
  return [label, figure, `${change < 0 ? '−' : '+'}${Math.abs(change)} % ${since}`]
}

/** What a sale brings and a purchase costs now, of any amount, and how to do either. */
function quoteCard(
  { site, path }: PageRequest,
  { quote, purchase_quote, curve_address, eth_held, reserve_claim_eth, reserve_claim_bps, note }: Market,
  { unit, amount }: { unit: string; amount: string },
): Block {
  const bought = purchase_quote && purchase_quote.available === purchase_quote.amount
  const most = bought ? fromDecimal(purchase_quote.eth) : 0n
  const call =
    `cast send ${curve_address} "buy(uint256,uint256,address,uint256)" ${fromDecimal(amount)} ${(most * 101n) / 100n} $YOUR_ADDRESS ` +
    `$(($(date +%s) + 600)) --value ${(most * 101n) / 100n} --rpc-url ${site.rpcUrl ?? 'https://YOUR_NODE'} --private-key $YOUR_KEY`
  return {
    kind: 'card',
    title: 'Sell or buy',
    isAside: true,
    blocks: [
      {
        kind: 'facts',
        facts: [
          [`Sell ${grouped(amount)}`, soldNow({ quote }, unit)],
          [
            `Buy ${grouped(amount)}`,
            bought ? ['costs ', eth(purchase_quote.eth, 3)] : 'the curve has fewer left',
          ],
        ],
      },
      {
        kind: 'filters',
        action: path.split('?')[0] ?? '',
        fields: [{ kind: 'number', name: 'amount', label: `Amount of ${tokensNamed(unit)}`, value: amount }],
      },
      ...(bought
        ? [
            {
              kind: 'folded',
              label: 'How to buy',
              blocks: [
                {
                  kind: 'command',
                  label: 'With Foundry: at most 1 % more than now, within ten minutes',
                  command: call,
                },
              ],
            } as const,
          ]
        : []),
      {
        kind: 'note',
        tone: 'info',
        content: [
          `${note} All that is left for bounties would sell for `,
          eth(reserve_claim_eth),
          ', ',
          { amount: String(reserve_claim_bps / 100), unit: '%' },
          ' of the ',
          eth(eth_held),
          ' that buyers have put in.',
        ],
      },
    ],
  }
}

/** Who holds the tokens. */
const supplyOf = ({ sold, supply, reserve_left, paid_out }: Market, unit: string): Fact[] => [
  ['Bought', tokens(sold, unit), ['and not sold back, of ', tokens(supply, unit)]],
  ['Paid for bounties', tokens(paid_out, unit), ['with the fee; ', tokens(reserve_left, unit), ' left']],
]

function fundsOf(funds: OutputOf<'projects.funds'>['funds'], unit: string): Fact[] {
  const { spendable, committed, in_work, covers_all, covers_work, payouts_enabled } = funds
  const which = covers_all
    ? 'all that is promised'
    : covers_work
      ? 'those in work, but not all open ones'
      : 'not all of those in work'
  return [
    [
      'Can be paid now',
      payouts_enabled
        ? { badge: which, tone: covers_all ? 'good' : 'busy' }
        : { badge: 'none: payouts are stopped', tone: 'bad' },
    ],
    ['Promised', tokens(committed, unit), [tokens(in_work, unit), ' of it for work in progress']],
    ['Available for it', tokens(spendable, unit)],
  ]
}
