import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** What is to be done for the requests of each connection that are not over. */
const open = new WeakMap<Socket, Set<() => void>>()

/**
 * Calls `listener` once, when the answer has been sent or cannot be any more; at once where the client has gone before.
 * Node tells neither of an answer that had to wait for another one on its connection when that connection is lost.
 */
export function whenOver({ socket }: IncomingMessage, response: ServerResponse, listener: () => void): void {
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
