import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createOutcomePoller } from '../../server/engines/outcome-poller.ts'
import { until } from '../support/until.ts'

/** Longer than any test runs. */
const forever = 2 ** 30
const log = pino({ level: 'silent' })

interface Outcome {
  state: string
}

/** A poller over outcomes that the test stores; it notes the ids of each poll. */
function pollerOver(stored: Map<string, Outcome>, pollMs = forever) {
  const polls: string[][] = []
  const load = async (ids: string[]) => {
    polls.push(ids)
    return new Map([...stored].filter(([id]) => ids.includes(id)))
  }
  return { poller: createOutcomePoller<Outcome>({ load, pollMs, log }), polls, stored }
}

const patient = () => ({ timeoutMs: forever, signal: new AbortController().signal })

test('a poll gives each waiting request its outcome, with one query for all', async () => {
  const { poller, polls, stored } = pollerOver(new Map())
  const waiting = [poller.wait('a', patient()), poller.wait('b', patient()), poller.wait('a', patient())]
  stored.set('a', { state: 'settled' }).set('b', { state: 'failed' })
  poller.poll()
  expect(await Promise.all(waiting)).toEqual([
    { state: 'settled' },
    { state: 'failed' },
    { state: 'settled' },
  ])
  expect(polls).toEqual([['a', 'b']])
})

test('polls at intervals without being asked, until the outcome is other than running', async () => {
  const { poller, polls, stored } = pollerOver(new Map([['a', { state: 'running' }]]), 1)
  const waiting = poller.wait('a', patient())
  await until(() => polls.length >= 3)
  stored.set('a', { state: 'settled' })
  expect(await waiting).toEqual({ state: 'settled' })
})

test('no poll while no request waits', async () => {
  const { poller, polls } = pollerOver(new Map([['a', { state: 'settled' }]]))
  poller.poll()
  await new Promise((resolve) => setImmediate(resolve))
  expect(polls).toEqual([])
})

test('a request whose time is up gets the last outcome that a poll has found', async () => {
  const { poller } = pollerOver(new Map([['a', { state: 'running' }]]), 1)
  const { signal } = new AbortController()
  expect(await poller.wait('a', { timeoutMs: 100, signal })).toEqual({ state: 'running' })
  expect(await poller.wait('unknown', { timeoutMs: 5, signal })).toBeUndefined()
})

test('a request that was given up before it waits, or while it does, stops waiting at once', async () => {
  const { poller } = pollerOver(new Map())
  expect(await poller.wait('a', { timeoutMs: forever, signal: AbortSignal.abort() })).toBeUndefined()
  const controller = new AbortController()
  const waiting = poller.wait('a', { timeoutMs: forever, signal: controller.signal })
  controller.abort()
  expect(await waiting).toBeUndefined()
})

test('an outcome that is stored during a poll is found by another one right after it', async () => {
  const outcomes = [{ state: 'running' }, { state: 'settled' }]
  let finishFirst = () => {}
  const first = new Promise<void>((resolve) => {
    finishFirst = resolve
  })
  let polls = 0
  const poller = createOutcomePoller<Outcome>({
    load: async () => {
      const outcome = outcomes[polls++] as Outcome
      if (polls === 1) await first
      return new Map([['a', outcome]])
    },
    pollMs: forever,
    log,
  })
  const waiting = poller.wait('a', patient())
  poller.poll()
  // Asked for while the first one is under way.
  poller.poll()
  finishFirst()
  expect(await waiting).toEqual({ state: 'settled' })
})

test('a failed poll is repeated', async () => {
  let polls = 0
  const poller = createOutcomePoller<Outcome>({
    load: async () => {
      if (++polls === 1) throw new Error('database gone')
      return new Map([['a', { state: 'settled' }]])
    },
    pollMs: 1,
    log,
  })
  expect(await poller.wait('a', patient())).toEqual({ state: 'settled' })
  expect(polls).toBe(2)
})
