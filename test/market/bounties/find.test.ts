import { expect, test } from 'vitest'
import { serve } from '../../http/serve.ts'
import { expectInvalid } from '../../support/errors.ts'
import { createRandom } from '../../support/random.ts'
import { createRows } from '../../support/rows.ts'

/* Bounties by tag, reward, worth and dollars. The worth of each is computed here from the trades that were stored. */
const served = await serve()
const { db } = served
const rows = createRows(db)
const random = createRandom(48)
const pick = random.below
const unit = 10n ** 18n

interface Curve {
  id: string
  sold: bigint
  price: bigint
}

let height = 0
async function trade(
  curve: string,
  fields: { sold: bigint; price: bigint; block?: number; log_index?: number },
) {
  const { sold, price, block = ++height, log_index = 0 } = fields
  await db
    .insertInto('trades')
    .values({
      chain_id: 1,
      block_number: block,
      log_index,
      block_hash: '0x',
      block_time: new Date(),
      tx_hash: '0x',
      curve,
      side: 'buy',
      trader: '',
      recipient: '',
      amount: '1',
      eth: '1',
      fee: '0',
      sold: String(sold),
      price: String(price),
    })
    .execute()
}

/** Projects whose curves had trades at different prices; one that sold everything back, and one that nobody traded. */
const curves: Curve[] = []
for (let nth = 0; nth < 8; nth++) {
  // Mixed letter case in the project, lower case in the trades.
  const curve_address = `0x${String(nth).repeat(38)}Ab`
  const id = await rows.project({
    status: 'active',
    founder_wallet: '0x1',
    repo_url: 'r',
    token_address: `0x${nth}`,
    curve_address,
  })
  const [sold, price] =
    nth === 6 ? [0n, 10n ** 15n] : [BigInt(20 + pick(60)) * unit + 1n, BigInt(1 + pick(5)) * 10n ** 14n]
  const curve = curve_address.toLowerCase()
  if (nth !== 7) {
    await trade(curve, { sold: 1000n * unit, price: 10n ** 17n })
    // Two trades of one block: the later one counts.
    await trade(curve, { sold: 2000n * unit, price: 10n ** 17n, block: ++height, log_index: 1 })
    await trade(curve, { sold, price, block: height, log_index: 2 })
  }
  curves.push({ id, sold: nth === 7 ? 0n : sold, price })
}

/** Days that easy work with both extensions takes, 2, with its review, 7: a lock has to last 7 days longer. */
const shortest = 16

const made: {
  id: string
  project_id: string
  reward: number
  tags: string[]
  status: string
  created_at: Date
  /** Base units of a deposit that is locked, for so many days, or of one that is in another status. */
  deposit?: { amount: number; days?: number }
}[] = []
for (let nth = 0; nth < 120; nth++) {
  const { id: project_id } = curves[pick(curves.length)] as Curve
  const reward = 1 + pick(100)
  const tags = ['parser', 'docs', 'c-3'].filter(() => pick(3) === 0)
  const status = (['open', 'open', 'open', 'done', 'cancelled'] as const)[nth % 5] ?? 'open'
  const created_at = new Date(1_700_000_000_000 + Math.floor(nth / 3) * 1000)
  const claim = status === 'done' ? { claimed_by: await rows.agent(), claimed_at: created_at } : {}
  const title = `Task ${nth % 10}`
  const id = await rows.bounty({
    project_id,
    reward_amount: reward,
    tags,
    status,
    created_at,
    title,
    ...claim,
  })
  await db
    .insertInto('bounty_texts')
    .values({ id, created_at, title_folded: title.toLowerCase(), description_folded: 'd' })
    .execute()
  const days = nth % 2 === 0 ? shortest - 1 : shortest + 1
  const amount = (1 + pick(9)) * 500_000
  const deposit = nth % 4 === 0 ? undefined : { amount, ...(nth % 4 > 1 && { days }) }
  if (deposit) await lock(id, deposit)
  made.push({ id, project_id, reward, tags, status, created_at, ...(deposit && { deposit }) })
}

async function lock(bounty_id: string, { amount, days }: { amount: number; days?: number }) {
  const locked_until = new Date(Date.now() + Number(days) * 86_400_000)
  const fund_tx = `0x${'0'.repeat(64)}`
  await rows.deposit({ bounty_id, amount, ...(days && { status: 'locked', locked_until, fund_tx }) })
}
type Made = (typeof made)[number]

/** What the curve of its project buys a reward for at the price of the moment. */
function worth({ project_id, reward }: Made): bigint {
  const { sold, price } = curves.find(({ id }) => id === project_id) as Curve
  const amount = BigInt(reward) * unit
  return (amount < sold ? amount : sold) * price
}
const descending = <Value>(left: Value, right: Value) => (left < right ? 1 : left > right ? -1 : 0)
const newest = (left: Made, right: Made) =>
  descending(left.created_at.getTime(), right.created_at.getTime()) || descending(left.id, right.id)
