import { createDecipheriv } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { deriveKey, open, seal } from '../../server/crypto/seal.ts'

const key = deriveKey('a secret', 'a salt', 'a test')
const row = 'agent_1:0xabc'

test('sealed bytes are nonce, tag and ciphertext of AES-256-GCM', () => {
  const sealed = seal(key, 'Grüße', row)
  expect(sealed).toHaveLength(12 + 16 + Buffer.byteLength('Grüße'))
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12))
  decipher.setAAD(Buffer.from(row)).setAuthTag(sealed.subarray(12, 28))
  expect(decipher.update(sealed.subarray(28), undefined, 'utf8') + decipher.final('utf8')).toBe('Grüße')
})

test.each([
  ['text', 'a text', Buffer.from('a text')],
  ['nothing', '', Buffer.alloc(0)],
  ['bytes', Uint8Array.from([0, 255, 128]), Buffer.from([0, 255, 128])],
])('%s opens as the same bytes', (_, plaintext, bytes) => {
  expect(open(key, seal(key, plaintext, row), row)).toEqual(bytes)
})

test('the same text is sealed differently each time', () => {
  const sealed = Array.from({ length: 20 }, () => seal(key, 'a text').toString('hex'))
  expect(new Set(sealed.map((hex) => hex.slice(0, 24))).size).toBe(20)
  expect(new Set(sealed.map((hex) => hex.slice(56))).size).toBe(20)
})

describe('sealed bytes do not open', () => {
  const sealed = seal(key, 'a text', row)
  const altered = (index: number) => {
    const copy = Buffer.from(sealed)
    copy[index] = (copy[index] ?? 0) ^ 1
    return copy
  }

  test('with any byte altered', () => {
    for (const index of sealed.keys()) expect(() => open(key, altered(index), row)).toThrow()
  })

  test.each([0, 11, 12, 20, 27, 28, sealed.length - 1])('cut off after %i bytes', (length) => {
    expect(() => open(key, sealed.subarray(0, length), row)).toThrow()
  })

  test('with the first bytes of the right tag only', () => {
    const empty = seal(key, '', row)
    expect(open(key, empty, row)).toHaveLength(0)
    expect(() => open(key, empty.subarray(0, 12 + 4), row)).toThrow()
  })

  test('with other associated data or none', () => {
    expect(() => open(key, sealed, 'agent_2:0xabc')).toThrow()
    expect(() => open(key, sealed)).toThrow()
  })

  test.each([
    ['secret', deriveKey('another secret', 'a salt', 'a test')],
    ['salt', deriveKey('a secret', 'another salt', 'a test')],
    ['purpose', deriveKey('a secret', 'a salt', 'another test')],
  ])('under a key of another %s', (_, other) => {
    expect(() => open(other, sealed, row)).toThrow()
  })
})
