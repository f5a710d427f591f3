import { describe, expect, test } from 'vitest'
import { readConfig } from '../server/config/config.ts'
import type { Context } from '../server/context.ts'
import type { ErrorCode } from '../server/errors.ts'
import { listOperations } from '../server/http/adapter/operations.ts'
import { router } from '../server/router.ts'
import {
  agentProcedure,
  createRouter,
  eventsProcedure,
  publicProcedure,
  readerProcedure,
} from '../server/trpc.ts'

test('an operation that declares the least gets the defaults', () => {
  const least = {
    method: 'GET',
    path: '/api/things',
    summary: 'List things',
    description: 'Newest first.',
  } as const
  const defaults = {
    status: 200,
    errors: [],
    bulkhead: 'default',
    keyOnly: false,
    returnsSecret: false,
    repeatable: false,
    requiresIdempotencyKey: false,
    cacheable: false,
    openapi: least,
  }
  expect(publicProcedure(least)._def.meta).toEqual({ ...defaults, access: 'public' })
  for (const procedure of [agentProcedure, readerProcedure, eventsProcedure])
    expect(procedure(least)._def.meta).toEqual({ ...defaults, access: 'agent' })
})

describe('a reader', () => {
  const seen = createRouter({
    get: readerProcedure({ method: 'GET', path: '/api/things', summary: 'Get', description: 'Get.' }).query(
      ({ ctx: { reader, agent, visitor } }) => ({ reader, agent, visitor }),
    ),
  })
  const read = (by: Partial<Pick<Context, 'agent' | 'visitor'>>) =>
    seen.createCaller({ agent: null, visitor: null, ...by } as Context).get()

  test.each([
    [
      'an agent',
      { agent: { id: 'agent_1' } as Context['agent'] },
      { countedAs: 'agent_1', isVisitor: false },
    ],
    ['a visitor', { visitor: 'visitor 203.0.113.7' }, { countedAs: 'visitor 203.0.113.7', isVisitor: true }],
  ])('is %s, whose handler sees no caller', async (_, by, reader) => {
    expect(await read(by)).toEqual({ reader, agent: null, visitor: null })
  })

  test('is refused as unauthorized without a key if it is no visitor', async () => {
    await expect(read({})).rejects.toMatchObject({ cause: { code: 'unauthorized' } })
  })
})

describe.each(listOperations(router).map(({ id, meta }) => [id, meta] as const))('%s', (_, meta) => {
  const declares = (...codes: ErrorCode[]) => codes.some((code) => meta.errors.includes(code))
  const waits = declares('payout_unconfirmed', 'activation_unconfirmed')
  const waitsForEvents = meta.openapi?.path === '/api/events'
  /** It asks the chain or the code host and does without a response. */
  const doesWithout = /^\/api\/(bounties\/\{id\}\/(preflight|acceptance)|projects\/\{id\}\/repository)$/.test(
    meta.openapi?.path ?? '',
  )
  const { APPROVE_WAIT_SECONDS, ACTIVATE_WAIT_SECONDS } = readConfig({ EMBEDDED: 'auto' })

  test('is in the bulkhead of what it waits for', () => {
    const expected = () => {
      if (declares('payout_unconfirmed')) return 'approvals'
      if (declares('activation_unconfirmed')) return 'activations'
      if (waitsForEvents) return 'waiting'
      if (declares('pull_request_invalid', 'no_progress')) return 'submissions'
      if (doesWithout || declares('chain_unreachable', 'repository_unreachable')) return 'external'
      if (declares('webhook_challenge_failed')) return 'challenge'
      // The secrets of webhooks are sealed, and a plain digest is enough for access tokens.
      return meta.returnsSecret && !declares('webhooks_unavailable', 'token_limit_reached')
        ? 'hashing'
        : 'default'
    }
    expect(meta.bulkhead).toBe(expected())
  })

  test('gives clients a longer timeout than the service waits, and only if the service waits', () => {
    if (waitsForEvents) return expect(meta.clientTimeoutSeconds).toBeGreaterThan(50)
    // A merge looks at the code host before and after.
    if (declares('merge_refused')) return expect(meta.clientTimeoutSeconds).toBeGreaterThan(20 + 2 * 10)
    if (!waits) return expect(meta.clientTimeoutSeconds).toBeUndefined()
    expect(meta.clientTimeoutSeconds).toBeGreaterThan(Math.max(APPROVE_WAIT_SECONDS, ACTIVATE_WAIT_SECONDS))
  })

  test('refuses a weak Idempotency-Key if its response holds a secret, and only then', () => {
    expect(declares('idempotency_key_too_weak')).toBe(meta.returnsSecret)
  })
})
