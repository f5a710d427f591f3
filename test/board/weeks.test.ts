import { expect, test } from 'vitest'
import { type Block, tokens } from '../../server/board/page.ts'
import { weeklyChart } from '../../server/board/pages/project-charts.ts'
import { createRecentWeeks, type Week } from '../../server/board/weeks.ts'
import { ageClock } from '../support/clock.ts'
import { createTestMarket } from '../support/market.ts'
import { createRows } from '../support/rows.ts'

const market = await createTestMarket({ engines: false })
const clock = ageClock()
const { db } = market
const rows = createRows(db)
const one = await rows.project()
const other = await rows.project()
const dayMs = 86_400_000
const tokenUnit = 10n ** 18n

const recentWeeks = createRecentWeeks(db)
async function weeks(project?: string): Promise<Week[]> {
  // More than a minute later.
  await clock.advance(60_001)
  return recentWeeks(project)
}

/** The first moment of the week that began so many weeks ago, by the clock of this process. */
function monday(ago = 0): Date {
  const now = new Date()
  const today = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate())
  return new Date(today - (((now.getUTCDay() + 6) % 7) + 7 * ago) * dayMs)
}
const dateOf = (time: Date) => time.toISOString().slice(0, 10)
const before = (time: Date) => new Date(time.getTime() - 1)

async function payout(
  project_id: string,
  {
    settled_at,
    amount = tokenUnit,
    status = 'settled',
  }: { settled_at?: Date; amount?: bigint; status?: 'settled' | 'running' },
) {
  const submission_id = await rows.submission({ bounty_id: await rows.bounty({ project_id }) })
  const settled = settled_at && { settled_at, tx_hash: '0x5' }
  await rows.payout({ submission_id, project_id, amount: String(amount), status, ...settled })
}

test('26 weeks from Monday to Monday in UTC, oldest first, where nothing was paid', async () => {
  const found = await weeks()
  expect(found.map(({ week }) => week)).toEqual(
    Array.from({ length: 26 }, (_, nth) => dateOf(monday(25 - nth))),
  )
  expect(found.every(({ payouts, net }) => payouts === 0 && net === null)).toBe(true)
  expect((await weeks('proj_00000000000000000000')).every(({ net }) => net === '0')).toBe(true)
})

test('a payout counts in the week in which it was confirmed, and others nowhere', async () => {
  for (const [project, fields] of [
    [one, { settled_at: monday(25), amount: tokenUnit / 4n }],
    [one, { settled_at: before(monday(25)) }],
    [one, { settled_at: before(monday(1)), amount: 95n * tokenUnit }],
    [one, { settled_at: monday(1), amount: 2n * tokenUnit }],
    [one, { settled_at: before(monday()), amount: 3n * tokenUnit }],
    [other, { settled_at: monday() }],
    [one, { status: 'running' }],
  ] as const)
    await payout(project, fields)
  const counted = (found: Week[]) =>
    found.flatMap(({ week, payouts, net }) => (payouts > 0 ? [[week, payouts, net]] : []))
  expect(counted(await weeks())).toEqual([
    [dateOf(monday(25)), 1, null],
    [dateOf(monday(2)), 1, null],
    [dateOf(monday(1)), 2, null],
    [dateOf(monday()), 1, null],
  ])
  expect(counted(await weeks(one))).toEqual([
    [dateOf(monday(25)), 1, String(tokenUnit / 4n)],
    [dateOf(monday(2)), 1, String(95n * tokenUnit)],
    [dateOf(monday(1)), 2, String(5n * tokenUnit)],
  ])
  const [chart] = weeklyChart(await recentWeeks(one), 'ONE') as Extract<Block, { kind: 'chart' }>[]
  expect(chart?.table.rows).toEqual([
    [dateOf(monday(25)), '1', tokens('0.25', 'ONE')],
    [dateOf(monday(2)), '1', tokens('95', 'ONE')],
    [dateOf(monday(1)), '2', tokens('5', 'ONE')],
  ])
  expect(weeklyChart(await recentWeeks(other))).toEqual([])
  expect(counted(await weeks(other))).toEqual([[dateOf(monday()), 1, String(tokenUnit)]])
})

test('the figures are the same for a minute, read once for all who ask meanwhile', async () => {
  const first = await weeks(other)
  await payout(other, { settled_at: monday() })
  await clock.advance(59_000)
  expect(await recentWeeks(other)).toBe(first)
  await clock.advance(1001)
  const [read, shared] = await Promise.all([recentWeeks(other), recentWeeks(other)])
  expect(read.at(-1)).toMatchObject({ payouts: 2 })
  expect(shared).toBe(read)
})
