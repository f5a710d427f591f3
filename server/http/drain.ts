import type { FastifyInstance, FastifyReply } from 'fastify'
import { liveTokens } from '../auth/queries.ts'
import type { Database } from '../db/client.ts'
import { startRounds } from '../loops/rounds.ts'
import { whenFinished } from './finished.ts'

/** How long after its end requests of a token may wait, in ms. */
const revocationMs = 2000

/** Signals running requests to end. */
export interface DrainSignal {
  /** Aborted when the client disconnects, its access token ends, or the server begins to close. */
  signalOf(reply: FastifyReply): AbortSignal
  /** Aborted when the server begins to close; for work that several requests share. */
  closing: AbortSignal
}

/**
 * While the server closes, it accepts no new connections and waits until every accepted request has its response, the
 * last one on its connection. Requests that wait for an outcome stop waiting; the work goes on without them. So do those of
 * an access token that was revoked by whatever process, or has expired.
 */
export function drainOnClose(app: FastifyInstance, db: Database): DrainSignal {
  // With the id of the access token, if it came with one.
  const running = new Map<AbortController, string | undefined>()
  const closing = new AbortController()
  app.addHook('preClose', async () => {
    closing.abort()
    for (const controller of running.keys()) controller.abort()
    void checks.stop()
  })
  const checks = startRounds(() => endRevoked(running, db), revocationMs)
  app.addHook('onSend', async (_request, reply) => {
    if (closing.signal.aborted) reply.header('connection', 'close')
  })
  return {
    closing: closing.signal,
    signalOf(reply) {
      const controller = new AbortController()
      if (closing.signal.aborted) controller.abort()
      const { agent } = reply.request
      running.set(controller, agent && agent.scope !== 'key' ? agent.key_id : undefined)
      whenFinished(reply.request.raw, reply.raw, () => {
        running.delete(controller)
        if (!reply.raw.writableFinished) controller.abort()
      })
      return controller.signal
    },
  }
}

/** Ends the requests of tokens that no longer work. A database that does not respond leaves that to the next round. */
async function endRevoked(
  running: ReadonlyMap<AbortController, string | undefined>,
  db: Database,
): Promise<void> {
  const ids = new Set([...running.values()].filter((id) => id !== undefined))
  if (ids.size === 0) return
  const live = await liveTokens(db, [...ids]).catch(() => ids)
  for (const [controller, id] of running)
    if (id !== undefined && ids.has(id) && !live.has(id)) controller.abort()
}
