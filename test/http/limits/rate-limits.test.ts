import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { countedAddress } from '../../../server/http/limits/client-address.ts'
import { createRateLimits } from '../../../server/http/limits/rate-limits.ts'
import { connect } from '../../mcp/client.ts'
import { expectError } from '../../support/errors.ts'
import { createRows } from '../../support/rows.ts'
import { type Served, serve } from '../serve.ts'

const settings = {
  RATE_LIMITS: 'on',
  RATE_LIMIT_REGISTRATIONS_PER_HOUR: '3',
  RATE_LIMIT_WRITES_PER_MINUTE: '4',
  RATE_LIMIT_READS_PER_MINUTE: '5',
  TRUSTED_PROXIES: '127.0.0.1',
}
const served = await serve({ settings })
const twin = await serve({ settings, database: { url: served.services.config.DATABASE_URL ?? '' } })

let visitors = 0
/** Headers of a client nobody has seen yet. */
const from = (address = `198.51.100.${++visitors}`) => ({ 'x-forwarded-for': address })
const register = (headers: Record<string, string>, by: Served = served) =>
  by.api('POST', '/api/agents/register', { body: { name: 'Ada' }, headers })
const read = (headers: Record<string, string>) => served.api('GET', '/api/bounties', { headers })

describe('reads', () => {
  test('429 rate_limited after the limit, for this address only, and the headers count down', async () => {
    const ada = from()
    for (let left = 4; left >= 0; left--) {
      const { status, headers } = await read(ada)
      expect(status).toBe(200)
      expect(headers.get('ratelimit-policy')).toBe('"reads";q=5;w=60')
      expect(headers.get('ratelimit')).toMatch(new RegExp(`^"reads";r=${left};t=(60|[1-5]?\\d)$`))
    }
    const refused = await read(ada)
    expectError(refused, 'rate_limited')
    expect(refused.headers.get('ratelimit')).toMatch(/^"reads";r=0;t=\d+$/)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60)
    expect((await read(from())).status).toBe(200)
  })

  test('304 counts like 200', async () => {
    const ada = from()
    for (let n = 0; n < 5; n++) expect((await read({ ...ada, 'if-none-match': '*' })).status).toBe(304)
    expectError(await read({ ...ada, 'if-none-match': '*' }), 'rate_limited')
  })

  test('of an agent are counted for the agent, whatever its address', async () => {
    const ada = await served.agent()
    const me = () => served.api('GET', '/api/agents/me', { key: ada.key, headers: from() })
    for (let n = 0; n < 5; n++) expect((await me()).status).toBe(200)
    expectError(await me(), 'rate_limited')
  })

  test('of one IPv6 subscriber count together', async () => {
    for (let n = 0; n < 5; n++) expect((await read(from(`2001:db8:1:2::${n}`))).status).toBe(200)
    expectError(await read(from('2001:db8:1:2:ffff::1')), 'rate_limited')
    expect((await read(from('2001:db8:1:3::1'))).status).toBe(200)
  })
})

describe('registrations', () => {
  test('429 after the limit of an hour, shared by all processes', async () => {
    const ada = from()
    for (const by of [served, twin, served]) expect((await register(ada, by)).status).toBe(201)
    const refused = await register(ada, twin)
    expectError(refused, 'rate_limited')
    expect(refused.headers.get('ratelimit-policy')).toBe('"registrations";q=3;w=3600')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(60)
    expect((await register(from())).status).toBe(201)
  })

  test('429 for the rest of the hour by the database, whatever the clock of a server says', async () => {
    const now = Date.now.bind(Date)
    const whileFast = async <Result>(work: () => Promise<Result>): Promise<Result> => {
      const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() + 7_200_000)
      return work().finally(() => clock.mockRestore())
    }
    const ada = from()
    const eve = from()
    // A window that a fast server began.
    for (let n = 0; n < 3; n++) expect((await whileFast(() => register(ada, served))).status).toBe(201)
    const refused = await register(ada, twin)
    expectError(refused, 'rate_limited')
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(3600)
    // A window that it did not begin.
    for (let n = 0; n < 3; n++) expect((await register(eve, twin)).status).toBe(201)
    const alsoRefused = await whileFast(() => register(eve, served))
    expectError(alsoRefused, 'rate_limited')
    expect(Number(alsoRefused.headers.get('retry-after'))).toBeLessThanOrEqual(3600)
  })

  test('at once from many connections: exactly the limit gets through', async () => {
    const ada = from()
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => register(ada, n % 2 ? served : twin)),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(9)
  })
})

