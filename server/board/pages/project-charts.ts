import { type Block, brief, type Inline, type Point, tokens } from '../page.ts'
import type { OutputOf } from '../reader.ts'
import type { Site } from './definition.ts'
import { addressOf, eth, transaction } from './parts.ts'
import { lotOf } from './worth.ts'

/** How many trades a history shows. */
export const mostTrades = 100

/** Fewer points say nothing that words do not. */
export const leastPoints = 3

type Trade = OutputOf<'projects.marketHistory'>['trades'][number]

/** Ranges of the price history, in days. */
const ranges: Record<string, number> = { '7d': 7, '30d': 30 }
const dayMs = 86_400_000

/** What a chart of prices is made from. `trades` are the newest first. */
export interface Prices {
  trades: readonly Trade[]
  market: OutputOf<'projects.market'>['market']
  unit: string
  site: Site
  /** Path of the page, and the range that its query names. */
  path: string
  range: string | undefined
}

/** The price after each trade of a range, and the ranges that there are. */
export function priceHistory({ trades: all, market, unit, site, path, range }: Prices): Block[] {
  if (all.length < leastPoints) return []
  const { per, price } = lotOf(market.supply, unit)
  const from = Date.now() - (ranges[range ?? ''] ?? Number.POSITIVE_INFINITY) * dayMs
  const trades = all.filter(({ mined_at }) => Date.parse(mined_at) >= from)
  const points = trades
    .map(({ mined_at, price_after_eth }) => ({
      x: Date.parse(mined_at),
      y: Number(price(price_after_eth).amount),
    }))
    .reverse()
  const last = trades[0] && price(trades[0].price_after_eth)
  const tabs = [['All', ''], ...Object.keys(ranges).map((each) => [each, each])].map(
    ([label = '', value = '']) => ({
      label,
      page: addressOf(path, { range: value }),
      isCurrent: value === (ranges[range ?? ''] ? range : ''),
    }),
  )
  return [
    { kind: 'tabs', label: 'Range', tabs },
    last
      ? {
          kind: 'chart',
          title: all.length < mostTrades ? 'Price' : `Price after the newest ${mostTrades} trades`,
          chart: {
            x: { label: 'Time', kind: 'time' },
            y: { label: `ETH${per}` },
            points,
            step: true,
            mark: { ...(points.at(-1) as Point), label: brief(last) },
          },
          table: {
            columns: [
              { label: 'Time' },
              { label: 'Trade' },
              { label: 'Amount', numeric: true },
              { label: 'Ether', numeric: true },
              { label: `After it,${per}`, numeric: true },
              { label: 'Transaction' },
            ],
            rows: trades.map((trade): Inline[] => [
              { time: trade.mined_at },
              trade.side,
              tokens(trade.amount, unit),
              eth(trade.eth),
              price(trade.price_after_eth),
              transaction(trade.tx_hash, site),
            ]),
          },
        }
      : { kind: 'note', tone: 'info', content: 'No trade in this time.' },
  ]
}
