import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** A request that went through a proxy. */
export interface Passed {
  method: string
  path: string
  body: string
  status: number
}

/** An HTTP proxy on this machine in front of one server. */
export interface CountingProxy {
  /** Takes the place of the server's own address. */
  url: string
  close(): void
}

/**
 * Forwards every request to `target` and reports it after its response has come.
 * @param respond the body of a response with 200 in place of the target, where there is one
 */
export async function startCountingProxy(
  target: string,
  report: (passed: Passed) => void,
  respond: (request: { method: string; path: string }) => object | undefined = () => undefined,
): Promise<CountingProxy> {
  const { hostname, port, pathname } = new URL(target)
  const agent = new Agent({ keepAlive: true })
  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    const { method = 'GET', url: path = '/', headers } = request
    const own = respond({ method, path })
    if (own) {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(own))
      return report({ method, path, body: body.toString(), status: 200 })
    }
    const forwarded = send({ hostname, port, method, path, headers, agent })
    forwarded.end(body)
    try {
      const [reply] = (await once(forwarded, 'response')) as [IncomingMessage]
      const content = await buffer(reply)
      response.writeHead(reply.statusCode ?? 502, reply.headers).end(content)
      report({ method, path, body: body.toString(), status: reply.statusCode ?? 502 })
    } catch {
      response.destroy()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${pathname === '/' ? '' : pathname}`,
    close() {
      server.close()
      server.closeAllConnections()
      agent.destroy()
    },
  }
}

/** JSON-RPC calls in a body, each of a batch counted. */
export function rpcMethods(body: string): string[] {
  const parsed = JSON.parse(body) as { method: string } | { method: string }[]
  return [parsed].flat().map(({ method }) => method)
}
