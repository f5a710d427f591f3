import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { fileStore } from '../../../sdk/src/agent/file-store/index.ts'
import { root } from '../support/package.ts'

let folder: string
let path: string
const memory = (cursor: string) => ({ cursor, underway: {} })
/** Takes the lock and reads. */
async function openStore() {
  const store = fileStore(path)
  const release = await store.lock()
  onTestFinished(release)
  return { ...store, release, memory: await store.load() }
}
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'memory-'))
  path = join(folder, 'agent.json')
})
afterEach(() => rm(folder, { recursive: true }))

test('what is kept is there when the file is opened again, and nothing else is left', async () => {
  const store = await openStore()
  expect(store.memory).toBeUndefined()
  await store.save(memory('act_1'))
  expect((await readdir(folder)).sort()).toEqual(['agent.json', 'agent.json.lock'])
  await store.release()
  expect((await openStore()).memory).toEqual(memory('act_1'))
})

test.each([
  ['broken', '{"agent":{"apiKey":"bmk_secret'],
  ['not even begun', 'bmk_secret'],
  ['null', 'null'],
  ['a list', '[]'],
  ['of something else', '{"apiKey":"bmk_secret"}'],
  ['empty', ''],
])('a file that is %s is refused, untouched, and nothing of it is said', async (_, content) => {
  await writeFile(path, content)
  const error = await openStore().catch((thrown: unknown) => thrown)
  expect(String(error)).toMatch(`MarketplaceError: ${path} is not readable as the memory of an agent. `)
  expect(String(error)).not.toContain('bmk_')
  expect((error as Error).cause).toBeUndefined()
  expect(await readFile(path, 'utf8')).toBe(content)
})

/** A process that opens the file, prints a line, and keeps it open until its input ends. */
function opener(): ChildProcess {
  const program = `import { fileStore } from './sdk/src/agent/file-store/index.ts'
    const store = fileStore(process.argv[1])
    await store.lock()
    console.log('open')
    process.stdin.resume().on('end', async () => {
      await store.save({ cursor: 'act_child', underway: {} })
      process.exit(0)
    })`
  return spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', program, path], {
    cwd: root,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
}

async function opened(): Promise<ChildProcess> {
  const child = opener()
  await once(child.stdout as NodeJS.ReadableStream, 'data')
  return child
}

test('one process uses a file; a second one is told what to do, and a killed one does not count', async () => {
  const first = await opened()
  await expect(openStore()).rejects.toThrow(
    `Process ${first.pid} uses ${path}. Stop it, or give this agent a file of its own. If it is no agent, delete ${path}.lock.`,
  )
  first.kill('SIGKILL')
  await once(first, 'close')
  const store = await openStore()
  await store.save(memory('act_own'))
  expect(await store.load()).toEqual(memory('act_own'))
  // Nor do two agents of one process.
  await expect(openStore()).rejects.toThrow(`Process ${process.pid} uses ${path}.`)
})

test('a process that ends by itself leaves no lock, and one that lost its lock writes nothing', async () => {
  const child = await opened()
  child.stdin?.end()
  expect(await once(child, 'close')).toEqual([0, null])
  expect(await readdir(folder)).toEqual(['agent.json'])

  const loser = await opened()
  await rm(`${path}.lock`)
  const winner = await openStore()
  const said = text(loser.stderr as NodeJS.ReadableStream)
  loser.stdin?.end()
  expect(await once(loser, 'close')).toEqual([1, null])
  expect(await said).toContain(`Another process has taken ${path}.lock`)
  await winner.save(memory('act_own'))
  expect(JSON.parse(await readFile(path, 'utf8')).cursor).toBe('act_own')
})

test('a lock whose process was killed before it wrote its id does not count', async () => {
  await writeFile(`${path}.lock`, '')
  await expect((await openStore()).save(memory('act_own'))).resolves.toBeUndefined()
})
