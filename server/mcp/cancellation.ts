import { isObject, type Json } from './json.ts'

/**
 * Ends calls that wait for events when their client cancels them. Clients of the protocol of 2025 leave the request open and send
 * `notifications/cancelled` in another one.
 */
export function createCancellation() {
  const open = new Map<string, AbortController>()
  const keyOf = (agentId: string, id: unknown) => JSON.stringify([agentId, id])

  /** Takes note of a message. @returns what forgets it */
  return ({ method, id, params }: Json, agentId: string, ending: AbortController): (() => void) => {
    const { name, requestId } = isObject(params) ? params : {}
    if (method === 'notifications/cancelled') open.get(keyOf(agentId, requestId))?.abort()
    if (method !== 'tools/call' || name !== 'wait_for_events') return () => undefined
    const key = keyOf(agentId, id)
    open.set(key, ending)
    return () => {
      if (open.get(key) === ending) open.delete(key)
    }
  }
}
