import { mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { z } from 'zod'
import { syncDirectory, writeFileDurably } from '../durable-files.ts'
import { EmbeddedError, errorCode } from '../reporting.ts'

/**
 * Opens a file of JSON lines and applies each. If others replaced some of them, the file is first reduced to `current`, and again
 * whenever it has grown to several times that. A line is on disk when `append` resolves; it has to be applied before the next one.
 * @param mostGrown bytes that are not worth reducing
 * @throws EmbeddedError if a complete line is not what `schema` describes
 */
export async function openJournal<T>(
  path: string,
  schema: z.ZodType<T>,
  { apply, current }: { apply(entry: T): void; current(): T[] },
  mostGrown = 64 * 1024 * 1024,
) {
  await mkdir(dirname(path), { recursive: true })
  const lines = await readLines(path, (text, line) => {
    const entry = schema.safeParse(parseJson(text))
    if (!entry.success) throw new EmbeddedError(`${path} is damaged in line ${line}`)
    apply(entry.data)
  })
  const reduce = async () => {
    const parts = current().map(lineOf)
    await writeFileDurably(path, parts)
    lines.size = parts.reduce((size, { length }) => size + length, 0)
  }
  if (current().length < lines.count) await reduce()
  let most = Math.max(mostGrown, 4 * lines.size)
  let handle = await open(path, 'a', 0o644)
  // A crash while writing leaves half a line. Its change was never confirmed, so it is dropped.
  await handle.truncate(lines.size)
  await syncDirectory(dirname(path))
  return {
    async append(entry: T) {
      const line = lineOf(entry)
      if (lines.size > most) {
        await handle.close() // an open file cannot be replaced everywhere
        await reduce().finally(async () => {
          handle = await open(path, 'a', 0o644)
        })
        most = Math.max(mostGrown, 4 * lines.size)
      }
      try {
        await handle.appendFile(line)
        await handle.sync()
      } catch (error) {
        await handle.truncate(lines.size) // a full disk must not leave half a line between complete ones
        throw error
      }
      lines.size += line.length
    },
    close: () => handle.close(),
  }
}

const lineOf = (entry: unknown) => Buffer.from(`${JSON.stringify(entry)}\n`)

/** Hands each complete line over, never the whole file, which may be longer than a string can be. */
async function readLines(path: string, each: (text: string, line: number) => void) {
  const found = { count: 0, size: 0 }
  const handle = await open(path).catch((error: unknown) => {
    if (errorCode(error) !== 'ENOENT') throw error
  })
  if (!handle) return found
  let rest: Buffer[] = []
  for await (const chunk of handle.createReadStream() as AsyncIterable<Buffer>) {
    let from = 0
    for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', from)) {
      const line = Buffer.concat([...rest, chunk.subarray(from, end)])
      rest = []
      from = end + 1
      found.size += line.length + 1
      found.count++
      if (line.length > 0) each(line.toString(), found.count)
    }
    rest.push(chunk.subarray(from))
  }
  return found
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
