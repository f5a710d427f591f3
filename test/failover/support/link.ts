import type { Socket } from 'node:net'
import { startGate } from '../../support/gate.ts'

export type Link = Awaited<ReturnType<typeof createLink>>

/** A TCP connection of other programs to `port` of this machine, which a test can cut. */
export async function createLink(port: number) {
  let isCut = false
  let trap: { text: string; target?: Socket; caught(): void } | undefined
  let held: { to: Socket; chunk: Buffer }[] = []
  const gate = await startGate(`127.0.0.1:${port}`, (chunk, to, from) => {
    if (isCut) return
    if (trap && !trap.target && chunk.includes(trap.text)) trap.target = to
    if (!trap || from !== trap.target) return void to.write(chunk)
    held.push({ to, chunk })
    trap.caught()
  })
  return {
    /** `host:port` where the client connects to. */
    address: gate.host,
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
      gate.close()
    },
    close: gate.stop,
  }
}
