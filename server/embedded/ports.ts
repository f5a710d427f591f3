import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { readIfPresent, writeFileDurably } from './durable-files.ts'
import { errorCode, type Log } from './reporting.ts'

/**
 * The port a service listens on: the stored one, else the preferred one, else any free one. Stored in `directory`,
 * because addresses that contain it are stored too.
 *
 * @param service name of the service, for the warning that its port has changed
 */
export async function rememberedPort(
  directory: string,
  preferred: number,
  service: string,
  log: Log,
): Promise<number> {
  const path = join(directory, 'port')
  const stored = Number(await readIfPresent(path))
  const wanted = Number.isInteger(stored) && stored > 0 && stored < 65_536 ? stored : preferred
  const port = await choosePort(wanted)
  if (port !== wanted && wanted !== 0) log.warn(`Port ${wanted} is taken: the ${service} listens on ${port}`)
  if (port !== stored) await writeFileDurably(path, `${port}\n`)
  return port
}

/** Runs `start`, which chooses a free port and listens there. Repeats it if another program took the port in between. */
export async function retryTakenPort<T>(start: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await start()
    } catch (error) {
      if (errorCode(error) !== 'EADDRINUSE' || attempt === 5) throw error
    }
  }
}

/** Above the ports that `fetch` refuses to connect to; the last of them is 10080. */
const lowest = 10_081
/** From here on systems give ports to outgoing connections (Linux; 49152 elsewhere). */
const firstOutgoing = 32_768

/**
 * A free TCP port of 127.0.0.1: the preferred one if possible (none or 0: any), else any below those of outgoing
 * connections, which could take it while its program restarts.
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
