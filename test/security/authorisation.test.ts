import { createHmac } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { loadChecksumKey } from '../../server/auth/api-keys.ts'
import { listOperations, type Operation } from '../../server/http/adapter/operations.ts'
import { router } from '../../server/router.ts'
import { expectError } from '../support/errors.ts'
import type { TestAgent } from '../support/scenarios.ts'
import { until } from '../support/until.ts'
import {
  bystander,
  cancelled,
  close,
  market,
  type Prepare,
  type Scene,
  scenes,
} from './authorisation-scenes.ts'
import { missing, others, refusal } from './refusals.ts'

afterAll(close)
const checksumKey = await loadChecksumKey(market.db)

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
  ...[
    undefined,
    '',
    `Basic ${right}`,
    right,
    'Bearer x',
    `Bearer ${unknownKey()}`,
    `Bearer ${await endedKey()}`,
  ],
  ...['Bearer bmk_0000000000000000_0000000000000000000000000000000000000000000'],
  `Bearer ${right.slice(0, -1)}${right.endsWith('0') ? '1' : '0'}`,
].map((authorization) => ({ ...(authorization !== undefined && { authorization }) }))

const known: Record<(typeof others)[number], (scene: Scene) => TestAgent | Promise<TestAgent>> = {
  'another agent': () => market.register(),
  'the claimant': ({ claimant }) => claimant,
  'the founder': ({ founder }) => founder,
}

const send = ({ method }: Operation, { path, body, headers }: Scene, credentials: Record<string, string>) =>
  market.api(method, path, {
    headers: { ...headers, ...credentials },
    ...(body !== undefined && { body }),
  })
const keyOf = ({ key }: TestAgent) => ({ authorization: `Bearer ${key}` })

/** Condition: no relay of an earlier case is still on its way, for the engine would write its end at any moment. */
async function relaysHaveEnded(): Promise<boolean> {
  const running = market.db.selectFrom('relays').select('id').where('status', '=', 'running')
  return (await running.execute()).length === 0
}

/** Everything that writes leave behind, but for what a scene of its own adds. */
async function traces(): Promise<unknown> {
  const { db } = market
  await until(relaysHaveEnded)
  return Promise.all([
    db.selectFrom('agents').selectAll().orderBy('id').execute(),
    db.selectFrom('projects').selectAll().orderBy('id').execute(),
    db.selectFrom('bounties').selectAll().orderBy('id').execute(),
    db.selectFrom('submissions').selectAll().orderBy('id').execute(),
    db.selectFrom('ended_claims').selectAll().orderBy('bounty_id').execute(),
    db.selectFrom('activity').selectAll().orderBy('seq').execute(),
    db.selectFrom('payouts').select('submission_id').orderBy('submission_id').execute(),
    db.selectFrom('relays').select(['id']).orderBy('id').execute(),
    db.selectFrom('activations').select(['project_id', 'status']).orderBy('project_id').execute(),
    db.selectFrom('payments').selectAll().orderBy('tx_hash').execute(),
    db
      .selectFrom('webhooks')
      .select(['id', 'url', 'sealed_secrets', 'disabled_because'])
      .orderBy('id')
      .execute(),
    db.selectFrom('webhook_deliveries').select(['webhook_id', 'event_id']).orderBy('event_id').execute(),
    db.selectFrom('project_maintainers').selectAll().orderBy('project_id').execute(),
    db.selectFrom('pull_requests').select(['url', 'merged']).orderBy('url').execute(),
    db.selectFrom('trades').selectAll().orderBy('tx_hash').execute(),
  ])
}

const operations = listOperations(router)

test('every operation has its scene', () => {
  expect(Object.keys(scenes).sort()).toEqual(operations.map(({ id }) => id).sort())
})

