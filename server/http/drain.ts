import type { FastifyInstance, FastifyReply } from 'fastify'
import { whenOver } from './finished.ts'

/** Tells running requests to come to an end. */
export interface DrainSignal {
  /** Aborted when the client has gone or the server begins to close. */
  signalOf(reply: FastifyReply): AbortSignal
  /** Aborted when the server begins to close: for requests that do not wait. */
  closing: AbortSignal
}

/**
 * Closing takes no new connections, ends the waiting of requests that wait (what they wait for goes on without them)
 * and lets every accepted request have its answer, the last on its connection.
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
      whenOver(reply.request.raw, reply.raw, () => {
        running.delete(controller)
        if (!reply.raw.writableFinished) controller.abort()
      })
      return controller.signal
    },
  }
}
