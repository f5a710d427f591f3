import { TRPCError } from '@trpc/server'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ServiceError } from '../../../server/errors.ts'
import { toServiceError } from '../../../server/http/errors/service-error.ts'
import { createTestDatabase } from '../../support/database.ts'
import { expectError } from '../../support/errors.ts'
import { sampleOperations } from '../sample-operations.ts'
import { serve } from '../serve.ts'

const served = await serve({ operations: sampleOperations })

const loggedFor = (requestId: string) =>
  served.lines.map((line) => JSON.parse(line)).filter((entry) => entry.request_id === requestId)

describe('500 internal_error', () => {
  test('if a response violates its schema, which is logged', async () => {
    const answer = await served.api('GET', '/api/broken/promise')
    expectError(answer, 'internal_error')
    const [failure] = loggedFor(answer.body.error.request_id)
    expect(failure).toMatchObject({ level: 50, code: 'internal_error', error: { type: 'ZodError' } })
  })

  test('for an unexpected error, which is logged with its frames and returned without its message', async () => {
    const answer = await served.api('GET', '/api/broken/crash?secret=hunter2')
    expectError(answer, 'internal_error')
    expect(JSON.stringify(answer.body)).not.toMatch(/hunter2|password|at /)
    const [failure] = loggedFor(answer.body.error.request_id)
    expect(failure).toMatchObject({
      level: 50,
      error: { type: 'Error', stack: expect.stringContaining('sample-operations.ts') },
    })
  })

  test('and the log holds neither keys, addresses nor query strings', async () => {
    await served.api('GET', '/api/broken/crash?secret=correcthorse', { key: 'bmk_batterystaple' })
    expect(served.lines.join('')).not.toMatch(/correcthorse|batterystaple|node\.example|user:pass/)
  })
})

test('503 of an operation carries Retry-After in whole seconds', async () => {
  const answer = await served.api('GET', '/api/broken/payout')
  expectError(answer, 'payouts_disabled')
  expect(answer.headers.get('retry-after')).toBe('13')
})

test('503 unavailable while the database is gone', async () => {
  const database = await createTestDatabase()
  const other = await serve({ database })
  await database.drop()
  const answer = await other.api('GET', '/api/bounties')
  expectError(answer, 'unavailable')
  expect(answer.headers.get('retry-after')).toBe('1')
  expectError(await other.api('GET', '/readyz'), 'unavailable')
  expect((await other.api('GET', '/healthz')).status).toBe(200)
  await other.close()
})

describe('the mapper', () => {
  const code = (thrown: unknown) => toServiceError(thrown).code
  const database = (state: string) => Object.assign(new pg.DatabaseError('x', 1, 'error'), { code: state })
  const failed = (message: string, fields = {}) => Object.assign(new Error(message), fields)

  test('passes a service error on, also one that a procedure wrapped', () => {
    const error = new ServiceError('bounty_not_open')
    expect(toServiceError(error)).toBe(error)
    expect(toServiceError(new TRPCError({ code: 'INTERNAL_SERVER_ERROR', cause: error }))).toBe(error)
  })

  test('validation_failed only for what the input step refuses', () => {
    const cause = z.string().safeParse(1).error
    expect(code(new TRPCError({ code: 'BAD_REQUEST', cause }))).toBe('validation_failed')
    expect(code(new TRPCError({ code: 'INTERNAL_SERVER_ERROR', cause }))).toBe('internal_error')
    expect(code(cause)).toBe('internal_error')
  })

  test.each([
    ['a refused connection', failed('connect ECONNREFUSED', { code: 'ECONNREFUSED' })],
    ['a broken connection', failed('Connection terminated unexpectedly')],
    ['a connection that takes too long', failed('timeout exceeded when trying to connect')],
    ['too many connections', database('53300')],
    ['a server that stops', database('57P01')],
    ['a cancelled statement', database('57014')],
    ['a deadlock after all attempts', database('40P01')],
    ['a read-only minute', database('25006')],
    ['a lock that was not given', database('55P03')],
  ])('unavailable for %s', (_name, error) => {
    expect(code(error)).toBe('unavailable')
  })

  test.each([
    ['a unique violation nobody caught', database('23505')],
    ['a missing table', database('42P01')],
    ['undefined', undefined],
    ['a string', 'payouts_disabled'],
    ['an object that looks like one of ours', { code: 'bounty_not_open', status: 409 }],
  ])('internal_error for %s', (_name, error) => {
    expect(code(error)).toBe('internal_error')
  })

  test('validation_failed for text that no column can hold', () => {
    expect(code(database('22021'))).toBe('validation_failed')
  })
})
