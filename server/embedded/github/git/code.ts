import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import pLimit, { type LimitFunction } from 'p-limit'
import { readmeOf, readmePath, type StoredPull, type StoredRepository } from '../entries.ts'
import type { Store } from '../store.ts'
import {
  type BareRepository,
  type ChangedFile,
  type Commit,
  mainRef,
  openBareRepository,
} from './bare-repository.ts'
import { type Git, GitFailure } from './run-git.ts'
import { removeStaleFiles } from './stale-files.ts'

/** What git says about a pull request. */
export interface PullFacts {
  headSha: string
  baseSha: string
  commits: number
  additions: number
  deletions: number
  changedFiles: number
  /** `null` for a merged or closed one. */
  mergeable: boolean | null
}

/** The repositories' code. */
export interface Code {
  /** The folder with all repositories, each in `{id}.git`. */
  root: string
  git: Git
  /** The bare repository; made when it is first needed, with the files that the journal has. */
  open(repository: StoredRepository): Promise<BareRepository>
  /** Runs changes of a repository's own refs one after the other. */
  oneAtATime<T>(repository: StoredRepository, work: () => Promise<T>): Promise<T>
  /** What lies between the ends of a pull request; zeros if git cannot say. */
  counts(repository: StoredRepository, pull: StoredPull, ends: Ends): Promise<PullFacts>
  /** Heads and bases of pull requests; `undefined` for one that has no branch, as one from a time without git. */
  ends(repository: StoredRepository, pulls: StoredPull[]): Promise<(Ends | undefined)[]>
  /** The files that a pull request changes. @throws GitFailure */
  changedFiles(repository: StoredRepository, ends: Ends): Promise<ChangedFile[]>
  commits(repository: StoredRepository, ends: Ends): Promise<Commit[]>
  /** Its changes as text. @throws GitFailure if they are longer than 4 MiB */
  diff(repository: StoredRepository, ends: Ends): Promise<string>
  /** The tree of a pull request merged into its base; `undefined` if they conflict. */
  mergedTree(repository: StoredRepository, ends: Ends): Promise<string | undefined>
}

/** The commits between which a pull request's changes are. */
export interface Ends {
  headSha: string
  baseSha: string
}

const cachedResults = 2_000
/** Texts of changes, each of at most `longestDiff`. */
const cachedDiffs = 16
/** A failure may be that of a busy machine. */
const failureMs = 600_000
const longestDiff = 4 * 1024 * 1024

/** Opens the code in `directory`, and removes what killed commands left there. */
export async function openCode(git: Git, directory: string, store: Store): Promise<Code> {
  const root = join(directory, 'repositories')
  await mkdir(root, { recursive: true })
  const opening = new Map<number, Promise<BareRepository>>()
  const limits = new Map<number, LimitFunction>()

  const open = (repository: StoredRepository) => {
    const { id } = repository
    const opened = opening.get(id) ?? openOrCreate(git, join(root, `${id}.git`), repository)
    opening.set(id, opened)
    opened.catch(() => opening.delete(id)) // the next call tries again
    return opened
  }

  for (const { id } of store.repositories()) {
    const path = join(root, `${id}.git`)
    if (await stat(path).catch(() => undefined)) await removeStaleFiles(path)
  }
  return {
    root,
    git,
    open,
    oneAtATime: (repository, work) => {
      const limit = limits.get(repository.id) ?? pLimit(1)
      limits.set(repository.id, limit)
      return limit(work)
    },
    async ends(repository, pulls) {
      const refs = await (await open(repository)).refs()
      const baseSha = refs.get(mainRef)
      return pulls.map((pull) => {
        if (pull.merge && pull.mergedAt !== null) return pull.merge
        const headSha = refs.get(pullRef(pull.number)) ?? refs.get(branchRef(pull))
        return headSha === undefined || baseSha === undefined ? undefined : { headSha, baseSha }
      })
    },
    commits: async (repository, { baseSha, headSha }) => (await open(repository)).commits(baseSha, headSha),
    ...createComparisons(open),
  }
}

