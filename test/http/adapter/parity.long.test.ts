import { createOpenApiNodeHttpHandler } from 'trpc-to-openapi'
import { expect, test } from 'vitest'
import { createContext } from '../../../server/context.ts'
import { digestOfKey } from '../../../server/crypto/sealed-response.ts'
import { listOperations, type Operation } from '../../../server/http/adapter/operations.ts'
import { idPrefixes } from '../../../server/ids.ts'
import { router } from '../../../server/router.ts'
import { market, type Prepare, type Scene, scenes } from '../../api/support/scenes.ts'
import { type Api, createApi } from '../../support/api.ts'
import { startServer } from '../../support/server.ts'

// The stock handler changes the shared schemas, so nothing else may be tested in this process.
const operations = listOperations(router).map((operation) => [operation.id, operation] as const)
const statuses = new Map(operations.map(([id, { meta }]) => [id, meta.status]))

/** trpc-to-openapi's own handler on the same router and the same parts. */
const stock = await startServer(
  createOpenApiNodeHttpHandler({
    router: router as never,
    responseMeta: ({ paths, errors }: { paths?: readonly string[]; errors: unknown[] }) =>
      errors.length > 0 ? {} : { status: statuses.get(paths?.[0] ?? '') },
    createContext: async ({ req }: { req: { headers: Record<string, string | undefined> } }) => {
      const { services } = market
      const { authorization, 'idempotency-key': key } = req.headers
      const request = {
        services,
        requestId: 'req_parity',
        log: services.log,
        agent: authorization ? await services.apiKeys.authenticate(services.reads, authorization) : null,
        signal: new AbortController().signal,
      }
      if (!key) return createContext(request)
      const idempotent = { keyDigest: digestOfKey('', key), resume: null, storeResume: async () => undefined }
      return createContext(request, { idempotent, store: async () => undefined })
    },
  } as never),
)
const theirs = createApi(stock.url)
const ours = market.api

const ids = new RegExp(`(${Object.values(idPrefixes).join('|')})[0-9a-z]{20}`, 'g')

/** Masks what differs between two runs of the same scenario: ids, addresses, hashes, keys and times. */
function masked(body: unknown): unknown {
  const text = JSON.stringify(body)
    .replace(/bm[kt]_\w+/g, '<key>')
    .replace(/whsec_[\w+/=]+/g, '<secret>')
    .replace(ids, '<$1>')
    .replace(/0x[0-9a-fA-F]{64}/g, '<hash>')
    .replace(/0x[0-9a-fA-F]{40}/g, '<address>')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replace(/-[0-9a-z]{8}(?=["/])/g, '-<suffix>')
    .replace(/pull\/\d+/g, 'pull/<n>')
    .replace(/"(ciphertext|encapsulated_key)":"[\w+/=]+"/g, '"$1":"<base64>"')
  return JSON.parse(text)
}

/** Sends what a scene prepares for its right agent; the stock handler wants a body with every write. */
function send(by: Api, { method, meta }: Operation, { path, body, headers, right }: Scene) {
  const key = meta.access === 'public' ? undefined : right.key
  const sent = method === 'POST' || method === 'PUT' || method === 'PATCH' ? { body: body ?? {} } : {}
  return by(method, path, { ...(key && { key }), ...(headers && { headers }), ...sent })
}

/** Queries with which reads are asked too: every kind of parameter, and several at once. */
const queries: Record<string, string> = {
  'agents.projects': '?limit=1',
  'agents.bounties': '?status=in_review',
  'agents.submissions': '?status=approved',
  'agents.tasks': '?limit=1',
  'projects.submissions': '?limit=1',
  'projects.list': '?status=active&q=calc&limit=1&offset=0',
  'projects.market': '?sell=2.5',
  'payouts.list': '?limit=3',
  'withdrawals.list': '?limit=1',
  'bounties.list': '?status=in_review&difficulty=medium&q=div&limit=100',
  'bounties.timeline': '?limit=2',
  'activity.list': '?limit=2',
  'events.list': '?after=0&limit=2',
  'webhooks.deliveries': '?limit=1',
}

test.each(operations.filter(([, { method }]) => method === 'GET'))(
  '%s returns the same bytes',
  async (id, operation) => {
    const scene = await (scenes[id] as Prepare)()
    for (const query of new Set(['', queries[id] ?? ''])) {
      const asked = { ...scene, path: scene.path + query }
      const read = async (by: Api) => {
        const { status, body } = await send(by, operation, asked)
        expect(status).toBe(200)
        return JSON.stringify(body)
      }
      let one = await read(ours)
      let other = await read(theirs)
      // What is on its way moves between two reads.
      for (let next = await read(ours); next !== one; next = await read(ours))
        [one, other] = [next, await read(theirs)]
      expect(one).toBe(other)
    }
  },
)

test.each(operations.filter(([, { method }]) => method !== 'GET'))(
  '%s returns the same, except ids, addresses and times',
  async (id, operation) => {
    const prepare = scenes[id] as Prepare
    const one = await send(ours, operation, await prepare())
    const other = await send(theirs, operation, await prepare())
    expect([one.status, other.status]).toEqual([operation.meta.status, operation.meta.status])
    expect(masked(one.body)).toEqual(masked(other.body))
  },
)
