import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { isRead, type NoReading, withinPatience } from '../../server/chain/patience.ts'
import { ServiceError } from '../../server/errors.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const failing = async (code: NoReading | 'project_not_found') => {
  throw new ServiceError(code)
}

test('gives what was read, and leaves no timer behind', async () => {
  const read = await withinPatience(Promise.resolve(7), 1000)
  expect([read, isRead(read), vi.getTimerCount()]).toEqual([7, true, 0])
})

test('says that the chain does not respond once the time is over', async () => {
  const read = withinPatience(new Promise<number>(() => undefined), 1000)
  await vi.advanceTimersByTimeAsync(1000)
  expect([await read, isRead(await read), vi.getTimerCount()]).toEqual(['chain_unreachable', false, 0])
})

test.each(['chain_not_configured', 'token_not_deployed', 'chain_unreachable'] as const)(
  'says %s',
  async (code) => {
    expect(await withinPatience(failing(code), 1000)).toBe(code)
    // As tRPC throws it.
    const wrapped = failing(code).catch((cause: unknown) => Promise.reject(new Error('', { cause })))
    expect(await withinPatience(wrapped, 1000)).toBe(code)
    expect(vi.getTimerCount()).toBe(0)
  },
)

test('throws what else the reading throws', async () => {
  await expect(withinPatience(failing('project_not_found'), 1000)).rejects.toMatchObject({
    code: 'project_not_found',
  })
  expect(vi.getTimerCount()).toBe(0)
})