/** What lies between two commits. Git computes each once. */
function createComparisons(
  open: Code['open'],
): Pick<Code, 'changedFiles' | 'mergedTree' | 'diff' | 'counts'> {
  const cached = createCache(cachedResults)
  const cachedDiff = createCache(cachedDiffs)

  const changedFiles = (repository: StoredRepository, { baseSha, headSha }: Ends) =>
    cached(`${repository.id} files ${baseSha} ${headSha}`, async () => {
      const bare = await open(repository)
      return bare.changedFiles(await bare.mergeBase(baseSha, headSha), headSha)
    })
  const mergedTree = (repository: StoredRepository, { baseSha, headSha }: Ends) =>
    cached(`${repository.id} tree ${baseSha} ${headSha}`, async () =>
      (await open(repository)).mergeTree(baseSha, headSha),
    )

  return {
    changedFiles,
    mergedTree,
    diff: (repository, { baseSha, headSha }) =>
      cachedDiff(`${repository.id} ${baseSha} ${headSha}`, async () => {
        const bare = await open(repository)
        return bare.diff(await bare.mergeBase(baseSha, headSha), headSha, longestDiff)
      }),
    async counts(repository, pull, ends) {
      const { baseSha, headSha } = ends
      const [files, commits, tree] = await Promise.all([
        changedFiles(repository, ends).catch(orIfFailed([])),
        cached(`${repository.id} count ${baseSha} ${headSha}`, async () =>
          (await open(repository)).countCommits(baseSha, headSha),
        ).catch(orIfFailed(0)),
        pull.state === 'open' ? mergedTree(repository, ends).catch(orIfFailed(undefined)) : undefined,
      ])
      return {
        ...ends,
        commits,
        additions: sum(files.map((file) => file.additions)),
        deletions: sum(files.map((file) => file.deletions)),
        changedFiles: files.length,
        mergeable: pull.state === 'open' ? tree !== undefined : null,
      }
    },
  }
}

/**
 * Commits never change, so neither does a result that is named by their hashes. A command that failed costs as much as one
 * that did not, so its failure is kept for a while.
 */
function createCache(max: number) {
  const results = new LRUCache<string, Promise<unknown>>({ max })
  return <T>(key: string, compute: () => Promise<T>): Promise<T> => {
    const known = results.get(key) as Promise<T> | undefined
    if (known) return known
    const computed = compute()
    results.set(key, computed)
    computed.catch((error) => {
      if (error instanceof GitFailure) results.set(key, computed, { ttl: failureMs })
      else results.delete(key)
    })
    return computed
  }
}

/** The ref at which a pull request's newest commit stays, whatever becomes of its branch. */
export const pullRef = (number: number) => `refs/pull/${number}/head`

/** The branch that a pull request comes from. GitHub accepts `organization:branch` too. */
export function branchRef({ head }: Pick<StoredPull, 'head'>): string {
  return `refs/heads/${head.slice(head.indexOf(':') + 1)}`
}

async function openOrCreate(git: Git, path: string, repository: StoredRepository): Promise<BareRepository> {
  if (await stat(path).catch(() => undefined)) return openBareRepository(git, path)
  // It gets its name when it is complete, so a crash leaves nothing half made.
  const draft = `${path}.new`
  await rm(draft, { recursive: true, force: true })
  await mkdir(draft)
  await git.run(draft, ['init', '--quiet', '--bare', '--template=', '.'])
  const bare = openBareRepository(git, draft)
  const readme = readmeOf(repository)
  const files = { ...(readme !== null && { [readmePath]: readme }), ...repository.files }
  const by = { name: 'GitHub stand-in', email: 'noreply@localhost', date: repository.createdAt }
  for (const [file, text] of Object.entries(files))
    await bare.commitFile(file, Buffer.from(text), file === readmePath ? 'Initial commit' : `Add ${file}`, by)
  await rename(draft, path)
  return openBareRepository(git, path)
}

/** Whether the folder has repositories with code. */
export async function hasCode(directory: string): Promise<boolean> {
  const names = await readdir(join(directory, 'repositories')).catch(() => [])
  return names.some((name) => name.endsWith('.git'))
}

/** Bytes of a repository on disk, according to git. */
export async function sizeOf(bare: BareRepository, git: Git): Promise<number> {
  const report = await git.run(bare.directory, ['count-objects', '-v'])
  const kib = [...report.matchAll(/^size(?:-pack)?: (\d+)$/gm)].map(([, value]) => Number(value))
  return sum(kib) * 1024
}

/** Takes a value where git failed; for `catch`. */
export function orIfFailed<T>(value: T): (error: unknown) => T {
  return (error) => {
    if (error instanceof GitFailure) return value
    throw error
  }
}

/** Whether git refused a command, in contrast to a command that was ended. */
export function isRefusal(error: unknown): error is GitFailure {
  return error instanceof GitFailure && error.exitCode !== undefined
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)
