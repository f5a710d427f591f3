import * as library from '@node-rs/argon2'
import { afterEach, expect, test } from 'vitest'
import { type BoundedHash, createBoundedHash } from '../../server/auth/bounded-hash.ts'

const open: BoundedHash[] = []
function bounded(waiting: { verifying: number; hashing: number }): BoundedHash {
  const made = createBoundedHash({
    verifying: { atOnce: 1, waiting: waiting.verifying },
    hashing: { waiting: waiting.hashing },
  })
  open.push(made)
  return made
}
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()))
})

test('what one hashed the library verifies, and the other way round', async () => {
  const argon2 = bounded({ verifying: 2, hashing: 2 })
  const [here, there] = [await argon2.hash('key'), await library.hash('key')]
  const parameters = (hash: string) => hash.split('$').slice(0, 4)
  expect(parameters(here)).toEqual(parameters(there))
  expect(await library.verify(here, 'key')).toBe(true)
  expect(await argon2.verify(there, 'key')).toBe(true)
  expect(await argon2.verify(there, 'another key')).toBe(false)
})

test('who is known waits for nobody who registers', async () => {
  const argon2 = bounded({ verifying: 1, hashing: 20 })
  const stored = await library.hash('key', { memoryCost: 8, timeCost: 1 })
  let hashed = 0
  const hashing = Array.from({ length: 10 }, async () => {
    await argon2.hash('another key')
    hashed++
  })
  expect(await argon2.verify(stored, 'key')).toBe(true)
  expect(await argon2.hashForKnown('a third key')).toMatch(/^\$argon2id\$/)
  expect(hashed).toBeLessThan(10)
  await Promise.all(hashing)
  expect(hashed).toBe(10)
})

test('overloaded for those that hash while too many wait to, and for nobody who verifies', async () => {
  const argon2 = bounded({ verifying: 1, hashing: 2 })
  const stored = await argon2.hash('key')
  const hashing = Promise.allSettled(Array.from({ length: 5 }, () => argon2.hash('another key')))
  expect(await argon2.verify(stored, 'key')).toBe(true)
  const results = await hashing
  const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  expect(refused).toEqual(Array(2).fill(expect.objectContaining({ code: 'overloaded', retryAfter: 1 })))
})

test('overloaded for those that verify while too many wait to', async () => {
  const argon2 = bounded({ verifying: 2, hashing: 2 })
  const stored = await argon2.hash('key')
  const results = await Promise.allSettled(Array.from({ length: 5 }, () => argon2.verify(stored, 'key')))
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(2)
})
