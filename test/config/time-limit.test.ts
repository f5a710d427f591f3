import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { limitSignal } from '../../server/config/time-limit.ts'
import { silence, startScriptedServer } from '../sdk/support/scripted-server.ts'

const server = await startScriptedServer()
server.script(silence)

test('a request ends when its time is over, although the garbage was collected meanwhile', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const budget = new AbortController()
  const sent = fetch(server.url, { signal: limitSignal(200, budget.signal) })
  const collecting = setInterval(collect, 20)
  await expect(sent)
    .rejects.toMatchObject({ name: 'TimeoutError' })
    .finally(() => clearInterval(collecting))
})

test('it ends as the other signal does, also if that has aborted', async () => {
  const budget = new AbortController()
  const signal = limitSignal(60_000, budget.signal)
  expect(signal.aborted).toBe(false)
  budget.abort(new Error('enough'))
  expect(signal.reason).toEqual(new Error('enough'))
  expect(limitSignal(60_000, budget.signal).reason).toBe(signal.reason)
})
