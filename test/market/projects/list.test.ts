import { describe, expect, test } from 'vitest'
import { createTestMarket } from '../../support/market.ts'

const market = await createTestMarket()
const founder = await market.register()

async function propose(name: string, description = 'Counts.'): Promise<string> {
  const body = { name, description, token_symbol: 'CALC', token_supply: 1000 }
  const { body: answer } = await market.api('POST', '/api/projects', { key: founder.key, body })
  return answer.project.id
}
async function ids(query: string): Promise<string[]> {
  const { status, body } = await market.api('GET', `/api/projects${query}`)
  expect(status).toBe(200)
  return body.projects.map((project: { id: string }) => project.id)
}

const proposed: string[] = []
for (let index = 0; index < 23; index++) proposed.unshift(await propose(`Project ${index}`))
const percent = await propose('100% sure_thing', 'A back\\slash')
const active = await market.activeProject({ founder, name: 'Ünïcode Calculator' })
const everything = [active.id, percent, ...proposed]

test('200 with 20 projects, newest first, by default', async () => {
  expect(await ids('')).toEqual(everything.slice(0, 20))
})

test('200 with whole projects: the activation fields only where active', async () => {
  const { body } = await market.api('GET', '/api/projects?limit=2')
  const [first, second] = body.projects
  expect(Object.keys(second).sort()).toEqual(
    [
      'created_at',
      'description',
      'founder_id',
      'id',
      'name',
      'status',
      'token_supply',
      'token_symbol',
    ].sort(),
  )
  expect(first).toMatchObject({
    id: active.id,
    status: 'active',
    repo_url: active.repo_url,
    token_address: active.token_address,
    curve_address: active.curve_address,
  })
})

test('200 pages through everything once', async () => {
  const pages = await Promise.all([0, 10, 20, 30].map((offset) => ids(`?limit=10&offset=${offset}`)))
  expect(pages.flat()).toEqual(everything)
  expect(pages[3]).toEqual([])
})

test('200 filtered by status', async () => {
  expect(await ids('?status=active')).toEqual([active.id])
  expect(await ids('?status=proposed&limit=100')).toEqual([percent, ...proposed])
})

describe('q', () => {
  test.each([
    ['project 2', proposed.slice(0, 3).concat(proposed[20] ?? '')],
    ['ÜNÏCODE', [active.id]],
    ['100%', [percent]],
    ['%', [percent]],
    ['_', [percent]],
    ['K\\S', [percent]],
    ['nothing like this', []],
    ["' or true --", []],
  ])('200 for %j, in name or description, whatever the letter case', async (q, expected) => {
    expect(await ids(`?limit=100&q=${encodeURIComponent(q)}`)).toEqual(expected)
  })

  test('200 with other filters', async () => {
    expect(await ids('?q=calculator&status=proposed')).toEqual([])
  })
})
