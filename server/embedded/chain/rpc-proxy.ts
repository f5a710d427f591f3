import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { refusalOf } from '../local-access.ts'

/** Where a node listens. */
export interface Endpoint {
  host: string
  port: number
}

/** An HTTP server in front of a node. It forwards the requests of programs and refuses those of web pages. */
export interface RpcProxy {
  close(): Promise<void>
}

/**
 * Forwards JSON-RPC over POST to the node and nothing else: anvil would also open WebSockets, which browsers let pages
 * of every origin do.
 *
 * @param port on 127.0.0.1
 */
export async function startRpcProxy(port: number, node: Endpoint): Promise<RpcProxy> {
  const server = createServer((request, response) => {
    const refusal = refusalOf(request.headers)
    if (refusal !== undefined) refuse(response, 403, refusal)
    else if (request.method !== 'POST') refuse(response, 405, 'Only POST is allowed.', { allow: 'POST' })
    else void forward(request, response, node)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    async close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function forward(request: IncomingMessage, response: ServerResponse, node: Endpoint): Promise<void> {
  const { method, url, headers } = request
  const forwarded = send({ ...node, method, path: url, headers })
  try {
    const [[reply]] = await Promise.all([
      once(forwarded, 'response') as Promise<[IncomingMessage]>,
      pipeline(request, forwarded),
    ])
    response.writeHead(reply.statusCode ?? 502, reply.headers)
    await pipeline(reply, response)
  } catch {
    // The node or the caller has disconnected.
    forwarded.destroy()
    if (response.headersSent) response.destroy()
    else refuse(response, 502, 'The chain does not respond.')
  }
}

function refuse(
  response: ServerResponse,
  status: number,
  reason: string,
  headers: Record<string, string> = {},
): void {
  response
    .writeHead(status, { ...headers, 'content-type': 'text/plain', connection: 'close' })
    .end(`${reason}\n`)
}
