import { once } from 'node:events'
import { type IncomingMessage, request as send } from 'node:http'
import { Readable } from 'node:stream'
import { createTestClient, http, publicActions } from 'viem'

/** A viem client for anvil's own methods. */
export type AnvilClient = ReturnType<typeof anvilClient>

export function anvilClient(rpcUrl: string) {
  const transport = http(rpcUrl, { retryCount: 0, timeout: 10_000, fetchFn: postToAnyPort })
  return createTestClient({ mode: 'anvil', transport, cacheTime: 0 }).extend(publicActions)
}

/** Replaces `fetch` for viem, because `fetch` refuses the same ports as browsers do. */
const postToAnyPort: typeof fetch = async (url, init = {}) => {
  const headers = Object.fromEntries(new Headers(init.headers))
  const request = send(String(url), { method: 'POST', headers, ...(init.signal && { signal: init.signal }) })
  request.end(init.body)
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  return new Response(Readable.toWeb(response) as ReadableStream, {
    status: response.statusCode ?? 502,
    headers: { 'content-type': response.headers['content-type'] ?? '' },
  })
}
