import type { FastifyInstance, FastifyReply } from 'fastify'
import { whenFinished } from './finished.ts'

/** Signals running requests to end. */
export interface DrainSignal {
  /** Aborted when the client disconnects or the server begins to close. */
  signalOf(reply: FastifyReply): AbortSignal
  /** Aborted when the server begins to close; for work that several requests share. */
  closing: AbortSignal
}

/**
 * While the server closes, it accepts no new connections and waits until every accepted request has its response, the
 * last one on its connection. Requests that wait for an outcome stop waiting; the work goes on without them.
 */
export function drainOnClose(app: FastifyInstance): DrainSignal {
  const running = new Set<AbortController>()
  const closing = new AbortController()
  app.addHook('preClose', async () => {
    closing.abort()
    for (const controller of running) controller.abort()
  })
  app.addHook('onSend', async (_request, reply) => {
    if (closing.signal.aborted) reply.header('connection', 'close')
  })
  return {
    closing: closing.signal,
    signalOf(reply) {
      const controller = new AbortController()
      if (closing.signal.aborted) controller.abort()
      running.add(controller)
      whenFinished(reply.request.raw, reply.raw, () => {
        running.delete(controller)
        if (!reply.raw.writableFinished) controller.abort()
      })
      return controller.signal
    },
  }
}
