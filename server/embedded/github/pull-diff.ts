import type { Api } from './api.ts'
import type { StoredPull, StoredRepository } from './entries.ts'
import type { ChangedFile } from './git/bare-repository.ts'
import { GitFailure } from './git/run-git.ts'

const mostBytes = 4 * 1024 * 1024

/** The changes of a pull request as text; `undefined` if they are longer than 4 MiB. */
export async function pullDiff(
  { code, pullRequests }: Api,
  repository: StoredRepository,
  pull: StoredPull,
): Promise<string | undefined> {
  if (!code) return ''
  const { baseSha, headSha } = await pullRequests.ends(repository, pull)
  const bare = await code.open(repository)
  return bare.diff(await bare.mergeBase(baseSha, headSha), headSha, mostBytes).catch((error: unknown) => {
    if (error instanceof GitFailure && error.exitCode === undefined) return undefined
    throw error
  })
}

/** The part of a diff that belongs to each file, from its first "@@"; `undefined` for a file without one. */
export function patchesOf(diff: string, files: ChangedFile[]): (string | undefined)[] {
  // Lines of files begin with a space, "+", "-" or "\", so no file can contain this line.
  const parts = diff.split(/^(?=diff --git )/m).filter(Boolean)
  let at = 0
  return files.map(({ status }) => {
    const part = parts[at++]
    if (status === 'changed') at++ // removed as one type, added as another
    const start = part?.search(/^@@ /m) ?? -1
    return start < 0 ? undefined : part?.slice(start).replace(/\n$/, '')
  })
}
