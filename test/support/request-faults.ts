import type { FastifyInstance } from 'fastify'

/** A request to the REST interface of the embedded code host. */
export interface GitHubRequest {
  method: string
  /** Below `apiUrl`, for example `/orgs/acme/repos`. */
  path: string
  authorization: string
  body: unknown
}

/** How a request is disturbed: not at all, its response is lost after it took effect, or this responds in its place. */
export type RequestFault =
  // biome-ignore lint/suspicious/noConfusingVoidType: a function that only observes returns nothing
  void | 'lose-response' | { status: number; headers?: Record<string, string>; body?: unknown }

/** What a proxy says in the place of a code host that is away. The service does not repeat such a request. */
export const proxyPage = { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>' }

/** What GitHub says to more requests than it wants for so many seconds. */
export const secondaryLimit = (seconds: number, status: 403 | 429 = 403) => ({
  status,
  headers: { 'retry-after': String(seconds) },
  body: {
    message: 'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.',
  },
})

/** Called before each request that the code host accepts the credentials of. */
export type OnRequest = (request: GitHubRequest) => RequestFault | Promise<RequestFault>

/** For `extend` of `startGitHub`: lets `onRequest` disturb requests, or respond where the code host has no route. */
export function requestFaults(onRequest: OnRequest = () => undefined) {
  return (rest: FastifyInstance): void => {
    const lost = new WeakSet<object>()
    rest.addHook('preHandler', async (request, reply) => {
      const { method, body, headers } = request
      const path = request.url.slice(rest.prefix.length)
      const fault = await onRequest({ method, path, authorization: headers.authorization ?? '', body })
      if (fault === 'lose-response') lost.add(request)
      else if (fault)
        return reply
          .code(fault.status)
          .headers(fault.headers ?? {})
          .send(fault.body)
    })
    rest.addHook('onSend', async (request) => {
      if (lost.has(request)) request.raw.socket.destroy()
    })
  }
}
