import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { refusalOf } from '../visitors.ts'

/** Where a node listens. */
export interface Endpoint {
  host: string
  port: number
}

/** The public side of a node: an HTTP server that passes on what programs send, and nothing of what web pages do. */
export interface Gate {
  close(): Promise<void>
}

/**
 * Lets programs through to the node. Only JSON-RPC over POST: anvil would also open a WebSocket for whoever asks,
 * which no browser keeps a page from.
 *
 * @param port on 127.0.0.1
 */
export async function openGate(port: number, node: Endpoint): Promise<Gate> {
  const agent = new Agent({ keepAlive: true })
  const server = createServer((request, response) => {
    const refusal = refusalOf(request.headers)
    if (refusal !== undefined) refuse(response, 403, refusal)
    else if (request.method !== 'POST') refuse(response, 405, 'Only POST is answered.', { allow: 'POST' })
    else void passOn(request, response, { ...node, agent })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    async close() {
      server.close()
      server.closeAllConnections()
      agent.destroy()
    },
  }
}

async function passOn(
  request: IncomingMessage,
  response: ServerResponse,
  target: Endpoint & { agent: Agent },
): Promise<void> {
  const { method, url, headers } = request
  const onward = send({ ...target, method, path: url, headers })
  try {
    const [[answer]] = await Promise.all([
      once(onward, 'response') as Promise<[IncomingMessage]>,
      pipeline(request, onward),
    ])
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    await pipeline(answer, response)
  } catch {
    // The node or the caller went away.
    onward.destroy()
    if (response.headersSent) response.destroy()
    else refuse(response, 502, 'The chain does not answer.')
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
