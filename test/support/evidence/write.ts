import { appendFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, inject } from 'vitest'

/** Sources of text in which a secret must not occur. */
export type Place = 'log' | 'errors' | 'database' | 'processes'

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder with the run's records; empty if they are not searched. */
    evidence: string
  }
}

const shortestSecret = 16
/** Tests of limits send texts such as a row of x. They are not secrets. */
const fewestCharacters = 8
/** Ids are public, even if a test uses one as a key. */
const publicId = /^[a-z]+_[0-9a-z]{20}$/
const flushAt = 1 << 18

const buffers = new Map<string, string[]>()
let size = 0
const known = new Set<string>()

/** Records a secret that was used. Short or monotonous values are ignored. */
export function noteSecret(what: string, value: string): void {
  const bare = value.replace(/^0x/, '')
  if (bare.length < shortestSecret || new Set(bare).size < fewestCharacters) return
  if (known.has(bare) || publicId.test(bare)) return
  known.add(bare)
  write('secrets', JSON.stringify({ what, value: bare }))
}

/** Records the API keys, access tokens and secrets of webhooks in a text, and the secret part of each. */
export function noteApiKeys(text: string): void {
  for (const [key, secretPart = ''] of text.matchAll(
    /(?:bmk_[0-9A-Za-z]{16}|bmt_(?:work|read))_([0-9A-Za-z]{44,59})(?![0-9A-Za-z])/g,
  )) {
    noteSecret('API key or access token', key)
    noteSecret('secret part of an API key or access token', secretPart)
  }
  for (const [secret, key = ''] of text.matchAll(/whsec_([A-Za-z0-9+/]{43}=)/g)) {
    noteSecret('webhook secret', secret)
    noteSecret('key of a webhook secret', key)
  }
}

/** Records a text that others than the secret's owner may see. */
export function noteText(place: Place, text: string): void {
  write(place, text)
}

function write(kind: Place | 'secrets', line: string): void {
  // Programs that use test helpers without being tests are not searched.
  if (process.env.VITEST_POOL_ID === undefined) return
  const lines = buffers.get(kind) ?? []
  buffers.set(kind, lines)
  lines.push(line)
  size += line.length
  if (size > flushAt) flushEvidence()
}

/** Writes all records so far to the run's folder. */
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
