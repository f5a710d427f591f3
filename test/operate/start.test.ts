import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { fromSource, run } from './support/service.ts'
import { surroundings } from './support/surroundings.ts'

vi.setConfig({ testTimeout: 60_000 })

/** Starts with these settings, expects the start to fail, and returns what was said on standard error. */
async function refusal(settings: Record<string, string>): Promise<string[]> {
  const service = run(fromSource, settings)
  expect(await service.exited, service.output()).toBe(1)
  return service.errors().trimEnd().split('\n')
}

async function takenPort(): Promise<string> {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  onTestFinished(() => void other.close())
  return String((other.address() as AddressInfo).port)
}

test('broken settings are one line each, without a stack', async () => {
  expect(await refusal({ PORT: 'http', CONFIRMATIONS: '0' })).toEqual([
    'setting PORT: a whole number',
    'setting CONFIRMATIONS: Too small: expected number to be >=1',
  ])
})

test('a taken port is one line, without a stack', async () => {
  const { settings } = await surroundings()
  const port = await takenPort()
  expect(await refusal({ ...settings, PORT: port })).toEqual([
    `Port ${port} is taken: set PORT to another one`,
  ])
})
