import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { isAddress } from 'viem'
import { refusalOf } from '../local-access.ts'
import { EmbeddedError } from '../reporting.ts'
import { dollarGift, giveDollars } from './dollar.ts'

/** Where a node listens. */
export interface Endpoint {
  host: string
  port: number
}

/** An HTTP server in front of a node. It forwards the requests of programs and refuses those of web pages. */
export interface RpcProxy {
  /** On 127.0.0.1. */
  port: number
  close(): Promise<void>
}

/**
 * Forwards JSON-RPC over POST to the node and nothing else: anvil would also open WebSockets, which browsers let pages
 * of every origin do. `POST /dollars/<address>` gives an account dollars of the local chain.
 *
 * @param port on 127.0.0.1; 0 for a free one
 */
export async function startRpcProxy(port: number, node: Endpoint): Promise<RpcProxy> {
  const server = createServer((request, response) => {
    const refusal = refusalOf(request.headers)
    if (refusal !== undefined) refuse(response, 403, refusal)
    else if (request.method !== 'POST') refuse(response, 405, 'Only POST is allowed.', { allow: 'POST' })
    else if (request.url?.startsWith(dollarsPath))
      void give(request.url.slice(dollarsPath.length), response, node)
    else void forward(request, response, node)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

const dollarsPath = '/dollars/'

async function give(to: string, response: ServerResponse, { host, port }: Endpoint): Promise<void> {
  if (!isAddress(to))
    return refuse(
      response,
      400,
      'After /dollars/ stands an address, in one letter case or with its checksum.',
    )
  try {
    const hash = await giveDollars(`http://${host}:${port}`, to)
    const given = { wallet_address: to, dollars: dollarGift, transaction_hash: hash }
    response.writeHead(200, { 'content-type': 'application/json' }).end(`${JSON.stringify(given)}\n`)
  } catch (error) {
    if (error instanceof EmbeddedError) refuse(response, 409, `Nothing was given: ${error.message}.`)
    else refuse(response, 502, 'The chain does not respond.')
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