describe('writes', () => {
  test('429 after the limit, per agent and shared by all processes; another agent is not affected', async () => {
    const ada = await served.agent()
    const eve = await served.agent()
    const write = (key: string, by: Served) => by.api('POST', '/api/bounties/bnt_unknown/claim', { key })
    for (const by of [served, twin, served, twin]) expect((await write(ada.key, by)).status).toBe(404)
    expectError(await write(ada.key, served), 'rate_limited')
    expectError(await write(ada.key, twin), 'rate_limited')
    expect((await write(eve.key, served)).status).toBe(404)
    expect((await served.api('GET', '/api/agents/me', { key: ada.key })).status).toBe(200)
  })

  test('a key that was rotated away uses up nothing of its agent, before and after it was found to have ended', async () => {
    const ada = await served.agent()
    const rotate = (key: string, idempotencyKey: string) =>
      served.api('POST', '/api/agents/me/rotate-key', {
        key,
        body: { overlap_seconds: 0 },
        headers: { ...from(), 'idempotency-key': idempotencyKey.padEnd(36, '0123456789') },
      })
    const { status, body } = await rotate(ada.key, 'the-owner')
    expect(status).toBe(200)
    for (let n = 0; n < 10; n++) expectError(await rotate(ada.key, `thief-${n}`), 'unauthorized')
    for (let n = 0; n < 10; n++) expect((await rotate(ada.key, 'the-owner')).status).toBe(200)
    // One for the rotation, and at most one that was counted before the old key was looked up.
    for (let n = 0; n < 2; n++)
      expect((await served.api('POST', '/api/bounties/b/claim', { key: body.agent.api_key })).status).toBe(
        404,
      )
  })

  test('403 scope_missing uses up nothing of the agent of the token', async () => {
    const ada = await served.agent()
    const path = '/api/agents/me/tokens'
    const made = await served.api('POST', path, { key: ada.key, body: { scope: 'read', label: 'leaked' } })
    const { secret, token } = made.body
    for (let n = 0; n < 10; n++)
      expectError(
        await served.api('DELETE', `${path}/${token.id}`, { key: secret, headers: from() }),
        'scope_missing',
      )
    expect((await served.api('DELETE', `${path}/${token.id}`, { key: ada.key })).status).toBe(200)
  })

  test('of the tokens of an agent count together and apart from its key, which revokes them', async () => {
    const ada = await served.agent()
    const tokens = '/api/agents/me/tokens'
    const make = async () =>
      (await served.api('POST', tokens, { key: ada.key, body: { scope: 'work', label: 'mcp' } })).body
    const leaked = await make()
    const other = await make()
    const asLeaked = (method: string, path: string) => served.api(method, path, { key: leaked.secret })
    for (let n = 0; n < 4; n++) expect((await asLeaked('POST', '/api/bounties/b/claim')).status).toBe(404)
    for (let n = 0; n < 5; n++) expect((await asLeaked('GET', '/api/agents/me')).status).toBe(200)
    for (const { secret } of [leaked, other])
      expectError(await served.api('POST', '/api/bounties/b/claim', { key: secret }), 'rate_limited')
    expectError(await asLeaked('GET', '/api/agents/me'), 'rate_limited')
    expect((await served.api('GET', tokens, { key: ada.key })).body.tokens).toHaveLength(2)
    const revoked = await served.api('DELETE', `${tokens}/${leaked.token.id}`, { key: ada.key })
    expect(revoked.status).toBe(200)
  })

  test('401 counts for nobody', async () => {
    const ada = await served.agent()
    for (let n = 0; n < 10; n++)
      expectError(await served.api('POST', '/api/bounties/b/claim', { key: `${ada.key}x` }), 'unauthorized')
    expect((await served.api('POST', '/api/bounties/b/claim', { key: ada.key })).status).toBe(404)
  })
})

