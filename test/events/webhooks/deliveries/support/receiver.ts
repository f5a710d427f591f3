import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A self-signed certificate for `localhost`. */
export const certificatePath = join(import.meta.dirname, 'localhost.cert.pem')

/** A request as the receiver got it. */
export interface Received {
  url: string | undefined
  headers: IncomingHttpHeaders
  body: string
}

/** A real server on this machine. */
export interface Receiver {
  url: string
  received: Received[]
  /** What it does with a request after it has read the body; at first 204. */
  respond: (...exchange: Parameters<RequestListener>) => void
  close(): void
}

/** Starts a receiver, which ends with the test. */
export async function startReceiver({ tls = false, port = 0 } = {}): Promise<Receiver> {
  const listener: RequestListener = async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    receiver.received.push({ url: request.url, headers: request.headers, body })
    receiver.respond(request, response)
  }
  const server = tls
    ? createSecureServer(
        {
          cert: readFileSync(certificatePath),
          key: readFileSync(join(import.meta.dirname, 'localhost.key.pem')),
        },
        listener,
      )
    : createServer(listener)
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const receiver: Receiver = {
    url: `http${tls ? 's' : ''}://localhost:${(server.address() as AddressInfo).port}/hook`,
    received: [],
    respond: (_request, response) => void response.writeHead(204).end(),
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
  onTestFinished(receiver.close)
  return receiver
}
