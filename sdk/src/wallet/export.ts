import { Chacha20Poly1305 } from '@hpke/chacha20poly1305'
import { CipherSuite, DhkemP256HkdfSha256, HkdfSha256 } from '@hpke/core'
import type { Marketplace } from '../client.ts'
import type { CallOptions } from '../core/options.ts'
import type { AgentsExportWalletResponse } from '../generated/schema.ts'

const suite = new CipherSuite({
  kem: new DhkemP256HkdfSha256(),
  kdf: new HkdfSha256(),
  aead: new Chacha20Poly1305(),
})

/** A key pair that one export is encrypted to. The private key cannot be read out of the process. */
export interface ExportKeys {
  /** P-256 public key for `recipient_public_key`: SPKI DER in base64. */
  recipientPublicKey: string
  /** Decrypts what was encrypted to the public key. @throws if it was altered or encrypted to another key */
  decrypt(encapsulatedKey: Uint8Array, ciphertext: Uint8Array): Promise<ArrayBuffer>
}

/** Makes a new key pair. Use it for one export and forget it. */
export async function createExportKeys(): Promise<ExportKeys> {
  const recipientKey = await crypto.subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, false, [
    'deriveBits',
  ])
  const spki = await crypto.subtle.exportKey('spki', recipientKey.publicKey)
  return {
    recipientPublicKey: btoa(String.fromCharCode(...new Uint8Array(spki))),
    // Copies lie in an ArrayBuffer for certain. TypeScript before 5.7 could not say that of the arguments.
    decrypt: (enc, ciphertext) =>
      suite.open({ recipientKey, enc: new Uint8Array(enc) }, new Uint8Array(ciphertext)),
  }
}

/**
 * Opens the response of `agents.exportWallet`, in this process.
 * @param keys the pair whose public key the request had
 * @returns the private key of the managed wallet: `0x` and 64 hex digits
 * @throws if the response was altered or encrypted to another key
 */
export async function openExport(
  { encapsulated_key, ciphertext }: AgentsExportWalletResponse,
  keys: ExportKeys,
): Promise<`0x${string}`> {
  const plaintext = await keys.decrypt(bytesOf(encapsulated_key), bytesOf(ciphertext))
  return new TextDecoder().decode(plaintext) as `0x${string}`
}

/**
 * Exports the private key of the caller's managed wallet. It travels encrypted, and only this process can open it. Keep
 * the key where nobody else reads it: anybody who has it has the wallet.
 * @returns `0x` and 64 hex digits, as viem's `privateKeyToAccount` takes it
 * @throws MarketplaceError
 */
export async function exportWallet(
  market: Pick<Marketplace, 'agents'>,
  options?: CallOptions,
): Promise<`0x${string}`> {
  const keys = await createExportKeys()
  const request = { recipient_public_key: keys.recipientPublicKey }
  return openExport(await market.agents.exportWallet(request, options), keys)
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
}
