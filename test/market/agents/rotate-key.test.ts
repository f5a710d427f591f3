import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { verify } from '@node-rs/argon2'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { purgeReplacedKeys } from '../../../server/auth/queries.ts'
import { expectError } from '../../support/errors.ts'
import { createTestMarket } from '../../support/market.ts'
import { readRow, setRows } from '../../support/stored.ts'
import { until } from '../../support/until.ts'
import { isoTime } from '../../support/values.ts'

const market = await createTestMarket()
const other = await createTestMarket({ sharing: market, engines: false })

const path = '/api/agents/me/rotate-key'
const atOnce = { overlap_seconds: 0 }
const rotate = (key: string, body?: unknown, idempotencyKey?: string) =>
  market.api('POST', path, {
    key,
    body,
    headers: idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey },
  })
const whoIs = async (key: string, by = market) => {
  const { status, body } = await by.api('GET', '/api/agents/me', { key })
  return body.agent?.id ?? status
}
/** By the clock of the database, in milliseconds. */
async function inSeconds(seconds: number): Promise<number> {
  const { rows } = await sql<{
    time: Date
  }>`select clock_timestamp() + make_interval(secs => ${seconds}) as time`.execute(market.db)
  return rows[0]?.time.getTime() ?? Number.NaN
}

/** Lets every replaced key of an agent end now. */
const endNow = (agentId: string) =>
  setRows(market.db, 'replaced_keys', { agent_id: agentId }, { ends_at: sql<Date>`clock_timestamp()` })

describe('200', () => {
  test('200 with a new key, once, and with no overlap the old one ends at once in every process', async () => {
    const agent = await market.register()
    expect(await whoIs(agent.key, other)).toBe(agent.id)
    const { status, body } = await rotate(agent.key, { overlap_seconds: 0 })
    expect(status).toBe(200)
    expect(body).toEqual({
      agent: {
        id: agent.id,
        name: 'Ada',
        wallet_address: agent.wallet_address,
        wallet_type: 'vendor_inapp',
        created_at: isoTime,
        api_key: expect.stringMatching(/^bmk_[0-9A-Za-z]{16}_[0-9A-Za-z]{28}[0-9a-f]{16}$/),
        replaced_key_ends_at: isoTime,
      },
    })
    for (const by of [market, other]) {
      expect(await whoIs(body.agent.api_key, by)).toBe(agent.id)
      expectError(await by.api('GET', '/api/agents/me', { key: agent.key }), 'unauthorized')
    }
  })

  test.each([
    ['that is given', { overlap_seconds: 3600 }, 3600],
    ['of ten minutes without one', undefined, 600],
    ['of a whole day', { overlap_seconds: 86_400 }, 86_400],
  ])(
    '200 with an overlap %s: both keys work until the returned time, then only the new one',
    async (_, given, seconds) => {
      const agent = await market.register()
      const earliest = await inSeconds(seconds)
      const { body } = await rotate(agent.key, given)
      const ends = Date.parse(body.agent.replaced_key_ends_at)
      expect(ends).toBeGreaterThanOrEqual(earliest)
      expect(ends).toBeLessThanOrEqual(await inSeconds(seconds))
      for (const by of [market, other])
        for (const key of [agent.key, body.agent.api_key]) expect(await whoIs(key, by)).toBe(agent.id)
      await endNow(agent.id)
      for (const by of [market, other]) {
        expect(await whoIs(agent.key, by)).toBe(401)
        expect(await whoIs(body.agent.api_key, by)).toBe(agent.id)
      }
    },
  )

  test('401 for a request of the ended key whose body arrives late', async () => {
    const agent = await market.register()
    const { hostname, port } = new URL(market.baseUrl)
    const headers = { authorization: `Bearer ${agent.key}`, 'content-type': 'application/json' }
    const options = { hostname, port, method: 'POST', path: '/api/projects', headers }
    const late = request(options)
    const sentAt = performance.now()
    late.write('{')
    expect((await rotate(agent.key, atOnce)).status).toBe(200)
    await until(() => performance.now() > sentAt + 1500)
    late.end('}')
    const [{ statusCode }] = (await once(late, 'response')) as [IncomingMessage]
    expect(statusCode).toBe(401)
  })

  test('200 again and again: no older key outlives the newest overlap', async () => {
    const agent = await market.register()
    const second = (await rotate(agent.key, { overlap_seconds: 3600 })).body.agent
    const third = (await rotate(second.api_key, { overlap_seconds: 1800 })).body.agent
    for (const key of [agent.key, second.api_key, third.api_key]) expect(await whoIs(key)).toBe(agent.id)
    const ends = await market.db
      .selectFrom('replaced_keys')
      .where('agent_id', '=', agent.id)
      .select('ends_at')
      .execute()
    expect(ends.map(({ ends_at }) => ends_at.toISOString())).toEqual(
      Array(2).fill(third.replaced_key_ends_at),
    )
    const fourth = (await rotate(third.api_key, { overlap_seconds: 0 })).body.agent
    for (const key of [agent.key, second.api_key, third.api_key]) expect(await whoIs(key)).toBe(401)
    expect(await whoIs(fourth.api_key)).toBe(agent.id)
  })

  test('200 leaves agents, wallets, claims and the feed as they were', async () => {
    const bounty = await market.claimedBounty()
    const before = await market.api('GET', '/api/agents/me', { key: bounty.claimant.key })
    const feed = await market.api('GET', '/api/activity')
    const { body } = await rotate(bounty.claimant.key, { overlap_seconds: 0 })
    const after = await market.api('GET', '/api/agents/me', { key: body.agent.api_key })
    expect(after.body).toEqual(before.body)
    expect((await market.api('GET', '/api/activity')).body).toEqual(feed.body)
    const pr_url = await market.pullRequest(bounty.project)
    const submit = `/api/bounties/${bounty.id}/submit`
    expectError(
      await market.api('POST', submit, { key: bounty.claimant.key, body: { pr_url } }),
      'unauthorized',
    )
    expect((await market.api('POST', submit, { key: body.agent.api_key, body: { pr_url } })).status).toBe(201)
  })

  test('200 once of ten at a time: the others 409 api_key_replaced, and one key works', async () => {
    const agent = await market.register()
    const answers = await Promise.all(Array.from({ length: 10 }, () => rotate(agent.key)))
    const won = answers.filter(({ status }) => status === 200)
    expect(won).toHaveLength(1)
    for (const lost of answers.filter(({ status }) => status !== 200)) expectError(lost, 'api_key_replaced')
    expect(await whoIs(won[0]?.body.agent.api_key)).toBe(agent.id)
  })

  test('200 stores of all keys nothing but argon2id hashes', async () => {
    const agent = await market.register()
    const { body } = await rotate(agent.key, { overlap_seconds: 60 })
    const current = await readRow(market.db, 'agents', { id: agent.id })
    const replaced = await readRow(market.db, 'replaced_keys', { agent_id: agent.id })
    for (const { key_hash } of [current, replaced]) expect(key_hash).toMatch(/^\$argon2id\$/)
    expect(await verify(current.key_hash, body.agent.api_key)).toBe(true)
    expect(await verify(replaced.key_hash, agent.key)).toBe(true)
  })
})

