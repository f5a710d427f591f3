import { createHmac, timingSafeEqual } from 'node:crypto'
import { customAlphabet } from 'nanoid'

const prefix = 'bmk_'
const idLength = 16
const secretLength = 28
const checksumLength = 16
const longest = 200

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const newKeyId = customAlphabet(base62, idLength)
/** 28 characters of 62: 166 bits. */
const newSecret = customAlphabet(base62, secretLength)
/** 43 characters of 62: 256 bits. */
const newTokenSecret = customAlphabet(base62, 43)
const shape = new RegExp(`^${prefix}([0-9A-Za-z]{${idLength}})_[0-9A-Za-z]{${secretLength}}$`)

const tokenShape = /^bmt_(work|read)_[0-9A-Za-z]{43}$/

/** An API key, `bmk_<key id>_<secret><checksum>`, or an access token, `bmt_<scope>_<secret><checksum>`. */
export interface Credential {
  /** All of it. */
  text: string
  /** The public part of a key; null for a token. */
  keyId: string | null
}

/** A new random key whose checksum is made with `checksumKey`. */
export function newApiKey(checksumKey: Buffer): Credential & { keyId: string } {
  const keyId = newKeyId()
  const body = `${prefix}${keyId}_${newSecret()}`
  return { text: body + checksum(body, checksumKey), keyId }
}

/** A new random access token whose checksum is made with `checksumKey`. */
export function newAccessToken(scope: 'work' | 'read', checksumKey: Buffer): string {
  const body = `bmt_${scope}_${newTokenSecret()}`
  return body + checksum(body, checksumKey)
}

const anywhere = /bmk_[0-9A-Za-z]{16}_[0-9A-Za-z]{44}|bmt_(work|read)_[0-9A-Za-z]{59}/

/** Whether a text holds what looks like a key or a token, which nobody should publish. */
export function holdsCredential(text: string): boolean {
  return anywhere.test(text)
}

/** The value of an `Authorization: Bearer` header, which need not be a key. */
function readBearer(authorization: string | undefined): string | undefined {
  return /^Bearer +(\S+)$/i.exec((authorization ?? '').slice(0, longest))?.[1]
}

/**
 * The key or token in an `Authorization: Bearer` header, `null` unless its checksum is right. It takes the same steps for
 * every wrong one: microseconds, without the database and without argon2.
 */
export function readCredential(authorization: string | undefined, checksumKey: Buffer): Credential | null {
  const bearer = readBearer(authorization)
  const text = bearer ?? (authorization ?? '').slice(0, longest)
  const body = text.slice(0, -checksumLength)
  const genuine = equal(text.slice(-checksumLength), checksum(body, checksumKey))
  const keyId = shape.exec(body)?.[1] ?? null
  const isToken = tokenShape.test(body)
  return bearer && genuine && (keyId || isToken) ? { text, keyId } : null
}

/** The checksum key is no credential: a thief of it can only make guesses that reach argon2. */
function checksum(body: string, checksumKey: Buffer): string {
  return createHmac('sha256', checksumKey).update(body).digest('hex').slice(0, checksumLength)
}

function equal(given: string, expected: string): boolean {
  const padded = Buffer.alloc(checksumLength)
  padded.write(given, 'latin1')
  return timingSafeEqual(padded, Buffer.from(expected, 'latin1')) && given.length === checksumLength
}