const byReward = (left: Made, right: Made) => right.reward - left.reward || newest(left, right)
const dollars = ({ deposit: { amount, days = 0 } = { amount: 0 } }: Made) => (days > shortest ? amount : 0)
const byDollars = (left: Made, right: Made) => dollars(right) - dollars(left) || byReward(left, right)
const byWorth = (left: Made, right: Made) => descending(worth(left), worth(right)) || byReward(left, right)

const listed = made.filter(({ status }) => status !== 'cancelled').sort(newest)
const open = listed.filter(({ status }) => status === 'open')
const funded = open.filter((bounty) => dollars(bounty) > 0).sort(byDollars)
const sellable = open.filter((bounty) => worth(bounty) > 0n).sort(byWorth)

async function ids(query: string): Promise<string[]> {
  const { status, body } = await served.api('GET', `/api/bounties?limit=100&${query}`)
  expect(status).toBe(200)
  return body.bounties.map((bounty: { id: string }) => bounty.id)
}
const idsOf = (bounties: Made[]) => bounties.map(({ id }) => id)
const one = curves[0]?.id

test.each<[string, Made[]]>([
  ['tag=parser', listed.filter(({ tags }) => tags.includes('parser'))],
  ['tag=c-3&status=done', listed.filter(({ tags, status }) => tags.includes('c-3') && status === 'done')],
  ['tag=pars', []],
  ['min_reward=60', listed.filter(({ reward }) => reward >= 60)],
  [
    `min_reward=30&tag=docs&project_id=${one}`,
    listed.filter(
      ({ reward, tags, project_id }) => reward >= 30 && tags.includes('docs') && project_id === one,
    ),
  ],
  [
    'q=task%207&tag=docs&min_reward=20',
    listed.filter(
      ({ id, reward, tags }) =>
        made.findIndex((bounty) => bounty.id === id) % 10 === 7 && reward >= 20 && tags.includes('docs'),
    ),
  ],
  ['sort=newest&min_reward=90', listed.filter(({ reward }) => reward >= 90)],
  ['sort=reward', open.toSorted(byReward)],
  [
    'sort=reward&status=open&difficulty=easy&min_reward=50&tag=docs',
    open.filter(({ reward, tags }) => reward >= 50 && tags.includes('docs')).sort(byReward),
  ],
  ['min_dollars=2.5', listed.filter((bounty) => dollars(bounty) >= 2_500_000)],
  [
    'q=task%207&min_dollars=1',
    listed.filter((bounty) => made.indexOf(bounty) % 10 === 7 && dollars(bounty) >= 1_000_000),
  ],
  ['sort=dollars', funded],
  [
    `sort=dollars&min_dollars=1&min_reward=20&project_id=${one}`,
    funded.filter(
      (bounty) => dollars(bounty) >= 1_000_000 && bounty.reward >= 20 && bounty.project_id === one,
    ),
  ],
  ['sort=reward&min_dollars=3', open.filter((bounty) => dollars(bounty) >= 3_000_000).sort(byReward)],
  ['sort=worth&min_dollars=3', sellable.filter((bounty) => dollars(bounty) >= 3_000_000)],
  ['sort=worth', sellable],
  [`sort=worth&project_id=${one}`, sellable.filter(({ project_id }) => project_id === one)],
  [`sort=worth&project_id=${curves[6]?.id}`, []],
  [
    'sort=worth&tag=parser&min_reward=20&status=open',
    sellable.filter(({ reward, tags }) => reward >= 20 && tags.includes('parser')),
  ],
])('200 filtered and ordered by %s', async (query, expected) => {
  expect(await ids(query)).toEqual(idsOf(expected))
})

test('200 pages through each order once, in the fields that every list has', async () => {
  for (const [sort, expected] of [
    ['reward', open.toSorted(byReward)],
    ['worth', sellable],
    ['dollars', funded],
  ] as const) {
    const offsets = Array.from({ length: 11 }, (_, nth) => nth * 9)
    const pages = await Promise.all(
      offsets.map((offset) => served.api('GET', `/api/bounties?limit=9&sort=${sort}&offset=${offset}`)),
    )
    const found = pages.flatMap(({ body }) => body.bounties)
    expect(found.map(({ id }) => id)).toEqual(idsOf(expected))
    const [plain] = (await served.api('GET', '/api/bounties?limit=1')).body.bounties
    expect(Object.keys(found[0])).toEqual(Object.keys(plain))
  }
})

test('200 by the next trade in another order: what is bought back sells no more', async () => {
  const [best] = sellable
  const of = curves.findIndex(({ id }) => id === best?.project_id)
  await trade(`0x${String(of).repeat(38)}ab`, { sold: 0n, price: 1n })
  expect(await ids('sort=worth')).toEqual(
    idsOf(sellable.filter(({ project_id }) => project_id !== best?.project_id)),
  )
  await db.deleteFrom('trades').where('block_number', '=', height).execute()
  expect(await ids('sort=worth')).toEqual(idsOf(sellable))
})

test.each([
  ['sort=reward&q=task', 'q'],
  ['sort=worth&status=done', 'status'],
  ['sort=dollars&status=claimed', 'status'],
  ['min_dollars=ten', 'min_dollars'],
])('400 validation_failed for %s', async (query, field) => {
  expectInvalid(await served.api('GET', `/api/bounties?${query}`), field)
})
