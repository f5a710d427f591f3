import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A secret found where it must not be. */
export interface Hit {
  /** File of records: test file, process and source. */
  file: string
  what: string
  /** The text around the secret, without the secret. */
  context: string
}

/** Texts are checked at every eighth byte. */
const grid = 8
const contextBytes = 80

/** Searches a run's records for every recorded secret, in every form that it can have. */
export async function searchEvidence(
  folder: string,
): Promise<{ secrets: number; bytes: number; hits: Hit[] }> {
  const files = await readdir(folder)
  const secrets = new Map<string, string>()
  for (const file of files.filter((name) => name.endsWith('.secrets')))
    for (const line of (await readFile(join(folder, file), 'utf8')).split('\n').filter(Boolean)) {
      const { what, value } = JSON.parse(line) as { what: string; value: string }
      secrets.set(value, what)
    }
  const find = createFinder(
    [...secrets].flatMap(([value, what]) => formsOf(value).map((form) => ({ what, form }))),
  )
  const hits: Hit[] = []
  let bytes = 0
  for (const file of files.filter((name) => !name.endsWith('.secrets'))) {
    const text = await readFile(join(folder, file))
    bytes += text.length
    for (const { what, at, length } of find(text)) {
      const before = text.subarray(Math.max(0, at - contextBytes), at)
      const after = text.subarray(at + length, at + length + contextBytes)
      hits.push({ file, what, context: `${before}[here]${after}`.replaceAll('\n', ' ') })
    }
  }
  return { secrets: secrets.size, bytes, hits }
}

/** A secret as it is, as a database prints its bytes, and as programs encode it. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret)
  const forms = [
    secret,
    secret.toUpperCase(),
    bytes.toString('hex'),
    bytes.toString('base64').replace(/=+$/, ''),
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
  ]
  return [...new Set(forms)]
}

/**
 * Searches for many texts at once, in time that hardly depends on their number: a text of at least 15 bytes covers eight
 * bytes that begin on the grid, and these are looked up in an index.
 */
export function createFinder(needles: { what: string; form: string }[]) {
  const filter = new Uint8Array(1 << 24)
  const byGram = new Map<number, { what: string; bytes: Buffer; offset: number }[]>()
  for (const { what, form } of needles) {
    const bytes = Buffer.from(form)
    if (bytes.length < 2 * grid - 1) throw new Error('too short to be found')
    for (let offset = 0; offset < grid; offset++) {
      const gram = gramAt(bytes, offset)
      filter[gram & 0xffffff] = 1
      const known = byGram.get(gram)
      if (known) known.push({ what, bytes, offset })
      else byGram.set(gram, [{ what, bytes, offset }])
    }
  }
  return function* find(text: Buffer): Generator<{ what: string; at: number; length: number }> {
    for (let at = 0; at + grid <= text.length; at += grid) {
      const gram = gramAt(text, at)
      if (filter[gram & 0xffffff] === 0) continue
      for (const { what, bytes, offset } of byGram.get(gram) ?? []) {
        const start = at - offset
        if (
          start >= 0 &&
          text.compare(bytes, 0, bytes.length, start, Math.min(start + bytes.length, text.length)) === 0
        )
          yield { what, at: start, length: bytes.length }
      }
    }
  }
}

function gramAt(bytes: Buffer, at: number): number {
  const mixed =
    Math.imul(bytes.readUInt32LE(at), 0x9e3779b1) ^ Math.imul(bytes.readUInt32LE(at + 4), 0x85ebca6b)
  return (mixed ^ (mixed >>> 15)) >>> 0
}
