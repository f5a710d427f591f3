import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { Random } from '../seeding/random.ts'
import { nextArrival } from './kernel.ts'

/** A request that is sent again and again. */
export interface Poll {
  path: string
  key?: string
}

/** Sends requests at random moments until it is stopped. */
export interface Poller {
  readonly responses: number
  stop(): Promise<void>
}

/** Sends `perSecond` requests a second, each chosen by `choose`, with the ETag of the last response to its address. */
export function startPoller(
  url: string,
  { random, perSecond, choose }: { random: Random; perSecond: number; choose: () => Poll },
): Poller {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const etags = new Map<string, string>()
  let responses = 0
  let isStopped = false
  const running = new Set<Promise<void>>()

  async function send({ path, key }: Poll): Promise<void> {
    const etag = etags.get(path)
    const request = get(url + path, {
      agent,
      headers: { ...(key && { authorization: `Bearer ${key}` }), ...(etag && { 'if-none-match': etag }) },
    })
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    response.resume()
    await once(response, 'end')
    if (response.statusCode !== 200 && response.statusCode !== 304)
      throw new Error(`${path}: ${response.statusCode}`)
    if (!key && response.headers.etag) etags.set(path, response.headers.etag)
    responses++
  }

  async function loop(): Promise<void> {
    let next = performance.now()
    while (!isStopped) {
      next += nextArrival(random, perSecond) * 1000
      const left = next - performance.now()
      if (left > 1) await delay(left)
      const sent = send(choose()).finally(() => running.delete(sent))
      running.add(sent)
    }
    await Promise.all(running)
    agent.destroy()
  }
  const done = loop()
  return {
    get responses() {
      return responses
    },
    async stop() {
      isStopped = true
      await done
    },
  }
}
