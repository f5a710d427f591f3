import { type Address, formatEther, parseEther } from 'viem'
import { beforeEach, describe, expect, test } from 'vitest'
import { bondingCurve } from '../../../server/money/chain/generated/contracts.ts'
import { ageClock } from '../../support/clock.ts'
import { expectError } from '../../support/errors.ts'
import { createTestMarket, type TestMarket } from '../../support/market.ts'
import { createRows } from '../../support/rows.ts'
import type { TestAgent, TestBounty } from '../../support/scenarios.ts'
import { claimsOn } from './support/claims.ts'

const market = await createTestMarket({ proxied: true })
/** The founders of the latter two have 100,000 tokens to pay with. */
const [project, own, bought] = await Promise.all([
  market.activeProject({ token_supply: 1_000_000_000 }),
  market.activeProject(),
  market.activeProject(),
])
const sharing = { sharing: market, engines: false }
const [off, silent, alone] = await Promise.all([
  createTestMarket({ ...sharing, settings: { PAYOUTS_ENABLED: 'false' } }),
  createTestMarket({ ...sharing, isChainSilent: true }),
  createTestMarket({ ...sharing, without: ['chain', 'repositories'] }),
])
beforeEach(() => market.chainProxy.refuse())
const { api, db, chain } = market
const { act, claim, lapsedBounty } = claimsOn(market, project)
const rows = createRows(db)
const stranger = await market.register()

const clock = ageClock()
/** Lets what was read from the chain be more than ten seconds old. */
const age = () => clock.advance(10_000)

const get = ({ id }: { id: string }, key?: string, from: TestMarket = market) =>
  from.api('GET', `/api/bounties/${id}/preflight`, { key })
async function preflight(bounty: { id: string }, agent: { key: string }, from = market) {
  const { status, body } = await get(bounty, agent.key, from)
  expect(status).toBe(200)
  return body.preflight
}

describe('200 says what a claim then does', () => {
  /** Gives a bounty up so often, and is left without a claim. */
  const givenUp = async (times: number) => {
    const bounty = await market.openBounty({ project })
    const agent = await market.register()
    for (let time = 0; time < times; time++) {
      expect((await claim(bounty, agent)).status).toBe(200)
      expect((await act(bounty, 'release', agent)).status).toBe(200)
    }
    return { bounty, agent }
  }
  const holding = async (bounty: TestBounty) => ({
    bounty,
    agent: (await market.claimedBounty({ project })).claimant,
  })
  const of = async <Bounty extends TestBounty>(
    made: Promise<Bounty>,
    who: (bounty: Bounty) => TestAgent | Promise<TestAgent>,
  ) => {
    const bounty = await made
    return { bounty, agent: await who(bounty) }
  }
  const newcomer = () => market.register()
  const asStranger = async (status: 'claimed' | 'in_review' | 'done') => ({
    bounty: { id: await rows.bountyAt(status, { project_id: project.id, difficulty: 'medium' }) },
    agent: stranger,
  })

  const scenes: [
    what: string,
    reasons: string[],
    hours: number,
    prepare: () => Promise<{ bounty: { id: string }; agent: TestAgent }>,
  ][] = [
    ['an open bounty', [], 72, () => of(market.openBounty({ project }), newcomer)],
    ['a bounty whose claim by another agent has lapsed', [], 72, () => of(lapsedBounty(), newcomer)],
    ['a bounty that the caller released: a quarter of the time', [], 18, () => givenUp(1)],
    ['a bounty that the caller released twice', [], 18, () => givenUp(2)],
    ['a bounty that the caller released three times', ['claimed_too_often'], 18, () => givenUp(3)],
    [
      'a bounty of an own project',
      ['founder_cannot_claim'],
      72,
      () => of(market.openBounty({ project }), ({ founder }) => founder),
    ],
    ['a bounty that another agent claimed', ['bounty_not_open'], 72, () => asStranger('claimed')],
    [
      'a bounty that the caller claimed',
      ['bounty_not_open'],
      72,
      () => of(market.claimedBounty({ project }), ({ claimant }) => claimant),
    ],
    [
      'a bounty whose claim by the caller has lapsed',
      ['bounty_not_open'],
      72,
      () => of(lapsedBounty(), ({ claimant }) => claimant),
    ],
    ['a bounty in review', ['bounty_not_open'], 72, () => asStranger('in_review')],
    ['a bounty that is done', ['bounty_not_open'], 72, () => asStranger('done')],
    [
      'an open bounty beside another claim',
      ['active_claim_exists'],
      72,
      async () => holding(await market.openBounty({ project })),
    ],
    [
      'a lapsed claim beside another one',
      ['active_claim_exists'],
      72,
      async () => holding(await lapsedBounty()),
    ],
    [
      'a claimed bounty beside another claim',
      ['bounty_not_open', 'active_claim_exists'],
      72,
      async () => holding(await market.claimedBounty({ project })),
    ],
    [
      'a bounty that the caller released three times, beside another claim',
      ['claimed_too_often', 'active_claim_exists'],
      18,
      async () => {
        const { bounty, agent } = await givenUp(3)
        await market.claimedBounty({ project, claimant: agent })
        return { bounty, agent }
      },
    ],
    [
      'an own bounty that another agent claimed',
      ['founder_cannot_claim', 'bounty_not_open'],
      72,
      () => of(market.claimedBounty({ project }), ({ founder }) => founder),
    ],
  ]

  test.each(scenes)('of %s', async (_, reasons, lease_hours, prepare) => {
    const { bounty, agent } = await prepare()
    const found = await preflight(bounty, agent)
    expect(found).toMatchObject({ can_claim: reasons.length === 0, reasons, lease_hours })
    const claimed = await claim(bounty, agent)
    expect([claimed.body.error?.code, claimed.status === 200]).toEqual([reasons[0], found.can_claim])
    if (!found.can_claim) return
    const { claimed_at, expires_at } = (
      await api('GET', `/api/bounties/${bounty.id}/claim`, { key: agent.key })
    ).body.claim
    const hours = (Date.parse(expires_at) - Date.parse(claimed_at)) / 3_600_000
    expect(hours).toBeCloseTo(lease_hours, 2)
  })
})

