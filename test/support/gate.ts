import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** What a gate does with a new connection: it closes it, lets it through, or holds it until it is let through. */
type Mode = 'refuse' | 'pass' | 'hold'

/** A proxy in front of the server at `target` (host:port), at a free port or at the path of a socket. It ends with the test. */
export async function openGate(target: string, mode: Mode = 'refuse', path?: string) {
  const open = new Set<[Socket, Socket]>()
  const gate = {
    mode,
    target,
    held: [] as (() => void)[],
    host: '',
    /** From now on nothing passes through the open connections, as when a machine has frozen. */
    freeze() {
      for (const [one, other] of open) {
        one.unpipe(other).pause()
        other.unpipe(one).pause()
      }
    },
  }
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    if (gate.mode === 'refuse') return void socket.destroy()
    const pass = () => {
      const [host, port] = gate.target.split(':')
      const through = connect(Number(port), host)
      through.on('error', () => socket.destroy())
      socket.pipe(through).pipe(socket)
      open.add([socket, through])
    }
    if (gate.mode === 'pass') pass()
    else gate.held.push(pass)
  })
  onTestFinished(() => {
    server.close()
    for (const socket of [...open].flat()) socket.destroy()
  })
  await once(path ? server.listen(path) : server.listen(0, '127.0.0.1'), 'listening')
  if (!path) gate.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return gate
}
