import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import type { ErrorCode } from '../../../server/errors.ts'
import { createRouter, operation, publicProcedure } from '../../../server/trpc.ts'
import { expectError } from '../../support/errors.ts'
import { until } from '../../support/until.ts'
import { serve } from '../serve.ts'

/** Operations of every lane, which go on when the test lets them. */
async function held() {
  const reached: string[] = []
  let open = () => {}
  const opened = new Promise<void>((done) => {
    open = done
  })
  const holding = (name: string, errors: ErrorCode[], returnsSecret = false) =>
    publicProcedure
      .meta(
        operation({
          method: 'POST',
          path: `/api/${name}`,
          resource: 'config',
          access: 'public',
          summary: 'Wait',
          description: 'Wait.',
          errors,
          returnsSecret,
        }),
      )
      .input(z.strictObject({}))
      .output(z.object({ done: z.boolean() }))
      .mutation(async () => {
        reached.push(name)
        await opened
        return { done: true }
      })
  const operations = createRouter({
    own: holding('own', []),
    approve: holding('approve', ['payout_unconfirmed', 'chain_unreachable']),
    submit: holding('submit', ['repository_unreachable']),
    register: holding('register', [], true),
  })
  const shed: string[] = []
  const settings = { MAX_REQUESTS_IN_FLIGHT: '2' }
  const served = await serve({ operations, settings, onShed: (operation) => shed.push(operation) })
  const post = (name: string) => served.api('POST', `/api/${name}`, { body: {} })
  /** Requests that have arrived and wait their turn are seen by nobody; one after the other they are there in order. */
  async function fill(name: string, places: number) {
    const answers: ReturnType<typeof post>[] = []
    for (let place = 0; place < places; place++) {
      const arrived = once(served.app.server, 'request')
      answers.push(post(name))
      await arrived
    }
    await until(() => reached.filter((each) => each === name).length === Math.min(places, 2))
    // An answer comes after everything that arrived before has been looked at.
    await served.api('GET', '/healthz')
    return answers
  }
  return { served, reached, shed, post, fill, open }
}

afterEach(() => vi.restoreAllMocks())

test('503 overloaded with Retry-After beyond those served and those that wait; all of these are answered', async () => {
  const { served, reached, shed, post, fill, open } = await held()
  const accepted = await fill('own', 6)
  const refused = await post('own')
  expectError(refused, 'overloaded')
  expect(refused.headers.get('retry-after')).toBe('1')
  expect({ reached, shed }).toEqual({ reached: ['own', 'own'], shed: ['own'] })
  open()
  expect((await Promise.all(accepted)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200])
  expect((await post('own')).status).toBe(200)
  expect(served.lines.filter((line) => line.includes('shedding load'))).toHaveLength(1)
  await served.close()
})

test('health is answered while everything else is shed', async () => {
  const { served, fill, post, open } = await held()
  const accepted = await fill('own', 6)
  expectError(await post('own'), 'overloaded')
  expect((await served.api('GET', '/healthz')).status).toBe(200)
  expect((await served.api('GET', '/readyz')).status).toBe(200)
  open()
  await Promise.all(accepted)
  await served.close()
})

test('what waits for the chain, asks others or hashes keys takes nobody else a place', async () => {
  const { served, reached, fill, post, open } = await held()
  const waiting = await fill('approve', 2)
  const refused = await post('approve')
  expectError(refused, 'overloaded')
  expect(refused.headers.get('retry-after')).toBe('5')
  const others = [...(await fill('submit', 2)), ...(await fill('register', 2)), ...(await fill('own', 2))]
  expect(reached).toEqual(['approve', 'submit', 'register', 'own'].flatMap((name) => [name, name]))
  open()
  for (const { status } of await Promise.all([...waiting, ...others])) expect(status).toBe(200)
  await served.close()
})

test('503 overloaded once the first in the queue has waited too long', async () => {
  const { served, fill, post, open } = await held()
  const accepted = await fill('own', 3)
  const now = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => now() + 2001)
  expectError(await post('own'), 'overloaded')
  open()
  for (const { status } of await Promise.all(accepted)) expect(status).toBe(200)
  expect((await post('own')).status).toBe(200)
  await served.close()
})

test('a request whose client has gone before its turn is not served', async () => {
  const { served, reached, fill, open } = await held()
  const accepted = await fill('own', 2)
  const socket = connect(served.port, '127.0.0.1')
  const arrived = once(served.app.server, 'request')
  socket.write('POST /api/own HTTP/1.1\r\nHost: x\r\n\r\n')
  const [request] = await arrived
  await served.api('GET', '/healthz')
  socket.destroy()
  await until(() => request.socket.destroyed)
  open()
  await Promise.all(accepted)
  await served.close()
  expect(reached).toEqual(['own', 'own'])
})
