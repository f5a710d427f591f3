import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { choosePort } from '../../server/embedded/ports.ts'
import { isAlive, listProcesses } from '../../server/embedded/processes.ts'
import { until } from '../support/until.ts'
import { built, run } from './support/service.ts'

/** Starts with these settings, expects the start to fail, and returns what was said on standard error. */
async function refusal(settings: Record<string, string>): Promise<string[]> {
  const service = run(await built('main'), settings)
  expect(await service.exited, service.output()).toBe(1)
  return service.errors().trimEnd().split('\n')
}

async function takenPort(): Promise<string> {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  onTestFinished(() => void other.close())
  return String((other.address() as AddressInfo).port)
}

/** A folder that nothing has been put into, not even itself. */
async function unusedFolder(): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), 'bounty-marketplace-start-'))
  onTestFinished(() => rm(parent, { recursive: true, force: true }))
  return join(parent, 'data')
}

test('broken settings are one line each, without a stack', async () => {
  expect(await refusal({ PORT: 'http', CONFIRMATIONS: '0' })).toEqual([
    'setting PORT: must be a whole number',
    'setting CONFIRMATIONS: must be at least 1',
  ])
})

test('a taken port is one line, before any part is started', async () => {
  const PORT = await takenPort()
  const DATA_DIR = await unusedFolder()
  const service = run(await built('main'), { PORT, DATA_DIR })
  expect(await service.exited).toBe(1)
  expect(service.output()).toBe(`Port ${PORT} is taken: set PORT to another one\n`)
  expect(existsSync(DATA_DIR)).toBe(false)
})

test('npm start without a git that can be used says what does not work; SIGTERM ends it and its parts', async () => {
  const DATA_DIR = await unusedFolder()
  const folder = await mkdtemp(join(tmpdir(), 'old-git-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'git'), '#!/bin/sh\necho git version 2.20.1\n', { mode: 0o755 })
  const service = run(['npm', 'start', '--silent'], {
    PORT: '0',
    DATA_DIR,
    EMBEDDED_CHAIN_PORT: String(await choosePort()),
    EMBEDDED_GITHUB_PORT: String(await choosePort()),
    PATH: `${folder}:${process.env.PATH}`,
  })
  await service.ready()
  const postmaster = Number(
    (await readFile(join(DATA_DIR, 'postgres/data/postmaster.pid'), 'utf8')).split('\n')[0],
  )
  const line =
    'Without git: git 2.20 is older than 2.38, so repositories cannot be cloned or pushed to, ' +
    'and every pull request number counts as open. Install git, then start again.'
  await until(() => (service.output().split('Try it:')[1] ?? '').split('\n').includes(line))
  expect(service.output()).toContain('Rate limits are off')
  const parts = [postmaster, ...(await processesNaming(DATA_DIR))]
  expect(parts.length).toBeGreaterThanOrEqual(2)
  service.signal('SIGTERM')
  await service.exited
  expect((await Promise.all(parts.map(isAlive))).filter(Boolean)).toEqual([])
  expect(service.output()).toContain('SIGTERM: finishing what was accepted')
  expect(existsSync(join(DATA_DIR, 'postgres/data/postmaster.pid'))).toBe(false)
})

async function processesNaming(text: string): Promise<number[]> {
  return (await listProcesses()).filter(({ command }) => command.includes(text)).map(({ pid }) => pid)
}
