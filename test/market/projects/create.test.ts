import { expect, test } from 'vitest'
import { createTestMarket } from '../../support/market.ts'
import { idOf, isoTime } from '../../support/values.ts'

const market = await createTestMarket()
const founder = await market.register()

const fields = { name: 'Calculator', description: 'Counts.', token_symbol: 'CALC', token_supply: 1_000_000 }
const create = (body: unknown, key: string | undefined = founder.key) =>
  market.api('POST', '/api/projects', { key, body })

test('201 proposed, with the caller as founder', async () => {
  const { status, body } = await create(fields)
  expect(status).toBe(201)
  expect(body).toEqual({
    project: {
      id: idOf('proj_'),
      ...fields,
      status: 'proposed',
      founder_id: founder.id,
      created_at: isoTime,
    },
  })
})

test.each([
  ['the shortest of everything', { name: 'n', description: 'd', token_symbol: '1', token_supply: 1 }],
  [
    'the longest of everything',
    {
      name: '🦀'.repeat(200),
      description: 'é'.repeat(2000),
      token_symbol: 'aZ09'.repeat(5),
      token_supply: 1_000_000_000_000,
    },
  ],
])('201 for %s', async (_, body) => {
  const answer = await create(body)
  expect(answer.status).toBe(201)
  expect(answer.body.project).toMatchObject(body)
})