describe('200 says whether it would be paid', () => {
  const payable = async (bounty: { id: string }, from = market) =>
    (await preflight(bounty, stranger, from)).payable
  const set = (columns: { reward_amount: number } | { status: 'cancelled' }, ...bounties: TestBounty[]) =>
    db
      .updateTable('bounties')
      .set(columns)
      .where(
        'id',
        'in',
        bounties.map(({ id }) => id),
      )
      .execute()

  test('an open bounty counts after all that is claimed or in review, and other open ones do not count', async () => {
    const [open, claimed, other] = await Promise.all([
      market.openBounty({ project: own, reward_amount: 50_000 }),
      market.claimedBounty({ project: own, reward_amount: 30_000 }),
      market.openBounty({ project: own, reward_amount: 20_000 }),
    ])
    await set({ reward_amount: 90_000 }, other)
    expect([await payable(open), await payable(claimed)]).toEqual([true, true])
    await set({ reward_amount: 50_001 }, claimed)
    expect([await payable(open), await payable(claimed)]).toEqual([false, true])
    await act(claimed, 'release', claimed.claimant)
    await set({ status: 'cancelled' }, open, claimed, other)
  })

  test('with what was claimed before it, as approvals in this order then find, ten seconds later', async () => {
    const first = await market.bountyInReview({ project: own, reward_amount: 60_000 })
    const second = await market.bountyInReview({ project: own, reward_amount: 40_000 })
    expect([await payable(first), await payable(second)]).toEqual([true, true])
    await set({ reward_amount: 40_001 }, second)
    expect([await payable(first), await payable(second)]).toEqual([true, false])
    const approve = ({ id, founder }: TestBounty) =>
      api('POST', `/api/bounties/${id}/approve`, { key: founder.key, body: {} })
    expect((await approve(first)).status).toBe(200)
    expect(await payable(second)).toBe(true)
    await age()
    expect(await payable(second)).toBe(false)
    expectError(await approve(second), 'insufficient_funds')
    await set({ reward_amount: 40_000 }, second)
    expect(await payable(second)).toBe(true)
    expect((await approve(second)).status).toBe(200)
    await age()
    expect([await payable(first), await payable(second)]).toEqual([false, false])
  })

  test('not while payouts are off', async () => {
    const bounty = await market.openBounty({ project })
    expect(await payable(bounty)).toBe(true)
    expect(await payable(bounty, off)).toBe(false)
    await chain.pause()
    await age()
    expect(await payable(bounty)).toBe(false)
    await chain.unpause()
    await age()
  })
})

test('200 with what the contract itself quotes for the reward after the fee', async () => {
  const bounty = await market.openBounty({ project: bought, reward_amount: 100 })
  expect(await preflight(bounty, stranger)).toMatchObject({ net: '95', value_eth: '0' })
  await chain.buy(await chain.fundedAccount(), bought.curve_address, parseEther('1000'))
  await age()
  const curve = { abi: bondingCurve.abi, address: bought.curve_address as Address }
  const [eth] = await chain.node.readContract({
    ...curve,
    functionName: 'quoteSell',
    args: [parseEther('95')],
  })
  expect((await preflight(bounty, stranger)).value_eth).toBe(formatEther(eth))
})