test('the specification decides who is refused', () => {
  const restricted = operations.flatMap(({ id, meta }) => {
    return others.flatMap((who) => {
      const code = refusal(meta.errors, who)
      return code ? [`${id}: ${who} ${code}`] : []
    })
  })
  expect(restricted).toEqual([
    'projects.activate: another agent not_founder',
    'projects.activate: the claimant not_founder',
    'projects.approvalStatus: another agent not_founder',
    'projects.approvalStatus: the claimant not_founder',
    'projects.setAllowance: another agent not_founder',
    'projects.setAllowance: the claimant not_founder',
    'projects.setMaintainer: another agent not_founder',
    'projects.setMaintainer: the claimant not_founder',
    'projects.allowance: another agent not_founder',
    'projects.allowance: the claimant not_founder',
    'projects.submissions: another agent not_founder',
    'projects.submissions: the claimant not_founder',
    'bounties.create: another agent not_founder',
    'bounties.create: the claimant not_founder',
    'bounties.claim: the founder founder_cannot_claim',
    'bounties.extend: another agent not_claimant',
    'bounties.extend: the founder not_claimant',
    'bounties.release: another agent not_claimant',
    'bounties.release: the founder not_claimant',
    'bounties.submit: another agent not_claimant',
    'bounties.submit: the founder not_claimant',
    'bounties.approve: another agent not_founder',
    'bounties.approve: the claimant not_founder',
    'bounties.reject: another agent not_founder',
    'bounties.reject: the claimant not_founder',
    'bounties.requestChanges: another agent not_founder',
    'bounties.requestChanges: the claimant not_founder',
    'bounties.merge: another agent not_founder',
    'bounties.merge: the claimant not_founder',
    'bounties.cancel: another agent not_founder',
    'bounties.cancel: the claimant not_founder',
    'submissions.get: another agent not_participant',
    'submissions.retract: another agent not_contributor',
    'submissions.retract: the founder not_contributor',
    'withdrawals.get: another agent withdrawal_not_found',
    'withdrawals.get: the claimant withdrawal_not_found',
    'withdrawals.get: the founder withdrawal_not_found',
    'webhooks.get: another agent webhook_not_found',
    'webhooks.get: the claimant webhook_not_found',
    'webhooks.get: the founder webhook_not_found',
    'webhooks.update: another agent webhook_not_found',
    'webhooks.update: the claimant webhook_not_found',
    'webhooks.update: the founder webhook_not_found',
    'webhooks.delete: another agent webhook_not_found',
    'webhooks.delete: the claimant webhook_not_found',
    'webhooks.delete: the founder webhook_not_found',
    'webhooks.rotateSecret: another agent webhook_not_found',
    'webhooks.rotateSecret: the claimant webhook_not_found',
    'webhooks.rotateSecret: the founder webhook_not_found',
    'webhooks.test: another agent webhook_not_found',
    'webhooks.test: the claimant webhook_not_found',
    'webhooks.test: the founder webhook_not_found',
    'webhooks.deliveries: another agent webhook_not_found',
    'webhooks.deliveries: the claimant webhook_not_found',
    'webhooks.deliveries: the founder webhook_not_found',
    'webhooks.redeliver: another agent webhook_not_found',
    'webhooks.redeliver: the claimant webhook_not_found',
    'webhooks.redeliver: the founder webhook_not_found',
    'webhooks.replay: another agent webhook_not_found',
    'webhooks.replay: the claimant webhook_not_found',
    'webhooks.replay: the founder webhook_not_found',
  ])
})

/** Calls `refused`, after which everything is as it was. */
async function expectNoTrace(refused: () => Promise<void>): Promise<void> {
  const before = await traces()
  await refused()
  expect(await traces()).toEqual(before)
}

describe.each(operations.map((operation) => [operation.id, operation] as const))('%s', (id, operation) => {
  const prepare = scenes[id] as Prepare
  const { access, errors, status } = operation.meta
  const writes = operation.method !== 'GET'
  const isPublic = access === 'public'
  /** One scene for all who read or are refused, because they change nothing. */
  let shared: Promise<Scene> | undefined
  const sharedScene = () => {
    shared ??= prepare()
    return shared
  }

  if (isPublic)
    test(`${status} whatever the key`, async () => {
      for (const credentials of nobody)
        expect((await send(operation, await sharedScene(), credentials)).status).toBe(status)
    })
  else
    test('401 unauthorized without a valid key, before anything else is checked', async () => {
      const scene = await sharedScene()
      const wrong = writes
        ? { ...scene, body: { unknown: true } }
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

  const refused = others.flatMap((who) => {
    const code = refusal(errors, who)
    return code ? [[who, code] as const] : []
  })
  if (refused.length > 0)
    test(`${refused.map((each) => each.join(': ')).join(', ')}, and nothing has changed`, async () => {
      const scene = await sharedScene()
      await expectNoTrace(async () => {
        for (const [who, code] of refused)
          expectError(await send(operation, scene, keyOf(await known[who](scene))), code)
      })
    })

  const absent = missing(operation.path)
  if (absent)
    test(`404 ${absent.code} for an id that nothing has, and a cancelled bounty's, whoever asks`, async () => {
      const scene = await sharedScene()
      const [present = ''] = /(?<=\/)[a-z]+_\w{20}/.exec(scene.path) ?? []
      await expectNoTrace(async () => {
        for (const agent of [scene.right, bystander]) {
          const ask = (other: string) =>
            send(operation, { ...scene, path: scene.path.replace(present, other) }, keyOf(agent))
          expectError(await ask(absent.id), absent.code)
          if (absent.code !== 'bounty_not_found') continue
          const response = await ask(cancelled.id)
          expectError(response, absent.code)
          expect(response.body.error.message).toContain('cancelled')
        }
      })
    })

  test(`${status} for the right one, and no refusal of others whom the document does not name`, async () => {
    for (const who of others.filter((each) => refusal(errors, each) === undefined)) {
      const scene = await (writes ? prepare() : sharedScene())
      const response = await send(operation, scene, keyOf(await known[who](scene)))
      expect([401, 403, 404], who).not.toContain(response.status)
    }
    const scene = await (writes ? prepare() : sharedScene())
    expect((await send(operation, scene, keyOf(scene.right))).status).toBe(status)
  })
})
