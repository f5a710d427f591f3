import { createDecipheriv, createECDH, createHmac, type ECDH } from 'node:crypto'

const kemSuite = Buffer.from('4b454d0010', 'hex')
const hpkeSuite = Buffer.from('48504b45001000010003', 'hex')
const tagBytes = 16

/** A P-256 key pair of node:crypto; `spki` and `point` are the public key in base64. */
export function createRecipient() {
  const pair = createECDH('prime256v1')
  const point = pair.generateKeys()
  const spki = Buffer.concat([
    Buffer.from('3059301306072a8648ce3d020106082a8648ce3d030107034200', 'hex'),
    point,
  ])
  return { pair, point: point.toString('base64'), spki: spki.toString('base64') }
}

/**
 * Opens a message as RFC 9180 spells it out, with node:crypto alone: base mode, DHKEM(P-256, HKDF-SHA256), HKDF-SHA256,
 * ChaCha20-Poly1305, empty info and associated data. @throws if it does not open
 */
export function openHpke(pair: ECDH, encapsulatedKey: string, ciphertext: string): Buffer {
  const enc = Buffer.from(encapsulatedKey, 'base64')
  const sealed = Buffer.from(ciphertext, 'base64')
  const prk = extract(kemSuite, '', 'eae_prk', pair.computeSecret(enc))
  const shared = expand(kemSuite, prk, 'shared_secret', Buffer.concat([enc, pair.getPublicKey()]), 32)
  const empty = Buffer.alloc(0)
  const context = Buffer.concat([
    Buffer.from([0]),
    extract(hpkeSuite, '', 'psk_id_hash', empty),
    extract(hpkeSuite, '', 'info_hash', empty),
  ])
  const secret = extract(hpkeSuite, shared, 'secret', empty)
  const key = expand(hpkeSuite, secret, 'key', context, 32)
  const nonce = expand(hpkeSuite, secret, 'base_nonce', context, 12)
  const cipher = createDecipheriv('chacha20-poly1305', key, nonce, { authTagLength: tagBytes })
  cipher.setAuthTag(sealed.subarray(-tagBytes))
  return Buffer.concat([cipher.update(sealed.subarray(0, -tagBytes)), cipher.final()])
}

function extract(suite: Buffer, salt: Buffer | string, label: string, material: Buffer): Buffer {
  return createHmac('sha256', salt).update('HPKE-v1').update(suite).update(label).update(material).digest()
}

/** For at most 32 bytes, which is one block of HKDF-Expand. */
function expand(suite: Buffer, key: Buffer, label: string, info: Buffer, length: number): Buffer {
  const hmac = createHmac('sha256', key)
    .update(Buffer.from([0, length]))
    .update('HPKE-v1')
    .update(suite)
  return hmac
    .update(label)
    .update(info)
    .update(Buffer.from([1]))
    .digest()
    .subarray(0, length)
}
