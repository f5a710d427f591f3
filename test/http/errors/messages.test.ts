import { describe, expect, test } from 'vitest'
import { expectError, expectInvalid } from '../../support/errors.ts'
import { serve } from '../serve.ts'

/* Messages to callers. Two language models and several newcomers were misled by earlier versions of them. */
const served = await serve()
const ada = await served.agent()

const messageOf = async (...request: Parameters<typeof served.api>) =>
  (await served.api(...request)).body.error.message as string
const issuesOf = async (...request: Parameters<typeof served.api>) =>
  (await served.api(...request)).body.error.issues

describe('404 not_found', () => {
  test.each([
    '/api/openapi.json',
    '/api/docs',
    '/mcp/tools',
    '/.well-known/agent.json',
    '/api/bounties/bnt_1/steal',
    '/docs/assets/other',
  ])('of %s names the pages that list all paths', async (path) => {
    const answer = await served.api('GET', path)
    expectError(answer, 'not_found')
    expect(answer.body.error.message).toContain('/llms.txt')
    expect(answer.body.error.message).toContain('/openapi.json')
  })

  test.each([
    ['GET', '/api/bounties/'],
    ['POST', '/api/projects/'],
    ['GET', '/api/bounties/bnt_1/'],
    ['GET', '/api/bounties/?limit=1'],
    ['POST', '/api/agents/register/'],
    ['GET', '/healthz/'],
  ])('of %s %s says that the slash at the end is wrong', async (method, path) => {
    const answer = await served.api(method, path, { key: ada.key })
    expectError(answer, 'not_found')
    expect(answer.body.error.message).toMatch(/without the slash at its end/)
  })

  test('for an empty id in the middle, for every caller', async () => {
    expectError(await served.api('POST', '/api/bounties//claim'), 'not_found')
  })
})

describe('400 validation_failed says what is expected', () => {
  test.each([
    ['limit=1&limit=2', { path: 'limit', message: 'is given more than once' }],
    ['limit=abc', { path: 'limit', message: 'must be a whole number' }],
    ['limit=1.5', { path: 'limit', message: 'must be a whole number' }],
    ['limit=1.0000000000000000001', { path: 'limit', message: 'must be a whole number' }],
    ['offset=', { path: 'offset', message: 'must be a whole number' }],
    [
      'page=2',
      {
        path: 'page',
        message:
          'is not a parameter of this operation, which takes status, project_id, difficulty, tag, min_reward, acceptance, min_dollars, sort, q, limit, offset',
      },
    ],
  ])('for ?%s', async (query, issue) => {
    expect(await issuesOf('GET', `/api/bounties?${query}`)).toEqual([issue])
  })

  test('for everything that is wrong with a query at once', async () => {
    expectInvalid(
      await served.api('GET', '/api/bounties?page=2&limit=a&status=lost'),
      'page',
      'limit',
      'status',
    )
  })

  test('for a query on a POST: put its fields into the body', async () => {
    expect(await issuesOf('POST', '/api/agents/register?name=Ada')).toEqual([
      {
        path: 'name',
        message:
          'is in the query, but this operation has no query parameters: put its fields into the JSON body',
      },
    ])
    expect(await issuesOf('POST', '/api/bounties/bnt_1/cancel?a=1', { key: ada.key })).toEqual([
      { path: 'a', message: 'is in the query, but this operation has no query parameters' },
    ])
  })

  test('for an unknown field of a body: the fields there are', async () => {
    expect(await issuesOf('POST', '/api/agents/register', { body: { name: 'Ada', wallet: 'x' } })).toEqual([
      { path: 'wallet', message: 'is not a field of this operation, which takes name, wallet_address' },
    ])
  })

  test('for a field on an operation that takes none', async () => {
    const body = { surprise: 1 }
    expect(await issuesOf('POST', '/api/agents/me/generate-wallet', { key: ada.key, body })).toEqual([
      { path: 'surprise', message: 'is not a field of this operation, which takes none' },
    ])
  })

  test('for a body with values of other types, and null where a value is required', async () => {
    const body = { name: 1, description: null, token_symbol: 'T', token_supply: '12' }
    expect(await issuesOf('POST', '/api/projects', { key: ada.key, body })).toEqual([
      { path: 'name', message: 'must be a string' },
      { path: 'description', message: 'is required' },
      { path: 'token_supply', message: 'must be a whole number' },
    ])
  })
})

