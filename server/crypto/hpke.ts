import type { webcrypto } from 'node:crypto'
import { Chacha20Poly1305 } from '@hpke/chacha20poly1305'
import { CipherSuite, DhkemP256HkdfSha256, HkdfSha256 } from '@hpke/core'

/** RFC 9180 in base mode, without `info` and associated data. The suite of Privy's export, so its clients open it. */
const suite = new CipherSuite({
  kem: new DhkemP256HkdfSha256(),
  kdf: new HkdfSha256(),
  aead: new Chacha20Poly1305(),
})
const curve = { name: 'ECDH', namedCurve: 'P-256' }
const pointBytes = 65

/** Reads a P-256 public key in base64: SPKI DER, or the uncompressed point. Undefined if it is none. */
export async function readRecipientKey(base64: string): Promise<webcrypto.CryptoKey | undefined> {
  const bytes = Buffer.from(base64, 'base64')
  const format = bytes.length === pointBytes ? 'raw' : 'spki'
  return crypto.subtle.importKey(format, bytes, curve, true, []).catch(() => undefined)
}

/** Encrypts `text` so that only the holder of the recipient's private key can read it. Both results are base64. */
export async function encryptFor(
  recipientPublicKey: webcrypto.CryptoKey,
  text: string,
): Promise<{ ciphertext: string; encapsulatedKey: string }> {
  const { ct, enc } = await suite.seal({ recipientPublicKey }, new TextEncoder().encode(text))
  return {
    ciphertext: Buffer.from(ct).toString('base64'),
    encapsulatedKey: Buffer.from(enc).toString('base64'),
  }
}
