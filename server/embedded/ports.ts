import { join } from 'node:path'
import { readIfPresent, writeFileDurably } from './files.ts'
import type { Log } from './parts.ts'
import { choosePort } from './processes.ts'

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
