import { readFileSync, rmSync, writeFileSync } from 'node:fs'

const taken = new Set<Lock>()
process.once('exit', () => {
  for (const lock of taken) lock.release()
})

/** Keeps a second process from a file: `<file>.lock` holds the id of the process that uses it. */
export class Lock {
  readonly #path: string

  private constructor(path: string) {
    this.#path = path
  }

  /**
   * Locks a file until this process ends. The lock of a process that has crashed counts for nothing.
   * @throws Error if another process uses the file
   */
  static take(file: string): Lock {
    const lock = new Lock(`${file}.lock`)
    while (!lock.#create()) {
      const holder = lock.#holder()
      // After a restart, a container gives out the same ids again.
      if (holder !== process.pid && isAlive(holder))
        throw new Error(
          `Process ${holder} uses ${file}. Stop it, or give this agent a file of its own. If it is no agent, delete ${lock.#path}.`,
        )
      rmSync(lock.#path, { force: true })
    }
    taken.add(lock)
    return lock
  }

  /** @throws Error if another process has taken the lock, as one of two may that begin at once after a crash */
  check(): void {
    if (this.#holder() !== process.pid) throw new Error(`Another process has taken ${this.#path}`)
  }

  /** Called when this process ends. */
  release(): void {
    if (this.#holder() === process.pid) rmSync(this.#path, { force: true })
  }

  #create(): boolean {
    try {
      writeFileSync(this.#path, String(process.pid), { flag: 'wx', mode: 0o600 })
      return true
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
      throw error
    }
  }

  /** Undefined if there is no lock, or one whose process was killed before it wrote its id. */
  #holder(): number | undefined {
    try {
      return Number.parseInt(readFileSync(this.#path, 'utf8'), 10) || undefined
    } catch {
      return undefined
    }
  }
}

function isAlive(pid: number | undefined): boolean {
  if (pid === undefined) return false
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // It lives, but belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
