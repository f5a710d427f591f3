import { hash } from 'node:crypto'
import { deriveKey, open, seal } from './seal.ts'

const purpose = 'bounty-marketplace idempotent answer'

/** The digest that is stored instead of an Idempotency-Key. */
export function digestOfKey(scope: string, key: string): Buffer {
  return hash('sha256', `idempotency key of ${scope}:${key}`, 'buffer')
}

/** Seals a response body. Only a caller who sends the same Idempotency-Key again can read it. */
export function sealBody(key: string, scope: string, body: string): Buffer {
  return seal(deriveKey(key, scope, purpose), body)
}

/** The body that {@link sealBody} sealed. @throws if it was altered or sealed under another key */
export function openBody(key: string, scope: string, sealed: Buffer): string {
  return open(deriveKey(key, scope, purpose), sealed).toString('utf8')
}
