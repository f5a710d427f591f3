import { expect, test } from 'vitest'
import { createIdleTime, pauseAfter } from '../../server/auth/idle-time.ts'

test.each([
  { utilization: 0, share: 1 },
  { utilization: 0.1, share: 0.8 },
  { utilization: 0.4, share: 0.2 },
  { utilization: 0.5, share: 0.1 },
  { utilization: 1, share: 0.1 },
])(
  'work has $share of a core where the event loop is busy $utilization of the time',
  ({ utilization, share }) => {
    const cost = 15
    expect(cost / (cost + pauseAfter(cost, utilization))).toBeCloseTo(share)
  },
)

test('work that fails is its sender’s alone', async () => {
  const inIdleTime = createIdleTime()
  expect(await inIdleTime(async () => 1)).toBe(1)
  await expect(inIdleTime(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(await inIdleTime(async () => 2)).toBe(2)
})
