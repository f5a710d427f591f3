import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startInBackground } from '../../server/embedded/background-process.ts'
import { readIfPresent } from '../../server/embedded/durable-files.ts'
import { endProcess, isAlive, waitUntilReady } from '../../server/embedded/processes.ts'
import { EmbeddedError } from '../../server/embedded/reporting.ts'
import { temporaryDirectory } from './support.ts'

/** Runs a script of node in the background; it is ready once the file `ready` exists. */
async function start(directory: string, script: string, program = process.execPath) {
  const logPath = join(directory, 'log')
  const isReady = async () => (await readIfPresent(join(directory, 'ready'))) !== undefined
  return startInBackground({
    program,
    args: ['-e', script],
    spawnOptions: (output) => ({ cwd: directory, stdio: ['ignore', output, output] }),
    logPath,
    endSignal: 'SIGTERM',
    cannotRun: ({ message }) => new EmbeddedError(`cannot run: ${message}`),
    untilReady: (pid) => waitUntilReady(pid, isReady, { timeoutMs: 60_000, logPath }),
  })
}

test('a program that becomes ready runs until it is ended', async () => {
  const directory = await temporaryDirectory()
  const started = await start(directory, "fs.writeFileSync('ready', ''); setInterval(() => {}, 1000)")
  const { pid } = started as { pid: number }
  expect(await isAlive(pid)).toBe(true)
  expect(await endProcess(pid, [['SIGTERM', 60_000]])).toBe(true)
  expect(await isAlive(pid)).toBe(false)
})

test('a program that ends first is reported with its own output, not that of earlier runs', async () => {
  const directory = await temporaryDirectory()
  await start(directory, "console.log('first')")
  expect(await start(directory, "console.error('second')")).toEqual({ output: 'second' })
  expect(await readFile(join(directory, 'log'), 'utf8')).toBe('first\nsecond\n')
})

test('a log larger than 4 MiB begins anew', async () => {
  const directory = await temporaryDirectory()
  await writeFile(join(directory, 'log'), 'x'.repeat(4 * 1024 * 1024 + 1))
  expect(await start(directory, "console.log('new')")).toEqual({ output: 'new' })
  expect(await readFile(join(directory, 'log'), 'utf8')).toBe('new\n')
})

test('a program that this machine cannot run is the error of its service', async () => {
  const directory = await temporaryDirectory()
  await expect(start(directory, '', join(directory, 'none'))).rejects.toThrow(/^cannot run: .*ENOENT/)
})

test('a program that does not become ready in time is an error that names its log', async () => {
  const logPath = '/somewhere/log'
  const never = waitUntilReady(process.pid, async () => false, { timeoutMs: 0, logPath })
  await expect(never).rejects.toThrow(`Process ${process.pid} does not become ready; see its log ${logPath}`)
})

test('a program that ignores every signal is killed', async () => {
  const directory = await temporaryDirectory()
  const script = "process.on('SIGTERM', () => {}); fs.writeFileSync('ready', ''); setInterval(() => {}, 1000)"
  const { pid } = (await start(directory, script)) as { pid: number }
  expect(await endProcess(pid, [['SIGTERM', 100]])).toBe(false)
  expect(await isAlive(pid)).toBe(false)
})
