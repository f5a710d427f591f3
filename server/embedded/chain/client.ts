import { once } from 'node:events'
import { type IncomingMessage, request as send } from 'node:http'
import { Readable } from 'node:stream'
import { createTestClient, http, publicActions } from 'viem'

/** A viem client for anvil's own methods. */
export type AnvilClient = ReturnType<typeof anvilClient>

export function anvilClient(rpcUrl: string) {
  const transport = http(rpcUrl, { retryCount: 0, timeout: 10_000, fetchFn: postAnywhere })
  return createTestClient({ mode: 'anvil', transport, cacheTime: 0 }).extend(publicActions)
}

/** Does for viem what `fetch` does, also at the ports that `fetch` refuses as browsers do. */
const postAnywhere: typeof fetch = async (url, init = {}) => {
  const headers = Object.fromEntries(new Headers(init.headers))
  const request = send(String(url), { method: 'POST', headers, ...(init.signal && { signal: init.signal }) })
  request.end(init.body)
  const [answer]: IncomingMessage[] = await once(request, 'response')
  if (!answer) throw new Error('no response')
  return new Response(Readable.toWeb(answer) as ReadableStream, {
    status: answer.statusCode ?? 502,
    headers: { 'content-type': answer.headers['content-type'] ?? '' },
  })
}
