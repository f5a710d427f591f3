import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { startServer } from '../../support/server.ts'

/** A request as it arrived. */
export interface Received {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: unknown
}

/** What to do with one request. */
export type Step = (response: ServerResponse, request: Received) => void

export type ScriptedServer = Awaited<ReturnType<typeof startScriptedServer>>

/** An HTTP server that does what a test says, one step per request; the last step repeats. */
export async function startScriptedServer() {
  const received: Received[] = []
  let steps: Step[] = []
  const server = await startServer(async (request, response) => {
    const sent = await text(request)
    const { method = '', url = '', headers } = request
    const seen = { method, path: url, headers, body: sent === '' ? undefined : JSON.parse(sent) }
    received.push(seen)
    const step = steps.length > 1 ? steps.shift() : steps[0]
    step?.(response, seen)
  })
  return {
    ...server,
    received,
    script(...next: Step[]) {
      received.length = 0
      steps = next
    },
  }
}

/** Answers with JSON. */
export function json(status: number, body: unknown, headers: Record<string, string> = {}): Step {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'req_test', ...headers })
    response.end(JSON.stringify(body))
  }
}

/** Answers with the service's error body. */
export function failure(
  status: number,
  code: string,
  retryable = false,
  headers: Record<string, string> = {},
): Step {
  const error = { code, message: `It is ${code}.`, retryable, request_id: 'req_test' }
  return json(status, { error }, headers)
}

/** Cuts the connection. */
export const hangUp: Step = (response) => {
  response.socket?.destroy()
}

/** Never answers. */
export const silence: Step = () => undefined

/**
 * A `fetch` that never responds, for tests of timeouts: a request that a client has given up may still arrive at a server,
 * in the middle of the next test.
 */
export const neverResponds: typeof fetch = (_input, init) => new Promise((_, reject) => onAbort(init, reject))

/** A `fetch` with a response whose body never ends; see {@link neverResponds}. */
export const neverEnds: typeof fetch = async (_input, init) =>
  new Response(new ReadableStream({ start: (body) => onAbort(init, (reason) => body.error(reason)) }))

function onAbort(init: RequestInit | undefined, then: (reason: unknown) => void): void {
  init?.signal?.addEventListener('abort', () => then(init.signal?.reason))
}

/** What the service responds to any operation of these tests, as far as a client looks. */
export const anything = { agent: {}, bounties: [], bounty: {}, project: {}, stats: {}, submission: {} }

/** What something else than the service responds, at once again: a firewall, an ingress, a page of maintenance, a captive portal. */
export const foreignPages: [name: string, page: Step][] = [
  ['HTML with 200', page(200, '<html>Maintenance</html>')],
  ['a redirect', page(302, '', { location: 'http://127.0.0.1:9/login' })],
  ['HTML with 401', page(401, '<html>Proxy</html>')],
  ['HTML with 403', page(403, '<html>Blocked</html>')],
  ['HTML with 404', page(404, '<html>Not found</html>')],
  ['HTML with 409', page(409, '<html>Conflict</html>')],
  ['HTML with 502', page(502, '<html>Bad gateway</html>')],
  ['an error of another shape', page(403, '{"message":"Forbidden"}')],
  ['an error with a code', page(401, '{"error":{"code":"InvalidToken","message":"Expired."}}')],
  ['{} with 200', page(200, '{}')],
  ['a list with 200', page(200, '[]')],
  ['a list of objects with 200', page(200, '[{"status":"ok"}]')],
  ['a state with 200', page(200, '{"status":"ok","error":null}')],
  ['a word with 200', page(200, '"ok"')],
  ['a message with an id of its request with 200', page(200, '{"message":"ok","request_id":"req_1"}')],
  ['an error with 200', page(200, '{"error":{"message":"Bad gateway"},"trace_id":"1"}')],
  ['empty data with 200', page(200, '{"data":{}}')],
  ['a failure with errors and 200', page(200, '{"success":false,"errors":[]}')],
]

function page(status: number, body: string, headers: Record<string, string> = {}): Step {
  return (response) => response.writeHead(status, { 'retry-after': '0', ...headers }).end(body)
}
