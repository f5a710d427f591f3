import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setTimeout as delay, setImmediate as nextRound } from 'node:timers/promises'
import { whenFinished } from '../http/finished.ts'

/** How long connections without a request stay open for a request that is already under way, in ms. */
const arrivingMs = 1000
const checkEveryMs = 25
const quietMs = 1
const mostRounds = 1000

/**
 * Prepares a server to be closed without losing a request. From the call of the returned function it takes no new
 * connection, every response is the last on its connection, and running requests get `patienceMs` to end by themselves.
 */
export function closeGracefully(server: Server, patienceMs: number): () => Promise<void> {
  let running = 0
  let isClosing = false
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    running++
    if (isClosing) response.setHeader('connection', 'close')
    whenFinished(request, response, () => {
      running--
    })
  })
  return async () => {
    isClosing = true
    const begun = performance.now()
    await quietRound()
    // http's own close would cut idle connections at once, also those on which a request is just arriving.
    NetServer.prototype.close.call(server)
    for (;;) {
      await delay(checkEveryMs)
      const waited = performance.now() - begun
      if (waited >= (running > 0 ? patienceMs : arrivingMs)) return
    }
  }
}

/**
 * Resolves after a short round of the event loop. Connections that came during a long round are not accepted yet, and
 * closing would reset them together with the request that is already on them.
 */
async function quietRound(): Promise<void> {
  for (let left = mostRounds; left > 0; left--) {
    const begun = performance.now()
    await nextRound()
    if (performance.now() - begun < quietMs) return
  }
}
