import { createServer, type Server } from 'node:http'

/** Serves the text of `read` as `GET /metrics`, for the operator's network and never for agents. */
export async function serveMetrics(
  read: () => Promise<{ type: string; text: string }>,
  address: { host: string; port: number },
): Promise<Server> {
  const server = createServer(async (request, response) => {
    if (request.method !== 'GET' || request.url?.split('?', 1)[0] !== '/metrics')
      return response.writeHead(404).end()
    try {
      const { type, text } = await read()
      response.writeHead(200, { 'content-type': type }).end(text)
    } catch {
      response.writeHead(500).end()
    }
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(address.port, address.host, resolve)
  })
  return server
}