test('X-Forwarded-For of an untrusted address is ignored', async () => {
  const other = await serve({ settings: { ...settings, TRUSTED_PROXIES: '10.0.0.0/8' } })
  for (let n = 0; n < 5; n++) await other.api('GET', '/api/bounties', { headers: from() })
  expectError(await other.api('GET', '/api/bounties', { headers: from() }), 'rate_limited')
})

test('counters whose time is over are purged, others stay', async () => {
  await served.db.deleteFrom('rate_limits').execute()
  const [ada] = [await served.agent(), await register(from())]
  await served.api('POST', '/api/bounties/b/release', { key: ada.key })
  await served.db
    .updateTable('rate_limits')
    .set({ expire: sql<number>`0` })
    .where('key', 'like', 'writes:%')
    .execute()
  await createRateLimits(served.db, served.services.config).purge()
  const keys = (await served.db.selectFrom('rate_limits').select('key').execute()).map(({ key }) => key)
  expect(keys).toEqual([expect.stringMatching(/^registrations:198\.51\.100\./)])
})

test('MERGES_PER_HOUR for one agent, 30 by default; only those that take effect', async () => {
  const { agent } = (await register(from())).body
  const body = { expected_head_sha: 'a'.repeat(40) }
  const { headers } = await served.api('POST', '/api/bounties/b/merge', { key: agent.api_key, body })
  expect(headers.get('ratelimit-policy')).toBe('"merges";q=30;w=3600')
  const other = await serve({ settings: { RATE_LIMITS: 'on', MERGES_PER_HOUR: '1' } })
  const { id, key } = await other.agent()
  const merge = () => other.api('POST', '/api/bounties/b/merge', { key, body })
  // Refused ones do not count.
  expect([(await merge()).status, (await merge()).status]).toEqual([404, 404])
  await other.db.updateTable('rate_limits').set({ points: 1 }).where('key', '=', `merges:${id}`).execute()
  expect([(await merge()).status, (await merge()).status]).toEqual([429, 429])
})

test('refused merges count as writes', async () => {
  const other = await serve({ settings: { RATE_LIMITS: 'on', RATE_LIMIT_WRITES_PER_MINUTE: '2' } })
  const { key } = await other.agent()
  const body = { expected_head_sha: 'a'.repeat(40) }
  const statuses: number[] = []
  for (let sent = 0; sent < 3; sent++)
    statuses.push((await other.api('POST', '/api/bounties/b/merge', { key, body })).status)
  expect(statuses).toEqual([404, 404, 429])
})

