import { blobSha } from './contents.ts'
import { readmeOf, readmePath, type StoredRepository } from './entries.ts'
import { GitHubError } from './errors.ts'
import { mainRef, type Signature } from './git/bare-repository.ts'
import { type Code, isRefusal } from './git/code.ts'
import type { Store } from './store.ts'

/** The files on the main branches: in git, or in the journal where the machine has no git. */
export interface Files {
  /** Whether the repository has a commit. */
  hasMain(repository: StoredRepository): Promise<boolean>
  read(repository: StoredRepository, path: string, ref?: string): Promise<Buffer | undefined>
  /**
   * Writes a file that is, at that moment, the one that `sha` names; without `sha` it must not exist.
   * @throws GitHubError 409, 422
   */
  write(repository: StoredRepository, change: FileChange): Promise<WrittenFile>
}

export interface FileChange {
  path: string
  content: Buffer
  message: string
  sha: string | undefined
  by: Signature
  /** The documentation page that errors link to. */
  page: string
}

/** `previous`: hash of the content before; `commit`: `undefined` without git. */
export interface WrittenFile {
  previous: string | null
  commit: { sha: string; tree: string; parents: string[] } | undefined
}

export function createFiles(store: Store, code: Code | undefined): Files {
  return code ? filesInGit(code) : filesInJournal(store)
}

function filesInGit(code: Code): Files {
  return {
    hasMain: async (repository) => (await (await code.open(repository)).commitOf(mainRef)) !== undefined,
    read: async (repository, path, ref = mainRef) => (await code.open(repository)).readFile(ref, path),
    write: (repository, change) =>
      code.oneAtATime(repository, async () => {
        const bare = await code.open(repository)
        const present = await bare.readFile(mainRef, change.path)
        const previous = present === undefined ? null : blobSha(present)
        check(change, previous)
        const sha = await bare
          .commitFile(change.path, change.content, change.message, change.by)
          .catch((error: unknown) => {
            if (!isRefusal(error)) throw error
            throw new GitHubError(422, 'path contains a malformed path component', change.page)
          })
        return { previous, commit: await bare.commit(sha) }
      }),
  }
}

function filesInJournal(store: Store): Files {
  const textOf = (repository: StoredRepository, path: string) =>
    path === readmePath ? readmeOf(repository) : (repository.files[path] ?? null)
  return {
    hasMain: async (repository) => readmeOf(repository) !== null,
    read: async (repository, path) => {
      const text = textOf(repository, path)
      return text === null ? undefined : Buffer.from(text)
    },
    async write({ name }, change) {
      const { path, content } = change
      let previous: string | null = null
      await store.changeRepository(name, (present) => {
        const text = textOf(present, path)
        previous = text === null ? null : blobSha(Buffer.from(text))
        check(change, previous)
        if (path === readmePath) return { readme: content.toString() }
        return { files: { ...present.files, [path]: content.toString() } }
      })
      return { previous, commit: undefined }
    },
  }
}

function check({ path, sha, page }: FileChange, previous: string | null): void {
  if (previous !== null && sha === undefined)
    throw new GitHubError(422, 'Invalid request.\n\n"sha" wasn\'t supplied.', page)
  if (sha !== undefined && sha !== previous) throw new GitHubError(409, `${path} does not match ${sha}`, page)
}
