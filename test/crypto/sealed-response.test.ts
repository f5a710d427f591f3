import { expect, test } from 'vitest'
import { digestOfKey, openBody, sealBody } from '../../server/crypto/sealed-response.ts'

const key = 'c0a8a3de-51b5-4c39-a7e5-4c2f37a8d6b1'
const body = '{"agent":{"id":"agent_1","name":"Ümlaut"}}'
/** As 1.0.0 stores it. */
const stored = {
  digest: 'ed4d48f61f469b62f6280b9f7c8840c4581f73cf4ec1de85d3686ae1ad182f0f',
  sealed:
    '73bc181ba1c9e527c3104a5cf603db9efc25d95d83422f3de6d0d0e69715f8fb1577a2413cf1f162d84cfe1e2cb99c122ec76d6f0a745e6' +
    'bb30006fb1a2f79efb08dbaec777b21',
}

test('a response that 1.0.0 has stored is found and opens', () => {
  expect(digestOfKey('register', key).toString('hex')).toBe(stored.digest)
  expect(openBody(key, 'register', Buffer.from(stored.sealed, 'hex'))).toBe(body)
})

test('a response opens with its own key and scope only', () => {
  const sealed = sealBody(key, 'register', body)
  expect(openBody(key, 'register', sealed)).toBe(body)
  expect(() => openBody(`${key}0`, 'register', sealed)).toThrow()
  expect(() => openBody(key, 'agent_1', sealed)).toThrow()
})
