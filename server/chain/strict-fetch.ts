/**
 * fetch for a JSON-RPC node. An answer that belongs to another request, or that is neither a result nor an error, is
 * refused: behind balancers and broken proxies both happen, and a stranger's answer must not be read as ours.
 */
export const strictFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, init)
  if (!response.ok) return response
  const text = await response.text()
  if (!answers(text, init?.body))
    throw new Error('the node sent an answer that does not belong to the request')
  return new Response(text, { status: response.status, headers: { 'content-type': 'application/json' } })
}

function answers(text: string, request: unknown): boolean {
  const asked = parse(request)
  const answered = parse(text)
  if (!asked || !answered) return false
  return answered.id === asked.id && ('result' in answered || 'error' in answered)
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
