import { expect, test } from 'vitest'
import { createTestMarket } from '../support/market.ts'
import { connect } from './client.ts'

const market = await createTestMarket()
const { use, refused } = await connect(market.baseUrl, (await market.register()).key)

test('find_bounties lists what is open, without descriptions, page by page', async () => {
  const own = await market.activeProject()
  const ids = new Set<string>()
  for (let index = 0; index < 22; index++)
    ids.add((await market.openBounty({ project: own, title: `Task ${index}` })).id)
  const seen: string[] = []
  let cursor: string | null | undefined
  do {
    const page = await use('find_bounties', { project_id: own.id, ...(cursor && { cursor }) })
    expect(page.bounties.length).toBeLessThanOrEqual(20)
    expect(page.bounties[0]).not.toHaveProperty('description')
    seen.push(...page.bounties.map(({ id }: { id: string }) => id))
    cursor = page.next
    expect(page.next_step.includes('There is more')).toBe(Boolean(cursor))
  } while (cursor)
  expect(seen).toHaveLength(22)
  expect(new Set(seen)).toEqual(ids)
})

test('find_bounties with project_id lists every status; what is empty says so', async () => {
  const own = await market.activeProject()
  const { id } = await market.claimedBounty({ project: own })
  expect((await use('find_bounties', { project_id: own.id })).bounties).toMatchObject([
    { id, status: 'claimed' },
  ])
  expect(await use('find_bounties', { project_id: own.id, status: 'open' })).toMatchObject({
    bounties: [],
    next_step: expect.stringMatching(/^None fits all you asked for; status is `open` unless/),
  })
  const boss = await connect(market.baseUrl, own.founder.key)
  expect(await boss.use('review_queue', { project_id: own.id })).toMatchObject({
    submissions: [],
    next_step: expect.stringMatching(/^No review waits/),
  })
})

test('find_bounties and get_bounty name project and token', async () => {
  const one = await market.activeProject({ name: 'First', token_symbol: 'ONE' })
  const other = await market.activeProject({ name: 'Second', token_symbol: 'TWO' })
  for (const project of [one, one, other]) await market.openBounty({ project, title: 'Symbols' })
  const { bounties, projects } = await use('find_bounties', { q: 'symbols' })
  expect(bounties).toHaveLength(3)
  const named = (name: string, symbol: string) => [
    expect.stringMatching(`^⟦others \\w+⟧${name}⟦`),
    expect.stringMatching(`^⟦others \\w+⟧${symbol}⟦`),
  ]
  const [oneName, oneToken] = named('First', 'ONE')
  const [otherName, otherToken] = named('Second', 'TWO')
  expect(projects).toEqual({
    [one.id]: { name: oneName, token_symbol: oneToken },
    [other.id]: { name: otherName, token_symbol: otherToken },
  })
  const { bounty } = await use('get_bounty', { bounty_id: bounties[0].id })
  expect(bounty).toMatchObject({ project_name: otherName, token_symbol: otherToken })
})

test('find_bounties by tag, reward and order', async () => {
  const own = await market.activeProject()
  const offer = async (reward_amount: number) => (await market.openBounty({ project: own, reward_amount })).id
  const small = await offer(10)
  const large = await offer(30)
  const other = await offer(20)
  await market.db
    .updateTable('bounties')
    .set({ tags: ['parser'] })
    .where('id', 'in', [small, large])
    .execute()
  const found = async (wanted: object) => {
    const { bounties } = await use('find_bounties', { project_id: own.id, ...wanted })
    return bounties.map(({ id }: { id: string }) => id)
  }
  expect(await found({ tag: 'parser', sort: 'reward' })).toEqual([large, small])
  expect(await found({ min_reward: 20, sort: 'reward' })).toEqual([large, other])
  expect(await found({ sort: 'worth' })).toEqual([])
  expect(await refused('find_bounties', { sort: 'worth', q: 'parser' })).toMatchObject({
    error: { code: 'validation_failed' },
  })
})
