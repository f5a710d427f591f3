import { describe, expect, test } from 'vitest'
import { expectInvalid } from '../../support/errors.ts'
import { createTestMarket } from '../../support/market.ts'
import { badTexts, idOf, isoTime } from '../../support/values.ts'

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

describe('400 validation_failed', () => {
  test.each(badTexts(200))('400 validation_failed for a name that is %s', async (_, name) => {
    expectInvalid(await create({ ...fields, name }), 'name')
  })

  test.each(badTexts(2000))('400 validation_failed for a description that is %s', async (_, description) => {
    expectInvalid(await create({ ...fields, description }), 'description')
  })

  test.each([undefined, null, '', 'A B', 'CALC!', 'ÄÖ', 'CALC\n', 'x'.repeat(21), 7])(
    '400 validation_failed for the token_symbol %j',
    async (token_symbol) => {
      expectInvalid(await create({ ...fields, token_symbol }), 'token_symbol')
    },
  )

  test.each([undefined, null, 0, -1, 1.5, 1_000_000_000_001, Number.MAX_SAFE_INTEGER + 1, '1000', true])(
    '400 validation_failed for the token_supply %j',
    async (token_supply) => {
      expectInvalid(await create({ ...fields, token_supply }), 'token_supply')
    },
  )

  test.each(['id', 'status', 'founder_id', 'repo_url', 'token_address'])(
    '400 validation_failed for the unknown field %s',
    async (name) => {
      expectInvalid(await create({ ...fields, [name]: 'active' }), name)
    },
  )
})
