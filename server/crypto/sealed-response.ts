import { createCipheriv, createDecipheriv, hash, hkdfSync, randomBytes } from 'node:crypto'

const cipherName = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/** What is stored in place of an Idempotency-Key. */
export function digestOfKey(scope: string, key: string): Buffer {
  return hash('sha256', `idempotency key of ${scope}:${key}`, 'buffer')
}

/** Seals the body of an answer so that only a caller who sends the same Idempotency-Key again can read it. */
export function sealBody(key: string, scope: string, body: string): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv(cipherName, derivedKey(key, scope), nonce)
  const ciphertext = Buffer.concat([cipher.update(body, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext])
}

/** The body that {@link sealBody} sealed. @throws when it was altered or sealed under another key. */
export function openBody(key: string, scope: string, sealed: Buffer): string {
  const decipher = createDecipheriv(cipherName, derivedKey(key, scope), sealed.subarray(0, nonceBytes))
  decipher.setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes))
  const ciphertext = sealed.subarray(nonceBytes + tagBytes)
  return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString('utf8')
}

function derivedKey(key: string, scope: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', key, scope, 'bounty-marketplace idempotent answer', 32))
}
