import { createHmac, randomBytes } from 'node:crypto'
import { verify } from '@node-rs/argon2'
import { describe, expect, test } from 'vitest'
import { createApiKeys, loadChecksumKey } from '../../server/auth/api-keys.ts'
import { serve } from '../http/serve.ts'
import { expectError } from '../support/errors.ts'

const served = await serve()
const { db } = served
const { apiKeys, reads } = served.services
const checksumKey = await loadChecksumKey(db)
/** As another process would have them. */
const elsewhere = () => createApiKeys({ checksumKey })

const unauthorized = expect.objectContaining({ code: 'unauthorized' })
const untouchable = {
  run() {
    throw new Error('the database was asked')
  },
}

/** A key that only somebody who stole the checksum key can make. */
function forged(body: string, by = checksumKey) {
  return body + createHmac('sha256', by).update(body).digest('hex').slice(0, 16)
}

describe('a new key', () => {
  test('names its id, holds 166 random bits and is stored as argon2id only', async () => {
    const { apiKey, keyId, keyHash } = await apiKeys.issue()
    expect(apiKey).toMatch(/^bmk_[0-9A-Za-z]{16}_[0-9A-Za-z]{28}[0-9a-f]{16}$/)
    expect(apiKey.split('_')[1]).toBe(keyId)
    expect(keyHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(keyHash).not.toContain(apiKey.split('_')[2])
    expect(await verify(keyHash, apiKey)).toBe(true)
  })

  test('is unique', async () => {
    const keys = await Promise.all(Array.from({ length: 20 }, () => apiKeys.issue()))
    expect(new Set(keys.map(({ apiKey }) => apiKey)).size).toBe(20)
    expect(new Set(keys.map(({ keyId }) => keyId)).size).toBe(20)
  })
})

describe('the right key', () => {
  test('authenticates its agent and does not return the hash', async () => {
    const { id, key } = await served.agent()
    expect(await apiKeys.authenticate(reads, `Bearer ${key}`)).toEqual({
      id,
      name: 'Ada',
      wallet_address: null,
      wallet_type: null,
      created_at: expect.any(Date),
      key_id: key.split('_')[1],
      scope: 'key',
      key_ended: false,
      rotation_digest: null,
    })
  })

  test.each(['bearer ', 'BEARER ', 'Bearer   '])('after %j', async (scheme) => {
    const { id, key } = await served.agent()
    expect(await apiKeys.authenticate(reads, scheme + key)).toMatchObject({ id })
  })

  test('authenticates 50 requests at once in a process that has not seen it', async () => {
    const { id, key } = await served.agent()
    const fresh = createApiKeys({
      checksumKey,
      bounds: { knownAgents: { atOnce: 1, waiting: 1 }, newAgents: { atOnce: 1, waiting: 1 } },
    })
    const agents = await Promise.all(
      Array.from({ length: 50 }, () => fresh.authenticate(reads, `Bearer ${key}`)),
    )
    expect(new Set(agents.map((agent) => agent.id))).toEqual(new Set([id]))
  })

  test('returns the current row of the agent', async () => {
    const { id, key } = await served.agent()
    await db.updateTable('agents').set({ name: 'Grace' }).where('id', '=', id).execute()
    expect(await apiKeys.authenticate(reads, `Bearer ${key}`)).toMatchObject({ name: 'Grace' })
  })
})

describe('unauthorized without reading the database', async () => {
  const { key } = await served.agent()
  const [, keyId] = key.split('_')
  const secret = 'x'.repeat(28)
  const wrong: [string, string | undefined][] = [
    ['no header', undefined],
    ['an empty header', ''],
    ['another scheme', `Basic ${key}`],
    ['no scheme', key],
    ['no key', 'Bearer '],
    ['a word', 'Bearer nobody'],
    ['a key in two parts', `Bearer ${key.slice(0, 30)} ${key.slice(30)}`],
    ['a key with its last character changed', `Bearer ${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`],
    [
      'a key with its first secret character changed',
      `Bearer ${key.replace(/_(.)(\w{43})$/, (_, c, rest) => `_${c === 'a' ? 'b' : 'a'}${rest}`)}`,
    ],
    ['a key cut short', `Bearer ${key.slice(0, -1)}`],
    ['a key with more behind it', `Bearer ${key}0`],
    ['a key in capitals', `Bearer ${key.toUpperCase()}`],
    ['a known id with another secret', `Bearer bmk_${keyId}_${secret}${'0'.repeat(16)}`],
    ['a key of another service', `Bearer ${forged(`bmk_${keyId}_${secret}`, randomBytes(32))}`],
    ['a right checksum of the wrong form', `Bearer ${forged(`bmk_${keyId}_short`)}`],
    ['a checksum alone', `Bearer ${forged('')}`],
    ['a token of another service', `Bearer ${forged(`bmt_work_${'x'.repeat(43)}`, randomBytes(32))}`],
    ['a token with another scope', `Bearer ${apiKeys.issueToken('read').token.replace('read', 'work')}`],
    ['a token of no scope', `Bearer ${forged(`bmt_key_${'x'.repeat(43)}`)}`],
    ['10,000 characters', `Bearer ${'bmk_'.repeat(2500)}`],
    ['characters of several bytes', `Bearer ${'é'.repeat(64)}`],
  ]
  test.each(wrong)('for %s', async (_name, authorization) => {
    await expect(apiKeys.authenticate(untouchable, authorization)).rejects.toEqual(unauthorized)
  })
})

describe('unauthorized for a key whose checksum is right', () => {
  test('but whose secret is not', async () => {
    const { key } = await served.agent()
    const guess = forged(`bmk_${key.split('_')[1]}_${'x'.repeat(28)}`)
    await expect(apiKeys.authenticate(reads, `Bearer ${guess}`)).rejects.toEqual(unauthorized)
    await expect(apiKeys.authenticate(reads, `Bearer ${key}`)).resolves.toBeDefined()
  })

  test('but whose id nobody has', async () => {
    const guess = forged(`bmk_${'x'.repeat(16)}_${'x'.repeat(28)}`)
    await expect(apiKeys.authenticate(reads, `Bearer ${guess}`)).rejects.toEqual(unauthorized)
  })

  test('as soon as its row is changed, in every process', async () => {
    const { key, id } = await served.agent()
    const other = elsewhere()
    await other.authenticate(reads, `Bearer ${key}`)
    const replacement = await apiKeys.issue()
    await db
      .updateTable('agents')
      .set({ key_id: replacement.keyId, key_hash: replacement.keyHash })
      .where('id', '=', id)
      .execute()
    await expect(apiKeys.authenticate(reads, `Bearer ${key}`)).rejects.toEqual(unauthorized)
    await expect(other.authenticate(reads, `Bearer ${key}`)).rejects.toEqual(unauthorized)
    await expect(other.authenticate(reads, `Bearer ${replacement.apiKey}`)).resolves.toMatchObject({ id })
  })

  test('as soon as only its hash is changed', async () => {
    const { key, id } = await served.agent()
    const { keyHash } = await apiKeys.issue()
    await db.updateTable('agents').set({ key_hash: keyHash }).where('id', '=', id).execute()
    await expect(apiKeys.authenticate(reads, `Bearer ${key}`)).rejects.toEqual(unauthorized)
  })
})

test('503 overloaded when too many keys wait to be hashed; those that wait are hashed', async () => {
  const small = createApiKeys({
    checksumKey,
    bounds: { knownAgents: { atOnce: 1, waiting: 3 }, newAgents: { atOnce: 1, waiting: 3 } },
  })
  const results = await Promise.allSettled(Array.from({ length: 10 }, () => small.issue()))
  const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  expect(results.length - failures.length).toBeGreaterThanOrEqual(3)
  expect(failures.length).toBeGreaterThan(0)
  for (const failure of failures) expect(failure).toMatchObject({ code: 'overloaded', retryAfter: 1 })
  await expect(small.issue()).resolves.toBeDefined()
})

test('all processes share one checksum key', async () => {
  const keys = await Promise.all(Array.from({ length: 5 }, () => loadChecksumKey(db)))
  for (const key of keys) expect(key).toEqual(checksumKey)
  expect(checksumKey).toHaveLength(32)
})

test('401: one body and one set of headers for every wrong key', async () => {
  const { key } = await served.agent()
  const wrong = ['x', 'bmk_1', key.slice(0, -1), forged(`bmk_${key.split('_')[1]}_${'x'.repeat(28)}`)]
  const answers = await Promise.all(wrong.map((given) => served.api('GET', '/api/agents/me', { key: given })))
  for (const answer of answers) {
    expectError(answer, 'unauthorized')
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer /)
    expect(answer.body.error.message).toBe(answers[0]?.body.error.message)
    expect([...answer.headers.keys()]).toEqual([...(answers[0]?.headers.keys() ?? [])])
  }
})
