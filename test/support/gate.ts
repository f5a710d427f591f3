import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/**
 * A proxy at a free port in front of the server at `target` (host:port).
 * @param pass hands on what a side has sent; by default at once
 */
export async function startGate(
  target: string,
  pass = (chunk: Buffer, to: Socket, _from: Socket): void => void to.write(chunk),
) {
  const clients = new Set<Socket>()
  const gate = {
    /** Where the next connections lead. */
    target,
    host: '',
    /** How many connections pass through. */
    open: () => clients.size,
    /** Ends all connections, as a proxy does whose server is down. */
    close() {
      for (const socket of clients) socket.destroy()
    },
    async stop() {
      gate.close()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  const server = createServer((client) => {
    const [host, port] = gate.target.split(':')
    const through = connect(Number(port), host)
    clients.add(client)
    client.on('close', () => clients.delete(client))
    for (const [one, other] of [
      [client, through],
      [through, client],
    ] as const) {
      one.on('data', (chunk) => pass(chunk, other, one))
      one.on('error', () => undefined)
      // What was written before still arrives.
      one.on('close', () => other.destroySoon())
    }
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  gate.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return gate
}

/** {@link startGate}; it ends with the test. */
export async function openGate(target: string) {
  const gate = await startGate(target)
  onTestFinished(gate.stop)
  return gate
}