test('200 with the deposit of dollars, whatever has become of it, and null where there never was one', async () => {
  const [bare, queued] = await Promise.all([market.openBounty({ project }), market.openBounty({ project })])
  await rows.deposit({ bounty_id: queued.id, amount: 20_500_000 })
  expect((await preflight(bare, stranger)).dollars).toBeNull()
  expect((await preflight(queued, stranger)).dollars).toEqual({
    amount: '20.5',
    status: 'queued',
    locked_until: null,
    expires_soon: false,
  })
})

describe('200 without the chain: what the database knows, and null', () => {
  const known = { can_claim: true, reasons: [], lease_hours: 72, review_days: 7 }
  const unknown = { ...known, payable: null, value_eth: null }
  test('while the node fails', async () => {
    const bounty = await market.openBounty({ project: bought })
    await age()
    market.chainProxy.refuse(() => 'no connection')
    expect(await preflight(bounty, stranger)).toMatchObject(unknown)
  })

  test('if it has not responded since the start, or there is none', async () => {
    const bounty = await market.openBounty({ project })
    expect(await preflight(bounty, stranger, silent)).toMatchObject(unknown)
    expect(await preflight(bounty, stranger, alone)).toMatchObject({ ...unknown, payable: false })
  })
})

describe('200 for many requests', () => {
  /** What the node is asked about the founder's funds and about pauses, by the start of its calls. */
  const funds = ['0x70a08231', '0xdd62ed3e', '0x5c975abb']
  const asked: string[] = []
  const watch = async () => {
    await age()
    asked.length = 0
    market.chainProxy.refuse(({ method, params }) => {
      if (method === 'eth_call') asked.push((params[0] as { data: string }).data.slice(0, 10))
      return undefined
    })
  }
  const count = () => funds.map((start) => asked.filter((data) => data === start).length)

  test('with one reading of funds and pauses, at once and within ten seconds', async () => {
    const bounty = await market.openBounty({ project: bought })
    await watch()
    await Promise.all([1, 2, 3, 4, 5].map(() => preflight(bounty, stranger)))
    await preflight(bounty, stranger)
    expect(count()).toEqual([1, 1, 1])
  })

  test('which give up after seconds, while one reading waits for a node that is silent', async () => {
    const bounty = await market.openBounty({ project: bought })
    await watch()
    const held = market.chainProxy.hold()
    const ask = async () => (await preflight(bounty, stranger)).payable
    expect(await Promise.all([ask(), ask()])).toEqual([null, null])
    const next = ask()
    held.release()
    expect(await next).toBe(true)
    expect(count()).toEqual([1, 1, 1])
  })
})

describe('200 with what the caller needs', () => {
  test('at the embedded code host', async () => {
    const bounty = await market.openBounty({ project })
    const { id, key } = await market.register()
    const { needs } = await preflight(bounty, { key })
    const host = new URL(project.repo_url).origin
    expect(needs).toEqual({
      repo_url: project.repo_url,
      token_url: `${host}/token`,
      branch: `${id}/${bounty.id}`,
      base: 'main',
    })
  })

  test('a wallet if it has none, which is no reason against a claim', async () => {
    const bounty = await market.openBounty({ project })
    const agent = await market.registerWithoutWallet()
    const { can_claim, wallet_blocked } = await preflight(bounty, agent)
    expect([can_claim, wallet_blocked]).toEqual([true, 'contributor_wallet_missing'])
    const { body } = await claim(bounty, agent)
    expect(body.warnings).toEqual([expect.stringContaining('PATCH /api/agents/me/wallet')])
  })

  test('another wallet if its own funds the project', async () => {
    const wallet_address = project.founder.wallet_address as string
    const bounty = await market.openBounty({ project })
    const agent = await market.register({ wallet_address })
    expect((await preflight(bounty, agent)).wallet_blocked).toBe('contributor_wallet_is_founders')
  })

  test('nothing for the founder, who cannot claim it', async () => {
    const bounty = await market.openBounty({ project })
    expect((await preflight(bounty, project.founder)).needs).toBeNull()
  })

  test('a code host, where there is none', async () => {
    const bounty = await market.openBounty({ project })
    const agent = await market.register()
    expect((await preflight(bounty, agent, alone)).needs).toBeNull()
  })
})
