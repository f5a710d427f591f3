import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'

export type Link = Awaited<ReturnType<typeof createLink>>

/** A TCP connection of other programs to `port` of this machine, which a test can cut. */
export async function createLink(port: number) {
  const sockets = new Set<Socket>()
  let isCut = false
  let trap: { text: string; target?: Socket; caught(): void } | undefined
  let held: { to: Socket; chunk: Buffer }[] = []
  const forward = (from: Socket, to: Socket, chunk: Buffer) => {
    if (isCut) return
    if (trap && !trap.target && chunk.includes(trap.text)) trap.target = to
    if (!trap || from !== trap.target) return to.write(chunk)
    held.push({ to, chunk })
    trap.caught()
  }
  const server = createServer((client) => {
    const target = connect(port, '127.0.0.1')
    for (const [one, other] of [
      [client, target],
      [target, client],
    ] as const) {
      sockets.add(one)
      one.on('data', (chunk) => forward(one, other, chunk))
      one.on('error', () => undefined)
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const breakAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    /** `host:port` where the client connects to. */
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** From now on connections stay open and carry nothing, as if the network between the machines were gone. */
    cut() {
      isCut = true
    },
    /** Holds back the response to the next request that contains `text`, and resolves as soon as it has it. */
    hold: (text: string) =>
      new Promise<void>((resolve) => {
        trap = { text, caught: resolve }
      }),
    /** Delivers what was held back. */
    release() {
      for (const { to, chunk } of held) to.write(chunk)
      held = []
      trap = undefined
    },
    /** Breaks the connections that were cut. New ones work. */
    restore() {
      isCut = false
      breakAll()
    },
    async close() {
      breakAll()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
