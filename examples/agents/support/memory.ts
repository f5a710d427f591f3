import { randomBytes } from 'node:crypto'
import { open, readFile, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Step } from '@bounty-marketplace/sdk'
import { Lock } from './lock.ts'

/** A request with all fields of its body. */
export interface Action {
  step: Step
  /** The fields of `step.missing`. */
  fields?: Record<string, unknown>
}

/** All that an agent has to remember. Everything else the marketplace knows. */
export interface Memory {
  /** Idempotency-Key of the registration: its holder can read the API key for an hour. */
  registrationKey: string
  agent?: { id: string; apiKey: string }
  /** Up to where the agent has read the events. */
  cursor?: string | undefined
  /** The action that is being carried out, with the Idempotency-Key that every attempt sends. */
  underway?: (Action & { key: string; since: string }) | undefined
}

/** The memory in a file that only its owner can read: the API key in it is the agent's wallet. One process uses a file. */
export class MemoryFile {
  readonly #path: string
  readonly #lock: Lock
  #memory: Memory

  private constructor(path: string, lock: Lock, memory: Memory) {
    this.#path = path
    this.#lock = lock
    this.#memory = memory
  }

  /** Opens the file, or makes it. It is locked until this process ends. */
  static async open(path: string): Promise<MemoryFile> {
    const lock = Lock.take(path)
    const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw error
    })
    if (text !== undefined) return new MemoryFile(path, lock, memoryIn(path, text))
    const file = new MemoryFile(path, lock, { registrationKey: newKey() })
    await file.keep({})
    return file
  }

  get memory(): Readonly<Memory> {
    return this.#memory
  }

  /** Returns once the change is on the disk. A crash leaves the file as it was before, or as it is afterwards. */
  async keep(change: Partial<Memory>): Promise<void> {
    this.#lock.check()
    const memory = { ...this.#memory, ...change }
    const beside = `${this.#path}.new`
    const file = await open(beside, 'w', 0o600)
    try {
      await file.writeFile(JSON.stringify(memory, null, 2))
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(beside, this.#path)
    await syncFolder(dirname(this.#path))
    this.#memory = memory
  }
}

/** @throws Error that repeats nothing of `text`: it may hold an API key */
function memoryIn(path: string, text: string): Memory {
  try {
    const memory = JSON.parse(text)
    if (typeof memory.registrationKey === 'string') return memory
  } catch {
    // Like other JSON: not a memory.
  }
  throw new Error(
    `${path} is not readable as the memory of an agent. Name another file, or restore this one: it may hold the only copy of an API key.`,
  )
}

/** Before this a power failure may bring back the file that was renamed over. Windows opens no folders. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** A new Idempotency-Key, which nobody can guess. */
export function newKey(): string {
  return randomBytes(32).toString('base64url')
}
