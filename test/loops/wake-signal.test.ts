import { describe, expect, test } from 'vitest'
import { createWakeSignal } from '../../server/loops/wake-signal.ts'

/** Longer than any test runs. */
const forever = 2 ** 30

describe('a sleeping loop', () => {
  test('is woken at once', async () => {
    const signal = createWakeSignal()
    const asleep = signal.createSleep()(forever)
    signal.wake()
    expect(await asleep).toBe(true)
  })

  test('wakes by itself when its time is up', async () => {
    expect(await createWakeSignal().createSleep()(1)).toBe(false)
  })

  test('does not miss a wake that came while it was awake', async () => {
    const signal = createWakeSignal()
    const sleep = signal.createSleep()
    signal.wake()
    expect(await sleep(forever)).toBe(true)
  })

  test('is woken once, however often that was asked for', async () => {
    const signal = createWakeSignal()
    const sleep = signal.createSleep()
    signal.wake()
    signal.wake()
    expect(await sleep(forever)).toBe(true)
    expect(await sleep(1)).toBe(false)
  })

  test('knows nothing of a wake before it began', async () => {
    const signal = createWakeSignal()
    signal.wake()
    expect(await signal.createSleep()(1)).toBe(false)
  })
})

test('one wake is for all loops', async () => {
  const signal = createWakeSignal()
  const asleep = [signal.createSleep()(forever), signal.createSleep()(forever)]
  signal.wake()
  expect(await Promise.all(asleep)).toEqual([true, true])
})
