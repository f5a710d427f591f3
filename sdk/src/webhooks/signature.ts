import { MarketplaceError } from '../core/errors.ts'

/*
 * What signing and verifying share: a delivery is signed by HMAC-SHA256 over its id, time and body, as Standard Webhooks says.
 */

/**
 * The body of a request as it arrived. A body that was parsed and printed again has another signature, so an object is
 * refused: the `req.body` of Express is raw only behind `express.raw({ type: 'application/json' })`.
 */
export type WebhookBody = string | Uint8Array | ArrayBuffer

/** Bytes that WebCrypto takes. Before TypeScript 5.7, `Uint8Array` has no parameter. */
export type Bytes = ReturnType<typeof Uint8Array.of>

/** The bytes of a key, by the Standard Webhooks specification. */
const fewestBytes = 24
const mostBytes = 64

/** The keys in secrets of webhooks. @throws MarketplaceError if one is none */
export function keysOf(secret: string | readonly string[]): Bytes[] {
  const keys = [secret]
    .flat()
    .map((each) => fromBase64(/^whsec_(.+)/.exec(each)?.[1] ?? '') ?? new Uint8Array())
  if (keys.length > 0 && keys.every(({ length }) => length >= fewestBytes && length <= mostBytes)) return keys
  throw new MarketplaceError('secret must be the whsec_… of a webhook, or a list of such')
}

// No exported type names a `CryptoKey`, which the types of Node do not declare.
const imported = (key: Bytes) =>
  crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify'])

export async function signatureBy(key: Bytes, content: Bytes): Promise<ArrayBuffer> {
  return crypto.subtle.sign('HMAC', await imported(key), content)
}

/** Takes the same time wherever the signature differs. */
export async function isSignedBy(key: Bytes, signature: Bytes, content: Bytes): Promise<boolean> {
  return crypto.subtle.verify('HMAC', await imported(key), signature, content)
}

/** Undefined if `text` is not base64. */
export function fromBase64(text: string): Bytes | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

/** @throws MarketplaceError if `body` was parsed */
export function bytesOf(body: WebhookBody): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body)
  // Not instanceof: the bytes may come from another realm.
  if (ArrayBuffer.isView(body) || Object.prototype.toString.call(body) === '[object ArrayBuffer]')
    return new Uint8Array(body)
  throw new MarketplaceError(
    'body must be the raw body of the request, a string or bytes: it was parsed before',
  )
}

/** What is signed. */
export function contentOf(id: string, timestamp: string, body: Uint8Array): Bytes {
  const head = new TextEncoder().encode(`${id}.${timestamp}.`)
  const all = new Uint8Array(head.length + body.length)
  all.set(head)
  all.set(body, head.length)
  return all
}
