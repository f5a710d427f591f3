import { toDecimal } from '../../money/chain/units.ts'
import { type Block, type Inline, tokens } from '../page.ts'
import type { OutputOf } from '../reader.ts'
import type { Week } from '../weeks.ts'
import type { Site } from './definition.ts'
import { eth, transaction } from './parts.ts'

/** How many trades a history shows. */
export const mostTrades = 100

/** Fewer points say nothing that words do not. */
export const leastPoints = 3

/** Bars that a chart of weeks has, however new the first of them is. */
const leastWeeks = 8

type Trade = OutputOf<'projects.marketHistory'>['trades'][number]

/** The price of a token against the number sold, with the present point. */
export function priceChart(
  { curve, sold, price_eth }: OutputOf<'projects.market'>['market'],
  unit: string,
): Block {
  const { for_sale, start_price_eth, end_price_eth } = curve
  const now = { x: Number(sold), y: Number(price_eth) }
  return {
    kind: 'chart',
    title: 'Price by tokens sold',
    chart: {
      kind: 'lines',
      x: { label: 'Tokens sold' },
      y: { label: 'ETH for one token' },
      points: [
        { x: 0, y: Number(start_price_eth) },
        { x: Number(for_sale), y: Number(end_price_eth) },
      ],
      mark: { ...now, label: 'now' },
    },
    table: {
      columns: [{ label: 'Where' }, { label: 'Sold', numeric: true }, { label: 'Price', numeric: true }],
      rows: [
        ['Nothing sold', tokens('0', unit), eth(start_price_eth)],
        ['Now', tokens(sold, unit), eth(price_eth)],
        ['All sold', tokens(for_sale, unit), eth(end_price_eth)],
      ],
    },
  }
}

/** The price after each trade. `trades` are the newest first. */
export function historyChart(trades: readonly Trade[], unit: string, site: Site): Block {
  return {
    kind: 'chart',
    title: trades.length < mostTrades ? 'Price history' : `Price after the newest ${mostTrades} trades`,
    chart: {
      kind: 'lines',
      x: { label: 'Time', kind: 'time' },
      y: { label: 'ETH for one token' },
      points: trades
        .map(({ mined_at, price_after_eth }) => ({ x: Date.parse(mined_at), y: Number(price_after_eth) }))
        .reverse(),
      step: true,
    },
    table: {
      columns: [
        { label: 'Time' },
        { label: 'Trade' },
        { label: 'Amount', numeric: true },
        { label: 'Ether', numeric: true },
        { label: 'Price after', numeric: true },
        { label: 'Transaction' },
      ],
      rows: trades.map((trade): Inline[] => [
        { time: trade.mined_at },
        trade.side,
        tokens(trade.amount, unit),
        eth(trade.eth),
        eth(trade.price_after_eth),
        transaction(trade.tx_hash, site),
      ]),
    },
  }
}

/** Payouts of each week, unless there are in too few; with `unit`, also what was paid. */
export function weeklyChart(all: readonly Week[], unit?: string): Block[] {
  const paid = all.filter(({ payouts }) => payouts > 0)
  if (paid.length < leastPoints) return []
  // It begins where there is something to see.
  const weeks = all.slice(Math.min(all.indexOf(paid[0] as Week), all.length - leastWeeks))
  return [
    {
      kind: 'chart',
      title: `Payouts in the last ${weeks.length} weeks`,
      chart: {
        kind: 'bars',
        y: { label: 'Payouts' },
        bars: weeks.map(({ week, payouts }) => ({ label: week, value: payouts })),
      },
      table: {
        columns: [
          { label: 'Week from' },
          { label: 'Payouts', numeric: true },
          ...(unit ? [{ label: 'Net', numeric: true }] : []),
        ],
        rows: paid.map(({ week, payouts, net }) => [
          week,
          String(payouts),
          ...(unit && net !== null ? [tokens(toDecimal(BigInt(net)), unit)] : []),
        ]),
      },
    },
  ]
}
