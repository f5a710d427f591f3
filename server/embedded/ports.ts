import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { readIfPresent, writeFileDurably } from './files.ts'
import type { Log } from './parts.ts'

/**
 * The port a part listens on: the one it had before, else the preferred one, else any free one. Remembered in
 * `directory`, because addresses made with it are stored.
 *
 * @param what name of the part for the line that says the port changed
 */
export async function rememberedPort(
  directory: string,
  preferred: number,
  what: string,
  log: Log,
): Promise<number> {
  const path = join(directory, 'port')
  const stored = Number(await readIfPresent(path))
  const wanted = Number.isInteger(stored) && stored > 0 && stored < 65_536 ? stored : preferred
  const port = await choosePort(wanted)
  if (port !== wanted && wanted !== 0) log.warn(`Port ${wanted} is taken: the ${what} listens on ${port}`)
  if (port !== stored) await writeFileDurably(path, `${port}\n`)
  return port
}

/** Above the ports that `fetch` refuses to connect to, of which 10080 is the last. */
const lowest = 10_081
/** From here on systems give ports to outgoing connections (Linux; 49152 elsewhere). */
const firstOutgoing = 32_768

/**
 * A TCP port of 127.0.0.1 nobody listens on: the preferred one if possible (none or 0: any), else any below those of
 * outgoing connections, which could take it while its program restarts.
 */
export async function choosePort(preferred?: number): Promise<number> {
  if (preferred && (await isPortFree(preferred))) return preferred
  for (let attempt = 1; attempt <= 100; attempt++) {
    const port = randomInt(lowest, firstOutgoing)
    if (await isPortFree(port)) return port
  }
  throw new Error('no free TCP port on 127.0.0.1')
}

/** Whether a program could listen on the port of a loopback address. */
export function isPortFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)))
  })
}
