import { afterAll, describe, expect, test } from 'vitest'
import { listOperations } from '../../server/http/adapter/operations.ts'
import { router } from '../../server/router.ts'
import type { OperationMeta } from '../../server/trpc.ts'
import { expectError, expectInvalid } from '../support/errors.ts'
import { createTestMarket } from '../support/market.ts'

const market = await createTestMarket()
afterAll(market.close)
const agent = await market.register()
/** The key of an agent that may still call the operation, if it has a limit of its own. */
const keyFor = async ({ rateLimit }: OperationMeta) => (rateLimit ? (await market.register()).key : agent.key)

const operations = listOperations(router).map((operation) => ({
  ...operation,
  address: operation.path.replaceAll(/\{\w+\}/g, 'nothing'),
  writes: operation.method !== 'GET',
}))
const all = operations.map((operation) => [operation.id, operation] as const)
const writing = all.filter(([, { writes }]) => writes)

test('the operations are those of the specification, each at its path', () => {
  expect(
    operations.map(({ id, method, path, meta }) => [id, method, path, meta.access, meta.status]),
  ).toEqual([
    ['agents.register', 'POST', '/api/agents/register', 'public', 201],
    ['agents.me', 'GET', '/api/agents/me', 'agent', 200],
    ['agents.setWallet', 'PATCH', '/api/agents/me/wallet', 'agent', 200],
    ['agents.generateWallet', 'POST', '/api/agents/me/generate-wallet', 'agent', 200],
    ['agents.rotateKey', 'POST', '/api/agents/me/rotate-key', 'agent', 200],
    ['agents.balances', 'GET', '/api/agents/me/balances', 'agent', 200],
    ['agents.exportWallet', 'POST', '/api/agents/me/wallet/export', 'agent', 200],
    ['agents.get', 'GET', '/api/agents/{id}', 'agent', 200],
    ['agents.projects', 'GET', '/api/agents/me/projects', 'agent', 200],
    ['agents.bounties', 'GET', '/api/agents/me/bounties', 'agent', 200],
    ['agents.submissions', 'GET', '/api/agents/me/submissions', 'agent', 200],
    ['agents.tasks', 'GET', '/api/agents/me/tasks', 'agent', 200],
    ['projects.create', 'POST', '/api/projects', 'agent', 201],
    ['projects.list', 'GET', '/api/projects', 'public', 200],
    ['projects.get', 'GET', '/api/projects/{id}', 'public', 200],
    ['projects.activate', 'POST', '/api/projects/{id}/activate', 'agent', 200],
    ['projects.approvalStatus', 'GET', '/api/projects/{id}/approval-status', 'agent', 200],
    ['projects.market', 'GET', '/api/projects/{id}/market', 'agent', 200],
    ['projects.marketHistory', 'GET', '/api/projects/{id}/market/history', 'agent', 200],
    ['projects.funds', 'GET', '/api/projects/{id}/funds', 'agent', 200],
    ['projects.setAllowance', 'POST', '/api/projects/{id}/allowance', 'agent', 201],
    ['projects.setMaintainer', 'POST', '/api/projects/{id}/maintainer', 'agent', 200],
    ['projects.allowance', 'GET', '/api/projects/{id}/allowance', 'agent', 200],
    ['projects.submissions', 'GET', '/api/projects/{id}/submissions', 'agent', 200],
    ['bounties.create', 'POST', '/api/projects/{id}/bounties', 'agent', 201],
    ['bounties.list', 'GET', '/api/bounties', 'public', 200],
    ['bounties.get', 'GET', '/api/bounties/{id}', 'public', 200],
    ['bounties.preflight', 'GET', '/api/bounties/{id}/preflight', 'agent', 200],
    ['bounties.claim', 'POST', '/api/bounties/{id}/claim', 'agent', 200],
    ['bounties.getClaim', 'GET', '/api/bounties/{id}/claim', 'agent', 200],
    ['bounties.getReview', 'GET', '/api/bounties/{id}/review', 'agent', 200],
    ['bounties.timeline', 'GET', '/api/bounties/{id}/timeline', 'agent', 200],
    ['bounties.extend', 'POST', '/api/bounties/{id}/extend', 'agent', 200],
    ['bounties.release', 'POST', '/api/bounties/{id}/release', 'agent', 200],
    ['bounties.submit', 'POST', '/api/bounties/{id}/submit', 'agent', 201],
    ['bounties.approve', 'POST', '/api/bounties/{id}/approve', 'agent', 200],
    ['bounties.reject', 'POST', '/api/bounties/{id}/reject', 'agent', 200],
    ['bounties.requestChanges', 'POST', '/api/bounties/{id}/request-changes', 'agent', 200],
    ['bounties.merge', 'POST', '/api/bounties/{id}/merge', 'agent', 200],
    ['bounties.cancel', 'POST', '/api/bounties/{id}/cancel', 'agent', 200],
    ['submissions.get', 'GET', '/api/submissions/{id}', 'agent', 200],
    ['submissions.pullRequest', 'GET', '/api/submissions/{id}/pull-request', 'agent', 200],
    ['submissions.retract', 'POST', '/api/submissions/{id}/retract', 'agent', 200],
    ['payouts.list', 'GET', '/api/payouts', 'agent', 200],
    ['payouts.weekly', 'GET', '/api/payouts/weekly', 'agent', 200],
    ['payouts.get', 'GET', '/api/submissions/{id}/payout', 'agent', 200],
    ['withdrawals.create', 'POST', '/api/agents/me/withdrawals', 'agent', 201],
    ['withdrawals.list', 'GET', '/api/agents/me/withdrawals', 'agent', 200],
    ['withdrawals.get', 'GET', '/api/agents/me/withdrawals/{id}', 'agent', 200],
    ['names.list', 'GET', '/api/names', 'agent', 200],
    ['activity.list', 'GET', '/api/activity', 'public', 200],
    ['events.list', 'GET', '/api/events', 'agent', 200],
    ['webhooks.create', 'POST', '/api/webhooks', 'agent', 201],
    ['webhooks.list', 'GET', '/api/webhooks', 'agent', 200],
    ['webhooks.get', 'GET', '/api/webhooks/{id}', 'agent', 200],
    ['webhooks.update', 'PATCH', '/api/webhooks/{id}', 'agent', 200],
    ['webhooks.delete', 'DELETE', '/api/webhooks/{id}', 'agent', 200],
    ['webhooks.rotateSecret', 'POST', '/api/webhooks/{id}/rotate-secret', 'agent', 200],
    ['webhooks.test', 'POST', '/api/webhooks/{id}/test', 'agent', 200],
    ['webhooks.deliveries', 'GET', '/api/webhooks/{id}/deliveries', 'agent', 200],
    ['webhooks.redeliver', 'POST', '/api/webhooks/{id}/deliveries/{event_id}/redeliver', 'agent', 200],
    ['webhooks.replay', 'POST', '/api/webhooks/{id}/replay', 'agent', 200],
    ['dashboard.stats', 'GET', '/api/dashboard/stats', 'public', 200],
    ['config.public', 'GET', '/api/config/public', 'public', 200],
  ])
})

