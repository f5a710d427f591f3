import { execFile } from 'node:child_process'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Part } from './serve.ts'

const root = join(import.meta.dirname, '../../..')

/** The output of `npm run build`, inside the repository, because it resolves external packages from there. */
export async function makeSharedBuild(): Promise<Part> {
  const cache = join(root, '.cache')
  await mkdir(cache, { recursive: true })
  // Deletes the builds of runs that were killed.
  for (const name of await readdir(cache)) {
    const [, pid] = /^build-(\d+)$/.exec(name) ?? []
    if (pid !== undefined && !isAlive(Number(pid)))
      await rm(join(cache, name), { recursive: true, force: true })
  }
  const folder = join(cache, `build-${process.pid}`)
  await promisify(execFile)(process.execPath, [join(root, 'server/ops/build.mjs'), folder])
  return {
    value: folder,
    stop: () => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }),
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
