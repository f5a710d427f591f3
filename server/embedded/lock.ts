import { createHash } from 'node:crypto'
import { rm, stat } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EmbeddedError, errorCode } from './reporting.ts'

/**
 * Makes this process the only one that uses `directory`. The lock is a listening socket whose name is derived from the
 * directory. The operating system releases it however the process ends, so a lock cannot be stale (on macOS a dead
 * socket file remains and is replaced).
 *
 * @returns releases the lock
 * @throws EmbeddedError if another process has it
 */
export async function lockDirectory(directory: string): Promise<() => Promise<void>> {
  const name = await socketName(directory)
  try {
    return release(await listen(name))
  } catch (error) {
    if (errorCode(error) !== 'EADDRINUSE') throw error
  }
  const file = !name.startsWith('\0') && process.platform !== 'win32'
  if (file && !(await isListening(name))) {
    await rm(name, { force: true })
    return release(await listen(name))
  }
  throw new EmbeddedError(
    `Another process already runs on ${directory}: stop it, or set DATA_DIR to another folder`,
  )
}

async function socketName(directory: string): Promise<string> {
  const { dev, ino } = await stat(directory, { bigint: true })
  const digest = createHash('sha256').update(`${dev}:${ino}`).digest('hex').slice(0, 32)
  if (process.platform === 'linux') return `\0bounty-marketplace-${digest}`
  if (process.platform === 'win32') return `\\\\.\\pipe\\bounty-marketplace-${digest}`
  return join(tmpdir(), `bounty-marketplace-${digest}.sock`)
}

function listen(name: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy())
    server.once('error', reject)
    server.listen(name, () => resolve(server.unref()))
  })
}

function isListening(name: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(name)
    socket.once('error', () => resolve(false))
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
  })
}

function release(server: Server): () => Promise<void> {
  return () => new Promise((resolve) => server.close(() => resolve()))
}