test('400 reserved_address for the zero address names it', async () => {
  const wallet_address = `0x${'0'.repeat(40)}`
  const answer = await served.api('POST', '/api/agents/register', { body: { name: 'Ada', wallet_address } })
  expectError(answer, 'reserved_address')
  expect(answer.body.error.message).toMatch(/zero address/)
  expect(answer.body.error.message).not.toMatch(/platform/)
})

describe('null in an optional field of a body is as if the field were absent', () => {
  test('201 for a registration', async () => {
    const { status, body } = await served.api('POST', '/api/agents/register', {
      body: { name: 'Ada', wallet_address: null },
    })
    expect({ status, wallet_type: body.agent?.wallet_type }).toEqual({ status: 201, wallet_type: null })
  })

  test('404 instead of 400 for an approval without notes', async () => {
    const request = { key: ada.key, body: { review_notes: null } }
    expectError(await served.api('POST', '/api/bounties/bnt_1/approve', request), 'bounty_not_found')
  })

  test('400 validation_failed for a required one', async () => {
    expectInvalid(await served.api('POST', '/api/agents/register', { body: { name: null } }), 'name')
    const request = { key: ada.key, body: { wallet_address: null } }
    expectInvalid(await served.api('PATCH', '/api/agents/me/wallet', request), 'wallet_address')
  })

  test('400 validation_failed for an unknown one', async () => {
    expectInvalid(await served.api('POST', '/api/agents/register', { body: { name: 'Ada', x: null } }), 'x')
  })
})

describe('401 unauthorized', () => {
  const me = (headers: Record<string, string>) => messageOf('GET', '/api/agents/me', { headers })

  test('describes the problem with the header', async () => {
    expect(await me({})).toMatch(/no Authorization header/)
    expect(await me({ authorization: '' })).toMatch(/no Authorization header/)
    expect(await me({ authorization: 'Basic YTpi' })).toMatch(/does not use the Bearer scheme/)
    expect(await me({ authorization: ada.key })).toMatch(/does not use the Bearer scheme/)
    expect(await me({ 'x-api-key': ada.key })).toMatch(/not in X-Api-Key/)
    const wrong: Record<string, string>[] = [{}, { authorization: 'Basic YTpi' }, { 'x-api-key': 'a' }]
    for (const headers of wrong) expect(await me(headers)).toContain('Authorization: Bearer <token>')
  })

  test('says how to get a credential, whatever is wrong with this one', async () => {
    const wrong: Record<string, string>[] = [
      {},
      { 'x-api-key': 'a' },
      { authorization: 'Bearer x' },
      { authorization: 'x' },
    ]
    for (const headers of wrong) expect(await me(headers)).toContain('POST /api/agents/register')
    expect(await me({ authorization: 'Bearer x' })).toContain('POST /api/agents/me/tokens')
  })

  test('has one body for every Bearer value, and one for every key in a wrong place', async () => {
    const almost = `${ada.key.slice(0, -1)}${ada.key.endsWith('0') ? '1' : '0'}`
    const unknown = 'bmk_0000000000000000_0000000000000000000000000000000000000000000'
    const same = async (requests: Record<string, string>[]) =>
      new Set(await Promise.all(requests.map(me))).size
    const bearers = [almost, unknown, 'x', '', 'a b', `${ada.key} x`]
    expect(await same(bearers.map((key) => ({ authorization: `Bearer ${key}` })))).toBe(1)
    expect(await same([almost, unknown, ada.key].map((key) => ({ 'x-api-key': key })))).toBe(1)
    expect(await same([almost, unknown, ada.key].map((key) => ({ authorization: key })))).toBe(1)
    expect(
      await same([almost, unknown].map((key) => ({ authorization: `Bearer ${key}`, 'x-api-key': key }))),
    ).toBe(1)
  })
})
