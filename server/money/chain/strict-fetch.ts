/**
 * fetch for a JSON-RPC node. It refuses a reply that belongs to another request or is neither a result nor an error.
 * Both happen behind balancers and broken proxies.
 */
export const strictFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, init)
  if (!response.ok) return response
  const text = await response.text()
  if (!isReply(text, init?.body)) throw new Error('the node sent a reply that does not belong to the request')
  return new Response(text, { status: response.status, headers: { 'content-type': 'application/json' } })
}

function isReply(text: string, request: unknown): boolean {
  const asked = parse(request)
  const reply = parse(text)
  if (!asked || !reply) return false
  return reply.id === asked.id && ('result' in reply || 'error' in reply)
}

function parse(text: unknown): Record<string, unknown> | undefined {
  if (typeof text !== 'string') return undefined
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
