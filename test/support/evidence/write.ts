import { appendFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, inject } from 'vitest'

/** Where a secret must not turn up. */
export type Place = 'log' | 'errors' | 'database' | 'processes'

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder that collects what a run used and showed; empty where nobody searches it. */
    evidence: string
  }
}

const shortestSecret = 16
/** A row of x and the like is sent by tests of limits and says nothing where it turns up. */
const fewestCharacters = 8
/** What names a thing is public, whatever a test uses it for. */
const publicId = /^[a-z]+_[0-9a-z]{20}$/
const flushAt = 1 << 18

const buffers = new Map<string, string[]>()
let size = 0
const known = new Set<string>()

/** Notes a secret that was used; short or monotonous values are none. */
export function noteSecret(what: string, value: string): void {
  const bare = value.replace(/^0x/, '')
  if (bare.length < shortestSecret || new Set(bare).size < fewestCharacters) return
  if (known.has(bare) || publicId.test(bare)) return
  known.add(bare)
  write('secrets', JSON.stringify({ what, value: bare }))
}

/** Notes the API keys in a text, and of each the part that is no name. */
export function noteApiKeys(text: string): void {
  for (const [key, secretPart = ''] of text.matchAll(
    /bmk_[0-9A-Za-z]{16}_([0-9A-Za-z]{44})(?![0-9A-Za-z])/g,
  )) {
    noteSecret('API key', key)
    noteSecret('secret part of an API key', secretPart)
  }
}

/** Notes a text that others than its owner may come to see. */
export function noteText(place: Place, text: string): void {
  write(place, text)
}

function write(kind: Place | 'secrets', line: string): void {
  // Programs that use the tests' parts without being tests are searched by nobody.
  if (process.env.VITEST_POOL_ID === undefined) return
  const lines = buffers.get(kind) ?? []
  buffers.set(kind, lines)
  lines.push(line)
  size += line.length
  if (size > flushAt) flushEvidence()
}

/** Writes everything noted so far to the run's folder. */
export function flushEvidence(): void {
  const folder = inject('evidence')
  const { testPath = 'unknown' } = expect.getState()
  if (folder)
    for (const [kind, lines] of buffers) {
      const file = join(folder, `${basename(testPath)}.${process.pid}.${kind}`)
      appendFileSync(file, `${lines.join('\n')}\n`)
    }
  buffers.clear()
  size = 0
}
