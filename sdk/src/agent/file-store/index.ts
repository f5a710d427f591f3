import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { open, readFile, rename } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import process from 'node:process'
import { MarketplaceError } from '../../core/errors.ts'
import type { AgentMemory, Store } from '../store.ts'

/** Files that this process uses: its own id in a lock says nothing, for after a restart a container gives out the same ids again. */
const used = new Set<string>()

/**
 * A store in a file that only its owner can read. `<file>.lock` holds the id of the process that uses it; that of a process that has
 * crashed counts for nothing. Needs a file system: Node, Bun or Deno.
 */
export function fileStore(file: string): Store {
  const path = resolve(file)
  const lockPath = `${path}.lock`
  const release = () => {
    process.off('exit', release)
    used.delete(path)
    if (holderOf(lockPath) === process.pid) rmSync(lockPath, { force: true })
  }
  return {
    async lock() {
      take(path, lockPath)
      process.once('exit', release)
      return release
    },
    async load() {
      const text = await readFile(path, 'utf8').catch((error) => {
        if (codeOf(error) === 'ENOENT') return undefined
        throw error
      })
      return text === undefined ? undefined : memoryIn(path, text)
    },
    async save(memory) {
      // One of two that began at once after a crash may have taken it from the other.
      if (holderOf(lockPath) !== process.pid)
        throw new MarketplaceError(`Another process has taken ${lockPath}`)
      await writeDurably(path, JSON.stringify(memory, null, 2))
    },
  }
}

function take(path: string, lockPath: string): void {
  for (;;) {
    try {
      if (used.has(path)) throw inUse(process.pid, path)
      writeFileSync(lockPath, String(process.pid), { flag: 'wx', mode: 0o600 })
      used.add(path)
      return
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error
    }
    const holder = holderOf(lockPath)
    if (holder !== process.pid && isAlive(holder)) throw inUse(holder, path)
    rmSync(lockPath, { force: true })
  }
}

function inUse(pid: number | undefined, path: string): MarketplaceError {
  return new MarketplaceError(
    `Process ${pid} uses ${path}. Stop it, or give this agent a file of its own. If it is no agent, delete ${path}.lock.`,
  )
}

/** Undefined if there is no lock, or one whose process was killed before it wrote its id. */
function holderOf(lockPath: string): number | undefined {
  try {
    return Number.parseInt(readFileSync(lockPath, 'utf8'), 10) || undefined
  } catch {
    return undefined
  }
}

function isAlive(pid: number | undefined): boolean {
  if (pid === undefined) return false
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // It lives, but belongs to another user.
    return codeOf(error) === 'EPERM'
  }
}

/** @throws MarketplaceError that repeats nothing of `text`: it may hold an API key */
function memoryIn(path: string, text: string): AgentMemory {
  try {
    const memory = JSON.parse(text)
    if (typeof memory.underway === 'object') return memory
  } catch {
    // Like other JSON: not a memory.
  }
  throw new MarketplaceError(
    `${path} is not readable as the memory of an agent. Name another file, or restore this one: it may hold the only copy of an API key.`,
  )
}

/** A crash leaves the file as it was before, or as it is afterwards. */
async function writeDurably(path: string, text: string): Promise<void> {
  const beside = `${path}.new`
  const file = await open(beside, 'w', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(beside, path)
  // Before this a power failure may bring back the file that was renamed over. Windows opens no folders.
  if (process.platform === 'win32') return
  const folder = await open(dirname(path), 'r')
  await folder.sync().finally(() => folder.close())
}

function codeOf(error: unknown): string | undefined {
  return (error as { code?: string }).code
}
