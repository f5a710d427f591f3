import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import * as argon2 from '@node-rs/argon2'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createHashingThread, type HashingThread } from '../../server/auth/hashing-thread.ts'

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

const open: HashingThread[] = []
function thread(): HashingThread {
  const made = createHashingThread()
  open.push(made)
  return made
}
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()))
  started.length = 0
  instead.length = 0
})

test('keys that are hashed one after the other share one thread', async () => {
  const ours = thread()
  for (const key of ['a', 'b', 'c']) expect(await argon2.verify(await ours.hash(key), key)).toBe(true)
  expect(started).toHaveLength(1)
})

test.runIf(process.platform === 'linux' && getPriority() < 19)(
  'the thread that hashes stands back, and no other one does',
  async () => {
    const ours = thread()
    const usual = getPriority()
    const others = () => threadsOfProcess().filter(({ nice }) => nice !== usual)
    await ours.hash('key')
    expect(others()).toEqual([{ nice: Math.min(usual + 5, 19), ticks: expect.any(Number) }])
    // The work is done there: its processor time grows with what is hashed.
    while ((others()[0]?.ticks ?? 0) < 3) await ours.hash('key')
  },
)

describe('a thread that ends', () => {
  test('while it hashes is replaced, and nobody notices', async () => {
    const hashing = thread().hash('a')
    await started[0]?.terminate()
    expect(await argon2.verify(await hashing, 'a')).toBe(true)
    expect(started).toHaveLength(2)
  })

  test('while it is idle is replaced when it is needed', async () => {
    const ours = thread()
    await ours.hash('a')
    await started[0]?.terminate()
    expect(await ours.hash('b')).toMatch(/^\$argon2id\$/)
    expect(started).toHaveLength(2)
  })

  test('at its start is tried once more', async () => {
    instead.push('throw new Error("not today")')
    expect(await thread().hash('a')).toMatch(/^\$argon2id\$/)
    expect(started).toHaveLength(2)
  })

  test('twice is told, with the cause and without the key; who comes later is served', async () => {
    const ours = thread()
    instead.push('throw new Error("not today")', 'throw new Error("nor tomorrow")')
    const thrown = await ours.hash('bmk_secret').catch((reason) => reason)
    expect(thrown.message).toBe('the thread that hashes keys has ended')
    expect(thrown.cause.message).toBe('nor tomorrow')
    expect(thrown.stack + thrown.cause.stack).not.toContain('bmk_secret')
    expect(await ours.hash('a')).toMatch(/^\$argon2id\$/)
  })

  test('because it is closed is not replaced; who waits for it or comes later is told', async () => {
    const ours = thread()
    const hashing = ours.hash('a').catch((reason) => reason)
    await ours.close()
    expect((await hashing).message).toBe('the thread that hashes keys has ended')
    await expect(ours.hash('b')).rejects.toThrow('the thread that hashes keys has ended')
    expect(started).toHaveLength(1)
  })
})

test('a process that hashed and has no more to do gets its answer, and ends', () => {
  const script = `
    import { createHashingThread } from './server/auth/hashing-thread.ts'
    void createHashingThread().hash('key').then((hash) => console.log(hash))`
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
