import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import * as argon2 from '@node-rs/argon2'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createHashingThreads, type HashingThreads } from '../../server/auth/hashing-threads.ts'

const root = join(import.meta.dirname, '../..')

/** Every thread that was started in here, and what it is started with instead where a test says so. */
const started: Worker[] = []
const instead: string[] = []
vi.mock('node:worker_threads', async (original) => {
  const actual = await original<typeof import('node:worker_threads')>()
  class RecordedWorker extends actual.Worker {
    constructor(file: string, options: object) {
      const code = instead.shift()
      super(code ?? file, { ...options, eval: code !== undefined })
      started.push(this)
    }
  }
  return { ...actual, Worker: RecordedWorker }
})

const open: HashingThreads[] = []
function threads(): HashingThreads {
  const made = createHashingThreads()
  open.push(made)
  return made
}
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()))
  started.length = 0
  instead.length = 0
})

describe('what the threads say is what the library says', () => {
  test('of what either of them hashed', async () => {
    const ours = threads()
    const [here, there] = [await ours.hash('key'), await argon2.hash('key')]
    const parameters = (hash: string) => hash.split('$').slice(0, 4)
    expect(parameters(here)).toEqual(parameters(there))
    expect(await argon2.verify(here, 'key')).toBe(true)
    expect(await ours.verify(there, 'key')).toBe(true)
    expect(await ours.verify(there, 'another key')).toBe(false)
  })

  test('of a hash with other parameters', async () => {
    const weak = await argon2.hash('key', { memoryCost: 8, timeCost: 1, parallelism: 1 })
    expect(await threads().verify(weak, 'key')).toBe(true)
  })

  test('of what is no hash: the same message, without the key, and the thread goes on', async () => {
    const ours = threads()
    const error = await argon2.verify('$argon2id$none', 'bmk_secret').catch((thrown) => thrown)
    const thrown = await ours.verify('$argon2id$none', 'bmk_secret').catch((reason) => reason)
    expect(thrown).toBeInstanceOf(Error)
    expect(thrown.message).toBe(error.message)
    expect(thrown.stack).not.toContain('bmk_secret')
    expect(await ours.hash('key')).toMatch(/^\$argon2id\$/)
    expect(started).toHaveLength(1)
  })

  test('however many are asked at once, each gets the answer to its own question', async () => {
    const ours = threads()
    const hashes = await Promise.all(['a', 'b', 'c'].map((text) => ours.hash(text)))
    const right = await Promise.all(hashes.map((hash, nth) => ours.verify(hash, 'abc'.charAt(nth))))
    const wrong = await Promise.all(hashes.map((hash, nth) => ours.verify(hash, 'bca'.charAt(nth))))
    expect([right, wrong]).toEqual([Array(3).fill(true), Array(3).fill(false)])
    expect(started).toHaveLength(3)
  })
})

test.runIf(process.platform === 'linux')(
  'the thread that hashes stands back, and no other one does',
  async () => {
    const ours = threads()
    for (let times = 0; times < 8; times++) await ours.hash('key')
    const usual = getPriority()
    const others = threadsOfProcess().filter(({ nice }) => nice !== usual)
    expect(others).toEqual([{ nice: usual + 10, ticks: expect.any(Number) }])
    // Eight hashes take about ten hundredths of a second.
    expect(others[0]?.ticks).toBeGreaterThanOrEqual(3)
  },
)

describe('a thread that ends', () => {
  test('while it hashes is replaced, and nobody notices', async () => {
    const ours = threads()
    const hashing = [ours.hash('a'), ours.hash('b')]
    await Promise.all(started.map((thread) => thread.terminate()))
    const [a, b] = await Promise.all(hashing)
    expect(await argon2.verify(a ?? '', 'a')).toBe(true)
    expect(await argon2.verify(b ?? '', 'b')).toBe(true)
    expect(started).toHaveLength(4)
  })

  test('while it is idle is replaced when it is needed', async () => {
    const ours = threads()
    await ours.hash('a')
    await started[0]?.terminate()
    expect(await ours.hash('b')).toMatch(/^\$argon2id\$/)
    expect(started).toHaveLength(2)
  })

  test('at its start is tried once more', async () => {
    instead.push('throw new Error("not today")')
    expect(await threads().hash('a')).toMatch(/^\$argon2id\$/)
    expect(started).toHaveLength(2)
  })

  test('twice is told, with the cause and without the key; who comes later is served', async () => {
    const ours = threads()
    instead.push('throw new Error("not today")', 'throw new Error("nor tomorrow")')
    const thrown = await ours.hash('bmk_secret').catch((reason) => reason)
    expect(thrown.message).toBe('the thread that hashes keys has ended')
    expect(thrown.cause.message).toBe('nor tomorrow')
    expect(thrown.stack + thrown.cause.stack).not.toContain('bmk_secret')
    expect(await ours.hash('a')).toMatch(/^\$argon2id\$/)
  })

  test('because all are closed is not replaced; who waits for it or comes later is told', async () => {
    const ours = threads()
    const hashing = ours.hash('a').catch((reason) => reason)
    await ours.close()
    expect((await hashing).message).toBe('the thread that hashes keys has ended')
    await expect(ours.hash('b')).rejects.toThrow('the thread that hashes keys has ended')
    expect(started).toHaveLength(1)
  })
})

test('a process that hashed and has no more to do gets its answer, and ends', () => {
  const script = `
    import { createHashingThreads } from './server/auth/hashing-threads.ts'
    const threads = createHashingThreads()
    void threads.hash('key').then((hash) => console.log(hash))`
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '--eval', script],
    { cwd: root, encoding: 'utf8', timeout: 20_000 },
  )
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(stdout).toMatch(/^\$argon2id\$/)
})

/** Each thread of this process, with its processor time in hundredths of a second. */
function threadsOfProcess(): { nice: number; ticks: number }[] {
  return readdirSync('/proc/self/task').map((id) => {
    const stat = readFileSync(`/proc/self/task/${id}/stat`, 'utf8')
    // The second field is a name in parentheses, which may have spaces.
    const [, , ...fields] = stat.slice(stat.lastIndexOf(')')).split(' ')
    const field = (nth: number) => Number(fields[nth - 4])
    return { nice: field(19), ticks: field(14) }
  })
}
