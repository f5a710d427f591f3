import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A way to a JSON-RPC node that can be shut. */
export interface Gate {
  url: string
  /** From now on connections break, as if the node were gone. */
  shut(): void
  open(): void
  close(): Promise<void>
}

/** Passes requests on to `target` while it is open. */
export async function createGate(target: string): Promise<Gate> {
  let isOpen = true
  const server = createServer(async (request, response) => {
    if (!isOpen) return request.socket.destroy()
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(target, { method: 'POST', headers, body: Buffer.concat(chunks) })
    response.writeHead(answer.status, headers).end(await answer.text())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    shut() {
      isOpen = false
    },
    open() {
      isOpen = true
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
