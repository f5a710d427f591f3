import type { Hex } from 'viem'

/** Order of the secp256k1 group: a private key is a number from 1 to one below it. */
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** Whether `text` is 0x and 64 hex characters that can sign. */
export function isPrivateKey(text: string): text is Hex {
  return /^0x[0-9a-fA-F]{64}$/.test(text) && BigInt(text) > 0n && BigInt(text) < order
}
