import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { createRouter, publicProcedure } from '../../server/trpc.ts'
import { createTestDatabase } from '../support/database.ts'
import { until } from '../support/until.ts'
import { type Served, serve } from './serve.ts'

const served = await serve()

/** The access log so far: path, status and level of each request. */
const logged = ({ lines }: Served) =>
  lines
    .map((line) => JSON.parse(line))
    .filter(({ msg }) => msg === 'request')
    .map(({ path, status, level }) => ({ path, status, level: { 20: 'debug', 30: 'info' }[level as number] }))

test('checks of the health that succeed are logged at debug, and all else at info', async () => {
  for (const path of ['/healthz', '/readyz', '/api/bounties', '/healthz/none']) await served.api('GET', path)
  // A line is written once its response has been sent.
  await until(() => logged(served).length >= 4)
  expect(logged(served)).toEqual([
    { path: '/healthz', status: 200, level: 'debug' },
    { path: '/readyz', status: 200, level: 'debug' },
    { path: '/api/bounties', status: 200, level: 'info' },
    { path: '/healthz/none', status: 404, level: 'info' },
  ])
})

test('a server that is not ready says so at info', async () => {
  const database = await createTestDatabase()
  const other = await serve({ database })
  await database.drop()
  await other.api('GET', '/readyz')
  await until(() => logged(other).length > 0)
  expect(logged(other)).toEqual([{ path: '/readyz', status: 503, level: 'info' }])
  await other.close()
})

test('a request whose client gives up is logged once, with the time that the client waited', async () => {
  let reached = false
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  const wait = publicProcedure({
    method: 'GET',
    path: '/api/wait',
    summary: 'Wait',
    description: 'Wait.',
  })
    .input(z.strictObject({}))
    .output(z.object({}))
    .query(async () => {
      reached = true
      await ended
      return {}
    })
  const other = await serve({ operations: createRouter({ wait }) })
  onTestFinished(other.close)
  const client = new AbortController()
  const response = fetch(`${other.baseUrl}/api/wait`, { signal: client.signal })
  await until(() => reached)
  client.abort()
  await expect(response).rejects.toThrow()
  await until(() => logged(other).length > 0)
  end()
  await other.api('GET', '/healthz')
  await until(() => logged(other).length > 1)
  expect(logged(other)).toEqual([
    { path: '/api/wait', status: 499, level: 'info' },
    { path: '/healthz', status: 200, level: 'debug' },
  ])
  const [line = '{}'] = other.lines.filter((each) => each.includes('/api/wait'))
  expect(JSON.parse(line)).toEqual(expect.objectContaining({ operation: 'wait', ms: expect.any(Number) }))
})