describe('200 again, if the response was lost', () => {
  test('200 with the same key for the old key and its Idempotency-Key, though the old key has ended', async () => {
    const agent = await market.register()
    const secret = randomUUID()
    const first = await rotate(agent.key, atOnce, secret)
    expect(await whoIs(agent.key)).toBe(401)
    const again = await rotate(agent.key, atOnce, secret)
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect({ status: again.status, body: again.body }).toEqual({ status: 200, body: first.body })
    expect(await whoIs(again.body.agent.api_key)).toBe(agent.id)
  })

  test.each([
    ['without an Idempotency-Key', undefined],
    ['with another Idempotency-Key', randomUUID()],
    ['with an Idempotency-Key that is none', 'a b'],
  ])('401 unauthorized for a key that has ended %s', async (_, given) => {
    const agent = await market.register()
    await rotate(agent.key, atOnce, randomUUID())
    for (const body of [atOnce, { surprise: 1 }])
      expectError(await rotate(agent.key, body, given), 'unauthorized')
  })

  test('401 unauthorized for another operation under the same Idempotency-Key', async () => {
    const agent = await market.register()
    const secret = randomUUID()
    await rotate(agent.key, atOnce, secret)
    const request = { key: agent.key, headers: { 'idempotency-key': secret } }
    expectError(await market.api('POST', '/api/agents/me/generate-wallet', request), 'unauthorized')
    expectError(await market.api('GET', '/api/agents/me', request), 'unauthorized')
  })

  test('401 unauthorized for any ended key and response but those of its own rotation', async () => {
    const agent = await market.register()
    const made = randomUUID()
    const secret = randomUUID()
    const makeToken = (key: string) =>
      market.api('POST', '/api/agents/me/tokens', {
        key,
        body: { scope: 'work', label: 'laptop' },
        headers: { 'idempotency-key': made },
      })
    const token = await makeToken(agent.key)
    const { api_key } = (await rotate(agent.key, atOnce)).body.agent
    expectError(await makeToken(agent.key), 'unauthorized')
    expectError(await makeToken(token.body.secret), 'unauthorized')
    expect((await rotate(api_key, atOnce, secret)).status).toBe(200)
    expectError(await rotate(agent.key, atOnce, secret), 'unauthorized')
    expectError(await makeToken(api_key), 'unauthorized')
    expect((await rotate(api_key, atOnce, secret)).status).toBe(200)
  })

  test('401 unauthorized for a key that has ended and uses the Idempotency-Key of another agent', async () => {
    const agent = await market.register()
    const thief = await market.register()
    const secret = randomUUID()
    await rotate(agent.key, atOnce, secret)
    await rotate(thief.key, atOnce)
    expectError(await rotate(thief.key, atOnce, secret), 'unauthorized')
  })

  test('422 idempotency_key_reused for another overlap', async () => {
    const agent = await market.register()
    const secret = randomUUID()
    await rotate(agent.key, atOnce, secret)
    expectError(await rotate(agent.key, { overlap_seconds: 1 }, secret), 'idempotency_key_reused')
  })

  test('401 unauthorized once the response and the key are deleted', async () => {
    const agent = await market.register()
    const secret = randomUUID()
    await rotate(agent.key, atOnce, secret)
    const ended = (minutes: number) =>
      market.db
        .updateTable('replaced_keys')
        .set({ ends_at: sql<Date>`clock_timestamp() - make_interval(mins => ${minutes})` })
        .where('agent_id', '=', agent.id)
        .execute()
    const hour = 3600
    await ended(59)
    await purgeReplacedKeys(market.db, hour)
    expect((await rotate(agent.key, atOnce, secret)).status).toBe(200)
    await ended(61)
    await purgeReplacedKeys(market.db, hour)
    expectError(await rotate(agent.key, atOnce, secret), 'unauthorized')
  })

  test('401 unauthorized after the hour for which a response with an API key is stored, cleaned up or not', async () => {
    const agent = await market.register()
    const secret = randomUUID()
    await rotate(agent.key, atOnce, secret)
    const laterBy = (interval: string) =>
      market.db
        .updateTable('idempotency_keys')
        .set({
          expires_at: sql<Date>`expires_at - ${interval}::interval`,
        })
        .where('scope', '=', agent.id)
        .execute()
    await laterBy('59 minutes')
    expect((await rotate(agent.key, atOnce, secret)).status).toBe(200)
    await laterBy('1 minute 1 second')
    expectError(await rotate(agent.key, atOnce, secret), 'unauthorized')
  })
})

