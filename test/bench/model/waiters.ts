import { Agent, get } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { newId } from '../../../server/ids.ts'
import type { Caller } from './market.ts'

/** Requests that wait for events. Each is sent again when it was answered. */
export interface Waiters {
  /** Responses so far. */
  readonly responses: number
  close(): void
}

/** Lets each caller wait for events, over and over; `query` is added to each request. */
export async function openWaiters(
  url: string,
  callers: Caller[],
  { waitSeconds, query }: { waitSeconds: number; query: string },
): Promise<Waiters> {
  const sockets = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })
  let responses = 0
  let isClosed = false
  const ask = (key: string, cursor: string, wait: number) => {
    if (isClosed) return
    const path = `${url}/api/events?wait=${wait}${cursor && `&after=${cursor}`}${query}`
    const options = { agent: sockets, headers: { authorization: `Bearer ${key}` } }
    const request = get(path, options, async (response) => {
      let text = ''
      for await (const chunk of response) text += chunk
      if (response.statusCode !== 200) throw new Error(`events: ${response.statusCode} ${text}`)
      responses++
      ask(key, JSON.parse(text).cursor, waitSeconds)
    })
    request.on('error', (error) => {
      if (!isClosed) throw error
    })
  }
  for (const [index, { key }] of callers.entries()) {
    ask(key, '', 0)
    while (index - responses > 50) await delay(5)
  }
  // Until all have their first response and wait.
  while (responses < callers.length) await delay(20)
  await delay(1000)
  return {
    get responses() {
      return responses
    },
    close() {
      isClosed = true
      sockets.destroy()
    },
  }
}

/** Stores an event of nobody who waits, as another process would. */
export async function storeEvent(client: pg.Client): Promise<void> {
  await client.query(
    `/* meter */ with agent as (insert into agents (id, name, key_id, key_hash) values ($1, 'New', $1, '$argon2id$none') returning id)
     insert into activity (id, type, agent_id) values ($2, 'agent.registered', $1)`,
    [newId('agent'), newId('activity')],
  )
}

/** Stores so many events a second for some seconds, at an even pace. */
export async function storeEvents(client: pg.Client, perSecond: number, seconds: number): Promise<void> {
  const started = performance.now()
  for (let stored = 0; stored < perSecond * seconds; stored++) {
    await storeEvent(client)
    await delay(Math.max(0, started + ((stored + 1) * 1000) / perSecond - performance.now()))
  }
}
