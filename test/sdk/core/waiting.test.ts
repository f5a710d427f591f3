import { describe, expect, test } from 'vitest'
import { type ClientOptions, Marketplace, NotConfirmedError, TimeoutError } from '../../../sdk/src/index.ts'
import {
  anything,
  failure,
  hangUp,
  json,
  neverResponds,
  type Step,
  startScriptedServer,
} from '../support/scripted-server.ts'

const server = await startScriptedServer()

const gateway: Step = (response) =>
  response.writeHead(502, { 'retry-after': '0' }).end('<html>Bad Gateway</html>')
const outage = [gateway, hangUp, gateway, gateway, gateway, gateway]
/** A client whose calls give up at once, so that whatever goes on is the wait. */
const client = (options: Partial<ClientOptions> = {}) =>
  new Marketplace({ baseUrl: server.url, apiKey: 'key', maxRetries: 0, ...options })
const keys = () => new Set(server.received.map(({ headers }) => headers['idempotency-key']))
const withdrawal = (status: string) => json(200, { withdrawal: { id: 'wd_1', status, error: null } })
const created_at = '2026-01-01T00:00:00.000Z'
const withdraw = { project_id: 'proj_1', amount: 'all', to: '0x1', as: 'tokens' } as const

describe('an outage behind a gateway is outlasted by', () => {
  test('claimNext, with one key for the claim', async () => {
    const bounty = { id: 'bnt_1', project_id: 'proj_1', created_at }
    server.script(...outage, json(200, { bounties: [bounty] }), ...outage, json(200, { bounty }))
    expect(await client().bounties.claimNext()).toEqual(bounty)
    const claims = server.received.filter(({ method }) => method === 'POST')
    expect(claims).toHaveLength(outage.length + 1)
    expect(new Set(claims.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
  })

  test('nextSubmission', async () => {
    server.script(...outage, json(200, { submissions: [{ id: 'sub_1' }] }))
    expect((await client().projects.nextSubmission('proj_1')).id).toBe('sub_1')
  })

  test('waitForReview', async () => {
    server.script(...outage, json(200, { submission: { id: 'sub_1', status: 'approved' } }))
    expect((await client().submissions.waitForReview('sub_1')).status).toBe('approved')
  })

  test('withdrawAndWait, under one Idempotency-Key', async () => {
    server.script(...outage, withdrawal('confirmed'))
    await client().withdrawals.withdrawAndWait(withdraw)
    expect(keys().size).toBe(1)
  })
})

test('claimNext passes over a bounty that was cancelled, and its options go along with every request', async () => {
  const bounties = ['bnt_1', 'bnt_2'].map((id) => ({ id, project_id: 'proj_1', created_at }))
  server.script(json(200, { bounties }), failure(404, 'bounty_cancelled'), json(200, anything))
  const { id } = await client().bounties.claimNext({}, { apiKey: 'other', headers: { 'x-own': 'yes' } })
  expect(id).toBe('bnt_2')
  for (const { headers } of server.received)
    expect(headers).toMatchObject({ authorization: 'Bearer other', 'x-own': 'yes' })
  expect(server.received).toHaveLength(3)
})

test('what a repetition cannot mend is thrown at once', async () => {
  server.script(failure(401, 'unauthorized'))
  await expect(client().bounties.claimNext()).rejects.toMatchObject({ code: 'unauthorized' })
  await expect(client().submissions.waitForReview('sub_1')).rejects.toMatchObject({ code: 'unauthorized' })
  expect(server.received).toHaveLength(2)
})

describe('waitMs limits the whole wait', () => {
  test.each<[string, (market: Marketplace) => Promise<unknown>]>([
    ['approveAndWait', ({ bounties }) => bounties.approveAndWait('bnt_1', {}, { waitMs: 1 })],
    ['waitForReview', ({ submissions }) => submissions.waitForReview('sub_1', { waitMs: 1 })],
    ['claimNext', ({ bounties }) => bounties.claimNext({}, { waitMs: 1 })],
  ])('%s ends although the service never responds', async (_, wait) => {
    await expect(wait(client({ fetch: neverResponds, maxRetries: 3 }))).rejects.toThrow(TimeoutError)
  })

  test('what was started and is not confirmed when the service is gone is told as such', async () => {
    server.script(withdrawal('sent'), hangUp)
    const waiting = client().withdrawals.withdrawAndWait(withdraw, { waitMs: 1_500 })
    await expect(waiting).rejects.toMatchObject({ name: NotConfirmedError.name, id: 'wd_1', status: 'sent' })
  })

  test('it must be a number', async () => {
    const waiting = client().bounties.claimNext({}, { waitMs: Number.NaN })
    await expect(waiting).rejects.toThrow('waitMs must be a number of at least 0')
  })
})
