import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Removes what a killed git left in a repository: locks, which would refuse every later change, and parts of pushes.
 * Only for a repository that no git process works in.
 */
export async function removeStaleFiles(directory: string): Promise<void> {
  const entries = await readdir(directory, { withFileTypes: true, recursive: true })
  const stale = entries.filter(({ name }) => /\.lock$|^(tmp_|incoming-|index-)/.test(name))
  await Promise.all(stale.map(({ parentPath, path, name }) => rm(join(parentPath ?? path, name), removal)))
}

const removal = { recursive: true, force: true }
