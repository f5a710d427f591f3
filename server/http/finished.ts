import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The listeners of all unfinished requests, by connection. */
const open = new WeakMap<Socket, Set<() => void>>()

/**
 * Calls `listener` once, when the response has been sent or can no longer be sent; at once if the client has disconnected
 * before. Node emits neither event for a pipelined response that waits for another one when the connection is lost.
 */
export function whenFinished(
  { socket }: IncomingMessage,
  response: ServerResponse,
  listener: () => void,
): void {
  if (socket.destroyed || response.destroyed) {
    listener()
    return
  }
  const others = open.get(socket) ?? new Set()
  if (!open.has(socket)) {
    open.set(socket, others)
    socket.once('close', () => {
      for (const end of [...others]) end()
    })
  }
  const end = () => {
    if (others.delete(end)) listener()
  }
  others.add(end)
  response.once('close', end)
}
