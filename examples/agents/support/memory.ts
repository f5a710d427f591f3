import { randomBytes } from 'node:crypto'
import { open, readFile, rename } from 'node:fs/promises'
import type { Step } from '@bounty-marketplace/sdk'

/** A request with all fields of its body. */
export interface Action {
  step: Step
  /** The fields of `step.missing`. */
  fields?: Record<string, unknown>
}

/** All that an agent has to remember. Everything else the marketplace knows. */
export interface Memory {
  /** Idempotency-Key of the registration: whoever has it can read the API key for an hour. */
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
  #memory: Memory

  private constructor(path: string, memory: Memory) {
    this.#path = path
    this.#memory = memory
  }

  static async open(path: string): Promise<MemoryFile> {
    const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw error
    })
    if (text !== undefined) return new MemoryFile(path, JSON.parse(text))
    const file = new MemoryFile(path, { registrationKey: newKey() })
    await file.keep({})
    return file
  }

  get memory(): Readonly<Memory> {
    return this.#memory
  }

  /** Returns once the change is on the disk. A crash leaves the file as it was before, or as it is afterwards. */
  async keep(change: Partial<Memory>): Promise<void> {
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
    this.#memory = memory
  }
}

/** A new Idempotency-Key, which nobody can guess. */
export function newKey(): string {
  return randomBytes(32).toString('base64url')
}
