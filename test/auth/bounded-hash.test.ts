import * as library from '@node-rs/argon2'
import { expect, test } from 'vitest'
import { createBoundedHash } from '../../server/auth/bounded-hash.ts'

const bounded = (waiting: { known: number; new: number }) =>
  createBoundedHash({
    knownAgents: { atOnce: 1, waiting: waiting.known },
    newAgents: { atOnce: 1, waiting: waiting.new },
  })
const refused = expect.objectContaining({ code: 'overloaded', retryAfter: 1 })

test('hashes have the parameters of the library and verify on both sides', async () => {
  const argon2 = bounded({ known: 2, new: 2 })
  const there = await library.hash('key')
  const parameters = (hash: string) => hash.split('$').slice(0, 4)
  for (const here of [await argon2.hashForNewAgent('key'), await argon2.hashForKnownAgent('key')]) {
    expect(parameters(here)).toEqual(parameters(there))
    expect(await library.verify(here, 'key')).toBe(true)
  }
  expect(await argon2.verify(there, 'key')).toBe(true)
  expect(await argon2.verify(there, 'another key')).toBe(false)
})

test('known agents do not wait for registrations', async () => {
  // One after the other: a busy machine may delay the two hashes of known agents by many of these, not by all.
  const count = 60
  const argon2 = bounded({ known: 1, new: count })
  const stored = await library.hash('key', { memoryCost: 8, timeCost: 1 })
  let hashed = 0
  const registrations = Array.from({ length: count }, async () => {
    await argon2.hashForNewAgent('another key')
    hashed++
  })
  expect(await argon2.verify(stored, 'key')).toBe(true)
  expect(await argon2.hashForKnownAgent('a third key')).toMatch(/^\$argon2id\$/)
  expect(hashed).toBeLessThan(count)
  await Promise.all(registrations)
  expect(hashed).toBe(count)
})

test('a registration is refused while too many wait, and a verification is not', async () => {
  const argon2 = bounded({ known: 1, new: 2 })
  const stored = await library.hash('key')
  const registrations = Promise.allSettled(Array.from({ length: 5 }, () => argon2.hashForNewAgent('new key')))
  expect(await argon2.verify(stored, 'key')).toBe(true)
  expect(reasons(await registrations)).toEqual([refused, refused])
  await expect(argon2.hashForNewAgent('a later key')).resolves.toBeDefined()
})

test('a verification is refused while too many wait', async () => {
  const argon2 = bounded({ known: 2, new: 2 })
  const stored = await library.hash('key')
  const results = await Promise.allSettled(Array.from({ length: 5 }, () => argon2.verify(stored, 'key')))
  expect(reasons(results)).toEqual([refused, refused])
})

function reasons(results: PromiseSettledResult<unknown>[]): unknown[] {
  return results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
}