describe.each(all)('%s', (_, { method, address, writes, meta }) => {
  test('400 validation_failed for a field it does not know', async () => {
    const answer = writes
      ? await market.api(method, address, { key: await keyFor(meta), body: { surprise: 1 } })
      : await market.api(method, `${address}?surprise=1`, { key: agent.key })
    expectError(answer, 'validation_failed')
    expect(answer.body.error.issues).toContainEqual({ path: 'surprise', message: expect.any(String) })
  })
})

describe.each(writing)('%s', (_, { method, address, meta }) => {
  const send = async (body: string, type = 'application/json') => {
    const headers = { authorization: `Bearer ${await keyFor(meta)}`, 'content-type': type }
    const response = await fetch(market.baseUrl + address, { method, headers, body })
    return { status: response.status, body: await response.json(), headers: response.headers }
  }

  test.each(['{', '[]', '"text"', '12', 'null', '{"name":}'])(
    '400 invalid_json for the body %s',
    async (body) => {
      expectError(await send(body), 'invalid_json')
    },
  )

  test('415 unsupported_media_type for a form', async () => {
    expectError(await send('name=Ada', 'application/x-www-form-urlencoded'), 'unsupported_media_type')
  })

  test('413 payload_too_large beyond 64 KiB', async () => {
    expectError(await send(JSON.stringify({ name: 'x'.repeat(65_536) })), 'payload_too_large')
  })

  test('400 validation_failed for a parameter in the query', async () => {
    expectInvalid(await market.api(method, `${address}?name=Ada`, { key: await keyFor(meta) }), 'name')
  })
})
