import { setImmediate as turn } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { startPlaces, startRounds } from '../../server/loops/rounds.ts'
import { until } from '../support/until.ts'

/** Longer than any test runs. */
const forever = 2 ** 30

test('a round that reports more is followed by the next at once, and any other by a pause that a wake ends', async () => {
  const left = [true, true, false, true]
  const loop = startRounds(async () => left.shift(), forever)
  onTestFinished(() => loop.stop())
  await until(() => left.length === 1)
  await turn()
  expect(left).toEqual([true])
  loop.wake()
  await until(() => left.length === 0)
})

test('stopping ends rounds that always report more', async () => {
  let rounds = 0
  const loop = startRounds(async () => {
    rounds++
    await turn()
    return true
  }, forever)
  await until(() => rounds > 2)
  await loop.stop()
})

/** A loop with two places over `waiting`, whose work ends when it is told to. */
function places(waiting: string[]) {
  const running = new Map<string, () => void>()
  const asked: number[] = []
  let ended = 0
  const loop = startPlaces<string>({
    places: 2,
    async lease(limit) {
      asked.push(limit)
      return waiting.splice(0, limit)
    },
    async run(work) {
      await new Promise<void>((resolve) => running.set(work, resolve))
      running.delete(work)
    },
    onEnd: () => void ended++,
    pauseMs: forever,
  })
  return { loop, running, asked, names: () => [...running.keys()].join(' '), ended: () => ended }
}

test('places: no more runs at once than there are, and a place that is free is filled at once', async () => {
  const { loop, running, asked, names, ended } = places(['a', 'b', 'c', 'd'])
  await until(() => names() === 'a b')
  loop.wake()
  await turn()
  expect(asked).toEqual([2])
  running.get('a')?.()
  await until(() => names() === 'b c')
  expect([asked, ended()]).toEqual([[2, 1], 1])
  running.get('b')?.()
  running.get('c')?.()
  await until(() => names() === 'd')
  running.get('d')?.()
  await loop.stop()
})

test('places: work that comes is found by a wake, and stopping waits for what runs and leases nothing more', async () => {
  const waiting: string[] = []
  const { loop, running, names } = places(waiting)
  await turn()
  waiting.push('late', 'later', 'never')
  loop.wake()
  await until(() => names() === 'late later')
  let isStopped = false
  const stop = loop.stop().then(() => {
    isStopped = true
  })
  running.get('late')?.()
  await turn()
  expect([isStopped, waiting]).toEqual([false, ['never']])
  running.get('later')?.()
  await stop
  expect(waiting).toEqual(['never'])
})
