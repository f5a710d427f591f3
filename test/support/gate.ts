import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A proxy at a free port in front of the server at `target` (host:port). It ends with the test. */
export async function openGate(target: string) {
  const sockets = new Set<Socket>()
  const gate = {
    /** Where the next connections lead. */
    target,
    host: '',
    /** How many connections pass through. */
    open: () => sockets.size,
    /** Ends all connections, as a proxy does whose server is down. */
    close() {
      for (const socket of sockets) socket.destroy()
    },
  }
  const server = createServer((socket) => {
    const [host, port] = gate.target.split(':')
    const through = connect(Number(port), host)
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => {
      sockets.delete(socket)
      through.destroy()
    })
    through.on('error', () => socket.destroy())
    socket.pipe(through).pipe(socket)
  })
  onTestFinished(() => {
    server.close()
    gate.close()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  gate.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return gate
}
