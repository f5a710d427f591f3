import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { errorCode } from './reporting.ts'

/** Makes a rename or a new file in `directory` survive a power failure. */
export async function syncDirectory(directory: string): Promise<void> {
  if (process.platform === 'win32') return // directories cannot be opened there
  const handle = await open(directory, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/**
 * Replaces a file atomically: after a crash at any instant it has either its old or its new content, complete.
 * @param content the parts of a list one after the other
 */
export async function writeFileDurably(
  path: string,
  content: string | Buffer | Buffer[],
  mode = 0o644,
): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`
  const handle = await open(temporary, 'wx', mode)
  try {
    for (const part of [content].flat()) await handle.writeFile(part)
    await handle.sync()
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  } finally {
    await handle.close()
  }
  await rename(temporary, path)
  await syncDirectory(dirname(path))
}

/** The file's text, or `undefined` if there is no such file. */
export async function readIfPresent(path: string): Promise<string | undefined> {
  return (await readBytesIfPresent(path))?.toString()
}

/** The file's bytes, or `undefined` if there is no such file. */
export async function readBytesIfPresent(path: string): Promise<Buffer | undefined> {
  return readFile(path).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  })
}
