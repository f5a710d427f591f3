import { afterEach, expect, test } from 'vitest'
import { type BoundedHash, createBoundedHash } from '../../server/auth/bounded-hash.ts'

const open: BoundedHash[] = []
function bounded(options: { concurrency: number; waiting: number }): BoundedHash {
  const made = createBoundedHash(options)
  open.push(made)
  return made
}
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()))
})

test('whoever verifies passes all that wait to hash but the one whose turn it is', async () => {
  const argon2 = bounded({ concurrency: 1, waiting: 20 })
  const stored = await argon2.hash('key')
  let hashed = 0
  const hashing = Array.from({ length: 10 }, async () => {
    await argon2.hash('another key')
    hashed++
  })
  expect(await argon2.verify(stored, 'key')).toBe(true)
  expect(hashed).toBeLessThanOrEqual(2)
  await Promise.all(hashing)
  expect(hashed).toBe(10)
})

test('overloaded for those that hash while too many wait to, and for nobody who verifies', async () => {
  const argon2 = bounded({ concurrency: 1, waiting: 2 })
  const stored = await argon2.hash('key')
  const hashing = Promise.allSettled(Array.from({ length: 5 }, () => argon2.hash('another key')))
  expect(await argon2.verify(stored, 'key')).toBe(true)
  const results = await hashing
  const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  expect(refused).toEqual(Array(2).fill(expect.objectContaining({ code: 'overloaded', retryAfter: 1 })))
})

test('overloaded for those that verify while too many wait to', async () => {
  const argon2 = bounded({ concurrency: 1, waiting: 2 })
  const stored = await argon2.hash('key')
  const results = await Promise.allSettled(Array.from({ length: 5 }, () => argon2.verify(stored, 'key')))
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(2)
})
