import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { createRouter, publicProcedure } from '../../server/trpc.ts'
import { until } from '../support/until.ts'
import { serve } from './serve.ts'

const read = (path: `/api/${string}`) =>
  publicProcedure({ method: 'GET', path, summary: 'Wait', description: 'Wait.' })

/** Two operations that the test holds open: one heeds the signal, one does not. */
function waiting() {
  let open = () => {}
  const opened = new Promise<void>((done) => {
    open = done
  })
  const reached: string[] = []
  const operations = createRouter({
    slow: read('/api/slow')
      .output(z.object({ done: z.boolean() }))
      .query(async () => {
        reached.push('slow')
        await opened
        return { done: true }
      }),
    patient: read('/api/patient')
      .output(z.object({ aborted: z.boolean() }))
      .query(async ({ ctx }) => {
        reached.push('patient')
        if (!ctx.signal.aborted) await once(ctx.signal, 'abort')
        reached.push('aborted')
        return { aborted: ctx.signal.aborted }
      }),
  })
  return { operations, open: () => open(), reached }
}

test('closing completes every accepted request and accepts no new connection', async () => {
  const { operations, open, reached } = waiting()
  const served = await serve({ operations })
  const keepAlive = new Agent({ keepAlive: true })
  const get = (path: string) =>
    new Promise<{ status: number | undefined; connection: string | undefined; text: string }>(
      (resolve, reject) => {
        request({ port: served.port, path, agent: keepAlive }, async (response) => {
          let text = ''
          for await (const chunk of response) text += chunk
          resolve({ status: response.statusCode, connection: response.headers.connection, text })
        })
          .on('error', reject)
          .end()
      },
    )
  const running = Array.from({ length: 20 }, () => get('/api/slow'))
  await until(() => reached.length === 20)
  const closed = served.close()
  await until(() => !served.app.server.listening)
  await expect(fetch(`${served.baseUrl}/healthz`)).rejects.toThrow()
  open()
  for (const answer of await Promise.all(running))
    expect(answer).toEqual({ status: 200, connection: 'close', text: '{"done":true}' })
  await closed
  keepAlive.destroy()
})

test('closing ends the waiting of requests that wait for something which goes on without them', async () => {
  const { operations, reached } = waiting()
  const served = await serve({ operations })
  const answer = served.api('GET', '/api/patient')
  await until(() => reached.includes('patient'))
  await served.close()
  expect(await answer).toMatchObject({ status: 200, body: { aborted: true } })
})

test('idle connections do not hold the server open', async () => {
  const served = await serve()
  const idle = connect(served.port, '127.0.0.1')
  idle.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
  await once(idle, 'data')
  await served.close()
  if (!idle.closed) await once(idle, 'close')
})

test('pipelined requests that wait for another response end when their connection is lost', async () => {
  const { operations, open, reached } = waiting()
  const served = await serve({ operations })
  const socket = connect(served.port, '127.0.0.1')
  const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`
  socket.write(get('/api/slow') + get('/api/patient'))
  await until(() => reached.includes('slow') && reached.includes('patient'))
  socket.resetAndDestroy()
  await until(() => reached.includes('aborted'))
  open()
  await served.close()
})

test('a client that goes away aborts its signal and nothing else', async () => {
  const { operations, reached } = waiting()
  const served = await serve({ operations })
  const client = new AbortController()
  const gone = fetch(`${served.baseUrl}/api/patient`, { signal: client.signal }).catch(() => 'gone')
  await until(() => reached.includes('patient'))
  client.abort()
  expect(await gone).toBe('gone')
  await until(() => reached.includes('aborted'))
  expect((await served.api('GET', '/healthz')).status).toBe(200)
  await served.close()
})
