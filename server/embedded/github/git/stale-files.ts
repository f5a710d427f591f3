import { readdir, rm } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'

/**
 * Removes what a killed git left in a repository: locks, which would refuse every later change, and parts of pushes.
 * Only for a repository that no git process works in.
 */
export async function removeStaleFiles(directory: string): Promise<void> {
  const entries = await readdir(directory, { withFileTypes: true, recursive: true })
  const stale = entries.filter(({ name, parentPath }) => {
    const [top = ''] = relative(directory, parentPath).split(sep)
    // Below `refs` the names are those of branches, and no branch can end in ".lock".
    return name.endsWith('.lock') || (top !== 'refs' && /^(tmp_|incoming-|index-)/.test(name))
  })
  await Promise.all(
    stale.map(({ parentPath, name }) => rm(join(parentPath, name), { recursive: true, force: true })),
  )
}
