import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises'
import { whenFinished } from '../http/finished.ts'

/** How long connections without a request stay open for one that is already on its way, in ms. */
const onTheWayMs = 1000
const lookEveryMs = 25
const quietMs = 1
const turns = 1000

/**
 * Prepares a server to be closed without losing a request: from the call of the returned function it takes no new
 * connection, every answer is the last on its connection, and what is being served gets `patienceMs` to end by itself.
 */
export function closeGracefully(server: Server, patienceMs: number): () => Promise<void> {
  let serving = 0
  let leaving = false
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    serving++
    if (leaving) response.setHeader('connection', 'close')
    whenFinished(request, response, () => {
      serving--
    })
  })
  return async () => {
    leaving = true
    const begun = performance.now()
    await quietTurn()
    // http's own close would cut idle connections at once, also those on which a request is just arriving.
    NetServer.prototype.close.call(server)
    for (;;) {
      await delay(lookEveryMs)
      const waited = performance.now() - begun
      if (waited >= (serving > 0 ? patienceMs : onTheWayMs)) return
    }
  }
}

/**
 * Resolves after a short turn of the event loop. Connections that came during a long one are not taken yet, and closing
 * would reset them with the request that is already on them.
 */
async function quietTurn(): Promise<void> {
  for (let left = turns; left > 0; left--) {
    const begun = performance.now()
    await turn()
    if (performance.now() - begun < quietMs) return
  }
}