describe('claims of agents without standing', () => {
  const newcomersOf = async (limit?: string) => {
    const other = await serve({
      settings: {
        RATE_LIMITS: 'on',
        TRUSTED_PROXIES: '127.0.0.1',
        ...(limit && { RATE_LIMIT_NEWCOMER_CLAIMS_PER_HOUR: limit }),
      },
    })
    const rows = createRows(other.db)
    /** A payout of the agent that buyers stand behind, unless it is not backed. */
    const paid = async ({ id: agent_id }: { id: string }, is_backed = true) => {
      const submission_id = await rows.submission({ agent_id, status: 'approved', reviewed_at: new Date() })
      await rows.payout({ submission_id, status: 'settled', is_backed })
    }
    const claim = async (headers: Record<string, string>, by?: { key: string }, id?: string) => {
      const { key } = by ?? (await other.agent())
      return other.api('POST', `/api/bounties/${id ?? (await rows.bounty())}/claim`, { key, headers })
    }
    return { other, rows, claim, paid }
  }

  test('10 an hour from one address; then 429, but not elsewhere and not for an agent with standing', async () => {
    const { other, claim, paid } = await newcomersOf()
    const ada = from()
    for (let left = 9; left >= 0; left--) {
      const { status, headers } = await claim(ada)
      expect(status).toBe(200)
      expect(headers.get('ratelimit-policy')).toBe('"newcomer_claims";q=10;w=3600')
      expect(headers.get('ratelimit')).toMatch(new RegExp(`^"newcomer_claims";r=${left};t=\\d+$`))
    }
    const refused = await claim(ada)
    expectError(refused, 'rate_limited')
    expect(refused.body.error.message).toMatch(/wait \d+ seconds.* A payout that can be sold ends it\.$/)
    expect(refused.headers.get('ratelimit')).toMatch(/^"newcomer_claims";r=0;t=\d+$/)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3000)
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(3600)
    expect((await claim(from())).status).toBe(200)

    const grace = await other.agent()
    const eve = await other.agent()
    await paid(grace)
    await paid(eve, false)
    const known = await claim(ada, grace)
    expect(known.status).toBe(200)
    expect(known.headers.get('ratelimit-policy')).toBe('"writes";q=120;w=60')
    expectError(await claim(ada, eve), 'rate_limited')
  })

  test('count only if they take effect, and at once no more than the limit do', async () => {
    const { rows, claim } = await newcomersOf('3')
    const ada = from()
    const free = await rows.bounty()
    for (let n = 0; n < 4; n++) expect((await claim(ada, undefined, 'bnt_unknown')).status).toBe(404)
    const race = await Promise.all([1, 2, 3].map(() => claim(ada, undefined, free)))
    expect(race.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    const answers = await Promise.all([1, 2, 3, 4, 5, 6].map(() => claim(ada)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(4)
  })

  test('of one agent on one bounty count once, however often it gives it back', async () => {
    const { other, rows, claim } = await newcomersOf('2')
    const ada = from()
    const eve = await other.agent()
    const id = await rows.bounty()
    for (let n = 0; n < 3; n++) {
      expect((await claim(ada, eve, id)).status).toBe(200)
      expect((await other.api('POST', `/api/bounties/${id}/release`, { key: eve.key })).status).toBe(200)
    }
    expect((await claim(ada, undefined, id)).status).toBe(200)
    expectError(await claim(ada), 'rate_limited')
  })

  test('of an agent with standing count for nobody', async () => {
    const { other, claim, paid } = await newcomersOf('1')
    const ada = from()
    const grace = await other.agent()
    await paid(grace)
    for (let n = 0; n < 3; n++) expect((await claim(ada, grace)).status).toBe(200)
    expect((await claim(ada)).status).toBe(200)
    expectError(await claim(ada), 'rate_limited')
  })

  test('by the tool `claim` count for the address of its caller', async () => {
    const { other, rows, claim } = await newcomersOf('1')
    const ada = from()
    const byTool = async () => {
      const { key } = await other.agent()
      const bounty_id = await rows.bounty()
      return (await connect(other.baseUrl, key, 'modern', ada)).call('claim', { bounty_id })
    }
    expect((await byTool()).isError).toBe(false)
    expect(await byTool()).toMatchObject({
      isError: true,
      body: { error: { code: 'rate_limited', retry_after_seconds: expect.any(Number) } },
    })
    expectError(await claim(ada), 'rate_limited')
    expect((await claim(from())).status).toBe(200)
  })
})

describe('limits are', () => {
  const limited = async (options: Parameters<typeof serve>[0]) => {
    const other = await serve(options)
    const { headers } = await other.api('GET', '/api/bounties')
    const { key } = await other.agent()
    const claimed = await other.api('POST', '/api/bounties/b/claim', { key })
    expect(claimed.headers.has('ratelimit')).toBe(headers.has('ratelimit'))
    return headers.has('ratelimit')
  }
  test('on by default, and off with RATE_LIMITS=off', async () => {
    expect(await limited({ settings: { RATE_LIMITS: '' } })).toBe(true)
    expect(await limited({ settings: { RATE_LIMITS: 'on' } })).toBe(true)
    expect(await limited({ settings: { RATE_LIMITS: 'off' } })).toBe(false)
  })
})

describe('an address counts as', () => {
  test.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::', '2001:db8:1:2::/64'],
    ['fe80::1%eth0', 'fe80::/64'],
    ['::1', '::/64'],
    ['unknown', 'unknown'],
    ['', 'unknown'],
    ['x'.repeat(10_000), 'unknown'],
  ])('%s: %s', (address, counted) => {
    expect(countedAddress(address)).toBe(counted)
  })
})
