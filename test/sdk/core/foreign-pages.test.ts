import { describe, expect, test } from 'vitest'
import { resolve } from '../../../openapi/references.ts'
import { readDocument, readOperations } from '../../../sdk/generate/document.ts'
import { type Event, Marketplace, ServerError } from '../../../sdk/src/index.ts'
import { foreignPages, json, startScriptedServer } from '../support/scripted-server.ts'

/* What is not the service's says nothing about the request: it is an outage, whatever its status. */

const server = await startScriptedServer()
const market = new Marketplace({ baseUrl: server.url, apiKey: 'key' })
const keys = () => new Set(server.received.map(({ headers }) => headers['idempotency-key']))

describe.each(foreignPages)('%s', (_, page) => {
  test('ends no read', async () => {
    server.script(page, page, json(200, { bounty: { id: 'bnt_1' } }))
    expect((await market.bounties.get('bnt_1')).bounty.id).toBe('bnt_1')
  })

  test('loses no write, which is repeated with its key', async () => {
    server.script(page, page, json(200, { bounty: { id: 'bnt_1' } }))
    await market.bounties.claim('bnt_1')
    expect(server.received).toHaveLength(3)
    expect(keys().size).toBe(1)
  })

  test('ends no walk of a list', async () => {
    server.script(page, json(200, { bounties: [] }))
    for await (const bounty of market.bounties.iterate()) throw new Error(bounty.id)
    expect(server.received).toHaveLength(2)
  })

  test('ends no stream, however often it comes', async () => {
    const events = [{ id: 'act_1', type: 'bounty.created' }]
    server.script(...Array<typeof page>(9).fill(page), json(200, { events, cursor: 'act_1' }))
    let event: Event | undefined
    for await (event of market.events.stream({ after: 'act_0' })) break
    expect(event?.id).toBe('act_1')
  })

  test('ends no wait', async () => {
    server.script(...Array<typeof page>(9).fill(page), json(200, { bounty_id: 'bnt_1' }))
    expect(await market.bounties.approveAndWait('bnt_1')).toMatchObject({ bounty_id: 'bnt_1' })
  })

  test('is a ServerError in the end', async () => {
    server.script(page)
    const error = await market
      .with({ maxRetries: 1 })
      .agents.me()
      .catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ServerError)
    expect(error).toMatchObject({ code: 'unexpected_response', retryable: true })
    expect(server.received).toHaveLength(2)
  })
})

test('no 200 of something else passes for a payout', async () => {
  server.script(json(200, { status: 'ok' }), json(200, { bounty_id: 'bnt_1' }))
  expect(await market.bounties.approve('bnt_1')).toMatchObject({ bounty_id: 'bnt_1' })
  expect(server.received).toHaveLength(2)
})

test.each([{ status: 'ok' }, { balance: '1', allowance: '1', committed: '0', available: '1' }, {}])(
  'request() takes the JSON object %j for a success, and sends a write once',
  async (body) => {
    server.script(json(200, body))
    expect(await market.request('POST /api/new')).toEqual(body)
    expect(server.received).toHaveLength(1)
  },
)

test('request() takes no other page for a success, nor an object without the member that is expected', async () => {
  server.script(json(200, []), json(200, { status: 'ok' }), json(200, { queued: 1 }))
  expect(await market.request('POST /api/new', { expects: 'queued' })).toEqual({ queued: 1 })
  expect(server.received).toHaveLength(3)
})

test.each(foreignPages)('%s passes for no step of a task', async (_, page) => {
  server.script(page, json(200, { bounty_id: 'bnt_1', status: 'open' }))
  const path = '/api/bounties/bnt_1/release'
  const sent = { operation: 'bounties.release', method: 'POST', path, body: {}, missing: [] } as const
  const task = { request: { action: 'release' as const, ...sent, missing: [] }, choices: [] }
  expect(await market.perform(task)).toMatchObject({ bounty_id: 'bnt_1' })
  expect(server.received).toHaveLength(2)
})

const document = readDocument()

test.each(readOperations(document).map((operation) => [operation.id, operation] as const))(
  'what %s responds passes for a success, with no more than its required members',
  async (_, { resource, method, ids, response }) => {
    const { properties = {}, required = [] } = document.components.schemas[response] ?? {}
    const values: Record<string, unknown> = { array: [], object: {}, integer: 1, boolean: true }
    const memberOf = (name: string) => values[String(resolve(document, properties[name] ?? {}).type)] ?? 'x'
    const body = Object.fromEntries(required.map((name) => [name, memberOf(name)]))
    server.script(json(200, body))
    const resources = market.with({ maxRetries: 0 }) as unknown as Record<string, Record<string, Call>>
    expect(await resources[resource]?.[method]?.(...ids.map(() => 'x'))).toEqual(body)
  },
)

type Call = (...ids: string[]) => Promise<unknown>
