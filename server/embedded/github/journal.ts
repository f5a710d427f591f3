import { mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { z } from 'zod'
import { readBytesIfPresent, syncDirectory } from '../durable-files.ts'
import { EmbeddedError } from '../reporting.ts'

/**
 * Opens a file of JSON lines, which only grows. A line is on disk when `append` resolves.
 * @throws EmbeddedError if a complete line is not what `schema` describes
 */
export async function openJournal<T>(path: string, schema: z.ZodType<T>) {
  await mkdir(dirname(path), { recursive: true })
  const text = (await readBytesIfPresent(path)) ?? Buffer.alloc(0)
  const handle = await open(path, 'a', 0o644)
  // A crash while writing leaves half a line. Its change was never confirmed, so it is dropped.
  let size = text.lastIndexOf('\n') + 1
  await handle.truncate(size)
  await syncDirectory(dirname(path))
  const lines = text.subarray(0, size).toString().split('\n').filter(Boolean)
  return {
    entries: lines.map((line, index) => {
      const entry = schema.safeParse(parseJson(line))
      if (!entry.success) throw new EmbeddedError(`${path} is damaged in line ${index + 1}`)
      return entry.data
    }),
    async append(entry: T) {
      const line = Buffer.from(`${JSON.stringify(entry)}\n`)
      try {
        await handle.appendFile(line)
        await handle.sync()
      } catch (error) {
        await handle.truncate(size) // a full disk must not leave half a line between complete ones
        throw error
      }
      size += line.length
    },
    close: () => handle.close(),
  }
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
