import { createHmac } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { loadChecksumKey } from '../../server/auth/api-keys.ts'
import type { ErrorCode } from '../../server/errors.ts'
import { listOperations, type Operation } from '../../server/http/adapter/operations.ts'
import { router } from '../../server/router.ts'
import { expectError } from '../support/errors.ts'
import type { TestAgent } from '../support/scenarios.ts'
import { until } from '../support/until.ts'
import { close, market, type Prepare, type Scene, scenes } from './authorisation-scenes.ts'

afterAll(close)
const checksumKey = await loadChecksumKey(market.db)

/** A key that is right in every way, but whose public part nobody has. */
function unknownKey(): string {
  const body = `bmk_${'x'.repeat(16)}_${'y'.repeat(28)}`
  return body + createHmac('sha256', checksumKey).update(body).digest('hex').slice(0, 16)
}

let ended: Promise<string> | undefined
/** A key that was replaced. */
async function endedKey(): Promise<string> {
  const { key } = await market.register()
  await market.api('POST', '/api/agents/me/rotate-key', { key, body: { overlap_seconds: 0 } })
  return key
}

const strangers: Record<string, () => string | Promise<string> | undefined> = {
  'no key': () => undefined,
  'a malformed key': () => 'bmk_not-a-key',
  'an unknown key': unknownKey,
  'a replaced key': () => {
    ended ??= endedKey()
    return ended
  },
}

const known: Record<string, (scene: Scene) => TestAgent | Promise<TestAgent>> = {
  'another agent': () => market.register(),
  'the claimant': ({ claimant }) => claimant,
  'the founder': ({ founder }) => founder,
}

/** Whom the document refuses with 403, by the codes it lists. */
function refusal(errors: readonly ErrorCode[], who: string): ErrorCode | undefined {
  if (errors.includes('not_founder') && who !== 'the founder') return 'not_founder'
  if (errors.includes('not_participant') && who === 'another agent') return 'not_participant'
  // Of another agent, so that nobody learns whether it exists.
  if (errors.includes('withdrawal_not_found')) return 'withdrawal_not_found'
  if (errors.includes('webhook_not_found')) return 'webhook_not_found'
  if (errors.includes('not_contributor') && who !== 'the claimant') return 'not_contributor'
  if (errors.includes('not_claimant') && who !== 'the claimant') return 'not_claimant'
  if (errors.includes('founder_cannot_claim') && who === 'the founder') return 'founder_cannot_claim'
  return undefined
}

const send = ({ method }: Operation, { path, body, headers }: Scene, key: string | undefined) =>
  market.api(method, path, {
    ...(key !== undefined && { key }),
    ...(body !== undefined && { body }),
    ...(headers && { headers }),
  })

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
    return Object.keys(known).flatMap((who) => {
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

describe.each(operations.map((operation) => [operation.id, operation] as const))('%s', (id, operation) => {
  const prepare = scenes[id] as Prepare
  const { access, errors, status } = operation.meta
  const isPublic = access === 'public'
  let shared: Promise<Scene> | undefined
  /** One scene for all who read or are refused, because they change nothing; a scene of its own for who writes. */
  const sceneFor = ({ changes }: { changes: boolean }) => {
    if (changes && operation.method !== 'GET') return prepare()
    shared ??= prepare()
    return shared
  }

  test.each(Object.entries(strangers))(
    isPublic ? `${status} with %s` : '401 unauthorized with %s, and nothing has changed',
    async (_, keyOf) => {
      const [scene, key] = [await sceneFor({ changes: isPublic }), await keyOf()]
      const before = await traces()
      const answer = await send(operation, scene, key)
      if (isPublic) return expect(answer.status).toBe(status)
      expectError(answer, 'unauthorized')
      expect(await traces()).toEqual(before)
    },
  )

  test.each(Object.entries(known))('%s gets what the document says', async (who, agentOf) => {
    const code = refusal(errors, who)
    const scene = await sceneFor({ changes: !code })
    const { key } = await agentOf(scene)
    const before = await traces()
    const answer = await send(operation, scene, key)
    if (!code) return expect([401, 403, 404]).not.toContain(answer.status)
    expectError(answer, code)
    expect(await traces()).toEqual(before)
  })

  test(`${status} for the right one`, async () => {
    const scene = await prepare()
    expect((await send(operation, scene, scene.right.key)).status).toBe(status)
  })
})
