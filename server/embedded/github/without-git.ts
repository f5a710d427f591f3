import { createHash } from 'node:crypto'
import type { Code, PullFacts } from './code.ts'
import { blobSha, requireExpected } from './contents.ts'
import { readmePath, type StoredPull, type StoredRepository } from './entries.ts'
import { GitHubError } from './errors.ts'
import type { Store } from './store.ts'

/**
 * What stands for code on a machine without git: the journal has the files, every name is a commit, and a pull request
 * has commits that are made up and cannot be merged.
 *
 * @param strict whether only pull requests exist that were opened here; otherwise any number counts as open
 */
export function withoutGit(store: Store, strict: boolean): Code {
  const textOf = (repository: StoredRepository, path: string) =>
    path === readmePath ? repository.readme : (repository.files[path] ?? null)
  return {
    oneAtATime: (_, _login, work) => work(),
    hasMain: async (repository) => repository.readme !== null,
    async readFile(repository, path) {
      const text = textOf(repository, path)
      return text === null ? undefined : Buffer.from(text)
    },
    async writeFile({ name }, change) {
      const { path, content, message, by } = change
      let previous: string | null = null
      await store.changeRepository(name, (present) => {
        const text = textOf(present, path)
        previous = text === null ? null : blobSha(Buffer.from(text))
        requireExpected(change, previous)
        if (path === readmePath) return { readme: content.toString() }
        return { files: { ...present.files, [path]: content.toString() } }
      })
      return { previous, sha: madeUpSha(`${name} ${blobSha(content)} ${message} ${by.date}`) }
    },
    findCommit: async (_, ref) => ref,
    commit: async () => undefined,
    unopened: (repository, number) => (strict ? undefined : madeUpPull(repository, number)),
    problemOf: async () => undefined,
    hasBranch: async () => true,
    branches: async () => [],
    // Without branches the only news is that it was opened. Recording that sets `updatedAt`.
    watch: async () => async (pull) => (pull.updatedAt === undefined ? { action: 'opened' } : undefined),
    ends: async (repository, pull) => madeUpFacts(repository, pull),
    withEnds: async (repository, pulls) =>
      pulls.map((pull) => ({ pull, ends: madeUpFacts(repository, pull) })),
    facts: async (repository, pull) => madeUpFacts(repository, pull),
    changedFiles: async () => [
      { path: 'work', previousPath: undefined, sha: null, status: 'added', ...madeUpCounts },
    ],
    commits: async () => [],
    distance: async () => ({ ahead: 1, behind: 0 }),
    pullsWith: async () => [],
    diff: async () => madeUpDiff,
    squash: async () => undefined,
    removeBranch: async () => undefined,
    async mergeBranch() {
      throw new GitHubError(404, 'Head does not exist')
    },
  }
}

/** A pull request that has no branch in git has no commits: these are made up. */
export function madeUpFacts(repository: StoredRepository, { head, base }: StoredPull): PullFacts {
  const shaOf = (label: string) => madeUpSha(`${repository.id}/${label}`)
  const counts = { commits: 1, ...madeUpCounts, changedFiles: 1, mergeable: true }
  return { headSha: shaOf(head), baseSha: shaOf(base), ...counts }
}

const madeUpCounts = { additions: 1, deletions: 0 }
const madeUpDiff =
  'diff --git a/work b/work\nnew file mode 100644\n--- /dev/null\n+++ b/work\n@@ -0,0 +1 @@\n+work\n'

const madeUpSha = (text: string) => createHash('sha1').update(text).digest('hex')

/** Ids of pull requests that were opened stay below. */
const firstMadeUpId = 2 ** 31

function madeUpPull(repository: StoredRepository, number: number): StoredPull {
  const fields = { title: `Pull request ${number}`, body: null, head: `change-${number}`, base: 'main' }
  const open = { draft: false, state: 'open', merge: null, mergedAt: null, closedAt: null } as const
  const { name, createdAt } = repository
  return { id: firstMadeUpId + number, repository: name, number, ...fields, ...open, createdAt }
}