test('401 unauthorized tells the holder of a replaced key that it was replaced, and nobody else', async () => {
  const agent = await market.register()
  await rotate(agent.key, atOnce)
  const me = async (key: string) => {
    const response = await market.api('GET', '/api/agents/me', { key })
    expectError(response, 'unauthorized')
    expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/)
    return response.body.error.message
  }
  const replaced = await me(agent.key)
  expect(replaced).toContain('was replaced')
  const again = await rotate(agent.key)
  expectError(again, 'unauthorized')
  expect(again.body.error.message).toBe(replaced)
  const unknown = await me('bmk_nobody')
  // A key with another last character, and one whose end is no longer remembered.
  const last = agent.key.endsWith('0') ? '1' : '0'
  expect(await me(agent.key.slice(0, -1) + last)).toBe(unknown)
  await purgeReplacedKeys(market.db, -60)
  expect(await me(agent.key)).toBe(unknown)
  expect(unknown).not.toContain('replaced')
})

test('200 records a private event key.rotated of the agent, with the end of the old key', async () => {
  const agent = await market.register()
  const feed = await market.api('GET', '/api/activity')
  const { body } = await rotate(agent.key)
  const { replaced_key_ends_at } = body.agent
  const entries = await market.db
    .selectFrom('activity')
    .where('agent_id', '=', agent.id)
    .where('type', '=', 'key.rotated')
    .select(['visibility', 'data'])
    .execute()
  expect(entries).toEqual([{ visibility: 'private', data: { replaced_key_ends_at } }])
  expect((await market.api('GET', '/api/activity')).body).toEqual(feed.body)
})

test('409 api_key_replaced for a replaced key that still lives, which changes nothing', async () => {
  const agent = await market.register()
  const { body } = await rotate(agent.key, { overlap_seconds: 60 })
  expectError(await rotate(agent.key), 'api_key_replaced')
  for (const key of [agent.key, body.agent.api_key]) expect(await whoIs(key)).toBe(agent.id)
})
