import { createHmac, randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { loadChecksumKey } from '../../server/auth/api-keys.ts'
import { type ErrorCode, errorCatalog } from '../../server/errors.ts'
import { listOperations, type Operation } from '../../server/http/adapter/operations.ts'
import { router } from '../../server/router.ts'
import { createAgents } from '../support/agents.ts'
import type { ApiResponse } from '../support/api.ts'
import { expectError, expectInvalid } from '../support/errors.ts'
import { createTestMarket } from '../support/market.ts'
import type { TestAgent } from '../support/scenarios.ts'
import { startServer } from '../support/server.ts'
import { lackingFor, missing, others, refusal, unmet } from './support/refusals.ts'
import { refusedValues } from './support/refused-values.ts'
import {
  bystander,
  cancelled,
  market,
  needChain,
  type Prepare,
  type Scene,
  scenes,
} from './support/scenes.ts'
import { expectNoTrace } from './support/traces.ts'

const proposed = await market.proposedProject()
const beside = { sharing: market, engines: false }

/** A process whose code host says this to everything. */
async function refusedWith(status: number, headers: Record<string, string> = {}) {
  const { url: apiUrl } = await startServer((_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end('{"message":"No"}')
  })
  return createTestMarket({ ...beside, sharing: { ...market, github: { ...market.github, apiUrl } } })
}
const incomplete = {
  chain: await createTestMarket({ ...beside, without: ['chain'] }),
  repositories: await createTestMarket({ ...beside, without: ['repositories'] }),
  limited: await refusedWith(429, { 'retry-after': '3600' }),
  unauthorized: await refusedWith(401),
  blocked: await refusedWith(451),
  wallets: await createTestMarket({ ...beside, without: ['wallets'] }),
  node: await createTestMarket({ ...beside, isChainSilent: true }),
}
const checksumKey = await loadChecksumKey(market.db)
const operations = listOperations(router)

/** A key that is right in every way, but whose public part nobody has. */
function unknownKey(): string {
  const body = `bmk_${'x'.repeat(16)}_${'y'.repeat(28)}`
  return body + createHmac('sha256', checksumKey).update(body).digest('hex').slice(0, 16)
}

/** A key that was replaced. */
async function endedKey(): Promise<string> {
  const { key } = await market.register()
  await market.api('POST', '/api/agents/me/rotate-key', { key, body: { overlap_seconds: 0 } })
  return key
}

const { key: right } = await market.register()
/** Credentials of nobody. */
const nobody = [
  undefined,
  '',
  `Basic ${right}`,
  right,
  'Bearer x',
  `Bearer ${unknownKey()}`,
  `Bearer ${await endedKey()}`,
  'Bearer bmk_0000000000000000_0000000000000000000000000000000000000000000',
  `Bearer ${right.slice(0, -1)}${right.endsWith('0') ? '1' : '0'}`,
].map((authorization) => ({ ...(authorization !== undefined && { authorization }) }))

const known: Record<(typeof others)[number], (scene: Scene) => TestAgent> = {
  'another agent': () => bystander,
  'the claimant': ({ claimant }) => claimant,
  'the founder': ({ founder }) => founder,
}

const send = (
  { method }: Operation,
  { path, body, headers }: Scene,
  credentials: Record<string, string>,
  api = market.api,
) => api(method, path, { headers: { ...headers, ...credentials }, ...(body !== undefined && { body }) })
const keyOf = ({ key }: { key: string }) => ({ authorization: `Bearer ${key}` })
const tokens = new Map<string, Promise<ApiResponse>>()
/** An access token of the agent, which has at most ten. */
async function tokenOf({ key }: TestAgent, scope: 'work' | 'read') {
  const made =
    tokens.get(key + scope) ??
    market.api('POST', '/api/agents/me/tokens', { key, body: { scope, label: 'walk' } })
  tokens.set(key + scope, made)
  return { authorization: `Bearer ${(await made).body.secret}` }
}
/** The scene with another id in its path. */
const about = (scene: Scene, id: string) => ({ ...scene, path: scene.path.replace(/[a-z]+_\w{20}/, id) })

/** The operations of the specification. */
const specified = [
  ['agents.register', 'POST', '/api/agents/register', 'public', 201],
  ['agents.me', 'GET', '/api/agents/me', 'agent', 200],
  ['agents.setWallet', 'PATCH', '/api/agents/me/wallet', 'agent', 200],
  ['agents.generateWallet', 'POST', '/api/agents/me/generate-wallet', 'agent', 200],
  ['projects.create', 'POST', '/api/projects', 'agent', 201],
  ['projects.list', 'GET', '/api/projects', 'public', 200],
  ['projects.get', 'GET', '/api/projects/{id}', 'public', 200],
  ['projects.activate', 'POST', '/api/projects/{id}/activate', 'agent', 200],
  ['projects.approvalStatus', 'GET', '/api/projects/{id}/approval-status', 'agent', 200],
  ['bounties.create', 'POST', '/api/projects/{id}/bounties', 'agent', 201],
  ['bounties.list', 'GET', '/api/bounties', 'public', 200],
  ['bounties.get', 'GET', '/api/bounties/{id}', 'public', 200],
  ['bounties.claim', 'POST', '/api/bounties/{id}/claim', 'agent', 200],
  ['bounties.submit', 'POST', '/api/bounties/{id}/submit', 'agent', 201],
  ['bounties.approve', 'POST', '/api/bounties/{id}/approve', 'agent', 200],
  ['bounties.reject', 'POST', '/api/bounties/{id}/reject', 'agent', 200],
  ['activity.list', 'GET', '/api/activity', 'public', 200],
  ['dashboard.stats', 'GET', '/api/dashboard/stats', 'public', 200],
  ['config.public', 'GET', '/api/config/public', 'public', 200],
]

test('those of the specification are at their paths', () => {
  const found = operations.filter(({ id }) => specified.some(([name]) => name === id))
  expect(found.map(({ id, method, path, meta }) => [id, method, path, meta.access, meta.status])).toEqual(
    specified,
  )
})

test('only these need no key', () => {
  const open = operations.filter(({ meta }) => meta.access === 'public')
  expect(open.map(({ id }) => id)).toEqual([
    'agents.register',
    'projects.list',
    'projects.get',
    'bounties.list',
    'bounties.get',
    'activity.list',
    'dashboard.stats',
    'config.public',
  ])
})

/** What no access token may do, because it moves money, ends in a secret, or gives others power over work that is paid. */
const keyOnly = operations.filter(
  ({ meta }) => meta.access === 'agent' && (meta.keyOnly || meta.returnsSecret),
)

test('an access token can neither withdraw nor take over the wallet', () => {
  expect(keyOnly.map(({ id }) => id)).toEqual([
    'agents.setWallet',
    'agents.generateWallet',
    'agents.rotateKey',
    'agents.createToken',
    'agents.tokens',
    'agents.revokeToken',
    'agents.exportWallet',
    'projects.setAllowance',
    'projects.setMaintainer',
    'withdrawals.create',
    'dollars.withdraw',
    'webhooks.create',
    'webhooks.update',
    'webhooks.delete',
    'webhooks.rotateSecret',
  ])
})

test('every operation has its scene', () => {
  expect(Object.keys(scenes).sort()).toEqual(operations.map(({ id }) => id).sort())
})

/** The operations that refuse somebody with each code; whom, `refusal` says. */
const refusing: Partial<Record<ErrorCode, string>> = {
  not_founder: `projects.activate projects.approvalStatus projects.setAllowance projects.setMaintainer projects.setRepository projects.setClaims
    projects.allowance projects.submissions bounties.create bounties.update bounties.dismiss bounties.approve bounties.reject
    bounties.requestChanges bounties.merge bounties.cancel comments.hide comments.setCommenters dollars.lock`,
  founder_cannot_claim: 'bounties.claim',
  not_claimant: 'bounties.extend bounties.release bounties.submit',
  not_participant: 'submissions.get',
  not_contributor: 'submissions.retract',
  token_not_found: 'agents.revokeToken',
  withdrawal_not_found: 'withdrawals.get',
  webhook_not_found: `webhooks.get webhooks.update webhooks.delete webhooks.rotateSecret webhooks.test webhooks.deliveries
    webhooks.redeliver webhooks.replay`,
}

test('the specification decides who is refused', () => {
  const found: Record<string, string[]> = {}
  for (const { id, meta } of operations)
    for (const code of new Set(others.flatMap((who) => refusal(meta.errors, who) ?? [])))
      found[code] = [...(found[code] ?? []), id]
  const expected = Object.entries(refusing).map(([code, ids]) => [code, ids.split(/\s+/)])
  expect(found).toEqual(Object.fromEntries(expected))
})

describe.each(operations.map((operation) => [operation.id, operation] as const))('%s', (id, operation) => {
  const prepare = scenes[id] as Prepare
  const { method, path } = operation
  const { access, errors, rateLimit, status } = operation.meta
  const writes = method !== 'GET'
  /** One scene for all who read or are refused, because they change nothing. */
  let shared: Promise<Scene> | undefined
  const sharedScene = () => {
    shared ??= prepare()
    return shared
  }

  if (access === 'public')
    test(`${status} whatever the key`, async () => {
      for (const credentials of nobody)
        expect((await send(operation, await sharedScene(), credentials)).status).toBe(status)
    })
  else
    test('401 unauthorized without a valid key, before anything else is checked', async () => {
      const scene = await sharedScene()
      const wrong = writes
        ? { ...scene, body: { unknown: 1 } }
        : { ...scene, path: `${scene.path}?unknown=1` }
      await expectNoTrace(async () => {
        for (const credentials of nobody)
          for (const each of [scene, wrong]) {
            const response = await send(operation, each, credentials)
            expectError(response, 'unauthorized')
            expect(response.headers.get('www-authenticate')).toMatch(/^Bearer\b/)
          }
      })
    })

  const isKeyOnly = keyOnly.some((other) => other.id === id)
  const scopes = [
    ...(isKeyOnly ? (['work'] as const) : []),
    ...(isKeyOnly || writes ? (['read'] as const) : []),
  ]
  if (access === 'agent' && scopes.length > 0)
    test(`403 scope_missing for a token of the scope ${scopes.join(' or ')}, and nothing has changed`, async () => {
      const scene = await sharedScene()
      for (const scope of scopes) {
        const credentials = await tokenOf(scene.right, scope)
        await expectNoTrace(async () => {
          const response = await send(operation, scene, credentials)
          expectError(response, 'scope_missing')
          expect(response.body.error.message).toContain(
            isKeyOnly ? 'the API key of the agent' : 'the scope `work`',
          )
        })
      }
    })

  const refused = others.flatMap((who) => {
    const code = refusal(errors, who)
    return code ? [[who, code] as const] : []
  })
  if (refused.length > 0)
    test(`${refused.map((each) => each.join(': ')).join(', ')}, and nothing has changed`, async () => {
      const scene = await sharedScene()
      await expectNoTrace(async () => {
        for (const [who, code] of refused)
          expectError(await send(operation, scene, keyOf(known[who](scene))), code)
      })
    })

  const absent = missing(path)
  if (absent)
    test(`404 ${absent.code} for an id that nothing has, and a cancelled bounty's, whoever asks`, async () => {
      const scene = await sharedScene()
      await expectNoTrace(async () => {
        for (const agent of [scene.right, bystander]) {
          const ask = (other: string) => send(operation, about(scene, other), keyOf(agent))
          expectError(await ask(absent.id), absent.code)
          if (absent.code !== 'bounty_not_found') continue
          const response = await ask(cancelled.id)
          expectError(response, 'bounty_cancelled')
          expect(response.body.error.message).toContain('cancelled')
        }
      })
    })

  if (path.startsWith('/api/projects/{id}') && errors.includes('token_not_deployed'))
    test('400 token_not_deployed while proposed', async () => {
      const response = await send(operation, about(await sharedScene(), proposed.id), keyOf(proposed.founder))
      expectError(response, 'token_not_deployed')
    })

  for (const { part, code } of lackingFor(operation))
    test(`${errorCatalog[code].status} ${code} where ${unmet[part]}, and nothing has changed`, async () => {
      const change = part === 'chain' ? needChain[id] : undefined
      const scene = await (change ? prepare() : sharedScene())
      await change?.(scene)
      await expectNoTrace(async () =>
        expectError(await send(operation, scene, keyOf(scene.right), incomplete[part].api), code),
      )
    })

  /** Sends this text, by an agent that may still call the operation if it has a limit of its own. */
  const sendText = async (body: string, type = 'application/json', query = '') => {
    const { key } = rateLimit ? await market.register() : bystander
    const headers = { authorization: `Bearer ${key}`, 'content-type': type }
    const address = market.baseUrl + path.replaceAll(/\{\w+\}/g, 'nothing') + query
    const response = await fetch(address, { method, headers, ...(writes && { body }) })
    return {
      status: response.status,
      body: (await response.json()) as ApiResponse['body'],
      headers: response.headers,
    }
  }

  test('400 validation_failed for a field it does not know', async () => {
    const response = writes ? await sendText('{"surprise":1}') : await sendText('', undefined, '?surprise=1')
    expectError(response, 'validation_failed')
    expect(response.body.error.issues).toContainEqual({ path: 'surprise', message: expect.any(String) })
    if (writes) expectInvalid(await sendText('{}', undefined, '?name=Ada'), 'name')
  })

  const beyond = refusedValues(operation)
  if (beyond.length > 0)
    test('400 validation_failed for what the document does not allow, and nothing has changed', async () => {
      const scene = await sharedScene()
      // Each request counts where a limit is always on.
      const askers = rateLimit ? await createAgents(market.db, beyond.length) : []
      const accepted: unknown[] = []
      await expectNoTrace(async () => {
        for (const [index, [field, value]] of beyond.entries()) {
          const query = new URLSearchParams(
            [value].flat().map((each) => [field, `${each}`] as [string, string]),
          )
          const wrong = writes
            ? { ...scene, body: { ...(scene.body as object), [field]: value } }
            : { ...scene, path: `${scene.path}?${query}` }
          const { status, body } = await send(operation, wrong, keyOf(askers[index] ?? scene.right))
          const named = body.error?.issues?.map(({ path }: { path: string }) => path.split('.')[0])
          if (status !== 400 || [...new Set(named)].join() !== field)
            accepted.push([field, value, status, named])
        }
      })
      expect(accepted).toEqual([])
    })

  if (writes)
    test('400 invalid_json, 415 unsupported_media_type, 413 payload_too_large', async () => {
      for (const body of ['{', '[]', '"text"', '12', 'null', '{"name":}'])
        expectError(await sendText(body), 'invalid_json')
      expectError(await sendText('name=Ada', 'application/x-www-form-urlencoded'), 'unsupported_media_type')
      expectError(await sendText(JSON.stringify({ name: 'x'.repeat(65_536) })), 'payload_too_large')
    })

  if (errors.includes('idempotency_key_too_weak'))
    test('400 idempotency_key_too_weak for a key that could be guessed', async () => {
      const scene = await sharedScene()
      const weak = { ...keyOf(scene.right), 'idempotency-key': 'x'.repeat(31) }
      await expectNoTrace(async () =>
        expectError(await send(operation, scene, weak), 'idempotency_key_too_weak'),
      )
    })

  test(`${status} for the right one, and no refusal of others whom the document does not name`, async () => {
    for (const who of others.filter((each) => refusal(errors, each) === undefined)) {
      const scene = await (writes ? prepare() : sharedScene())
      const asker = who === 'another agent' ? await market.register() : known[who](scene)
      const response = await send(operation, scene, keyOf(asker))
      expect([401, 403, 404], who).not.toContain(response.status)
    }
    const scene = await (writes ? prepare() : sharedScene())
    const weakest = writes ? 'work' : 'read'
    const credentials = {
      ...(access === 'public' || isKeyOnly ? keyOf(scene.right) : await tokenOf(scene.right, weakest)),
      ...(writes && { 'idempotency-key': randomUUID() }),
    }
    const first = await send(operation, scene, credentials)
    expect(first.status).toBe(status)
    if (!writes) return
    const again = await send(operation, scene, credentials)
    // The response to a repeated withdrawal says what became of it since.
    const { id: made } = first.body.withdrawal ?? {}
    const body =
      id === 'withdrawals.create' || id === 'dollars.withdraw'
        ? { withdrawal: expect.objectContaining({ id: made }) }
        : first.body
    expect([again.status, again.body]).toEqual([status, body])
    expect(again.headers.get('idempotency-replayed')).toBe('true')
  })
})
