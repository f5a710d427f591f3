import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const cipherName = 'aes-256-gcm'
const keyBytes = 32
const nonceBytes = 12
const tagBytes = 16

/** A key for {@link seal}, derived by HKDF-SHA-256. Each `purpose` and each `salt` gives another key. */
export function deriveKey(secret: string, salt: string, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, salt, purpose, keyBytes))
}

/**
 * Encrypts `plaintext` with AES-256-GCM: 12 bytes nonce, 16 bytes tag, then the ciphertext. `associatedData` is not
 * stored; {@link open} needs the same again, so it ties the sealed bytes to the row they belong to.
 */
export function seal(key: Uint8Array, plaintext: Uint8Array | string, associatedData = ''): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv(cipherName, key, nonce).setAAD(Buffer.from(associatedData))
  const ciphertext = Buffer.concat([
    cipher.update(typeof plaintext === 'string' ? Buffer.from(plaintext) : plaintext),
    cipher.final(),
  ])
  return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext])
}

/** Decrypts what {@link seal} made. @throws if a byte was altered, or if key or associated data differ */
export function open(key: Uint8Array, sealed: Buffer, associatedData = ''): Buffer {
  const nonce = sealed.subarray(0, nonceBytes)
  const tag = sealed.subarray(nonceBytes, nonceBytes + tagBytes)
  // Without this length, node would also accept a tag that was cut short.
  const decipher = createDecipheriv(cipherName, key, nonce, { authTagLength: tagBytes })
  decipher.setAAD(Buffer.from(associatedData)).setAuthTag(tag)
  return Buffer.concat([decipher.update(sealed.subarray(nonceBytes + tagBytes)), decipher.final()])
}
