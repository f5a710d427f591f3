import { expect, test, vi } from 'vitest'
import { choosePort } from '../../server/embedded/ports.ts'

let next = 0
vi.mock('node:crypto', async (original) => ({
  ...(await original<object>()),
  randomInt: (lowest: number) => lowest + next++,
}))

test('fetch refuses none of the lowest ports that are chosen', async () => {
  const ports = await Promise.all(Array.from({ length: 100 }, () => choosePort()))
  const refusals = await Promise.all(
    ports.map((port) => fetch(`http://127.0.0.1:${port}`).catch((error) => String(error.cause?.message))),
  )
  expect(refusals).not.toContain('bad port')
})
