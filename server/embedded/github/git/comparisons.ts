import { LRUCache } from 'lru-cache'
import type { Code, Ends, PullFacts } from '../code.ts'
import type { StoredPull, StoredRepository } from '../entries.ts'
import type { BareRepository } from './bare-repository.ts'
import { GitFailure } from './run-git.ts'

const cachedResults = 2_000
/** Texts of changes, each of at most `longestDiff`. */
const cachedDiffs = 16
/** A failure may be that of a busy machine. */
const failureMs = 600_000
const longestDiff = 4 * 1024 * 1024

interface Comparisons extends Pick<Code, 'changedFiles' | 'commits' | 'diff'> {
  /** What lies between the ends of a pull request; zeros if git cannot say. */
  counts(repository: StoredRepository, pull: StoredPull, ends: Ends): Promise<PullFacts>
  /** The tree of both ends merged; `undefined` if they conflict. */
  mergedTree(repository: StoredRepository, ends: Ends): Promise<string | undefined>
}

/** What lies between two commits. Git computes each once. */
export function createComparisons(
  open: (repository: StoredRepository) => Promise<BareRepository>,
): Comparisons {
  const cached = createCache(cachedResults)
  const cachedDiff = createCache(cachedDiffs)

  const changedFiles: Code['changedFiles'] = (repository, { baseSha, headSha }) =>
    cached(`${repository.id} files ${baseSha} ${headSha}`, async () => {
      const bare = await open(repository)
      return bare.changedFiles(await bare.mergeBase(baseSha, headSha), headSha)
    }).catch(orIfFailed([]))
  const mergedTree: Comparisons['mergedTree'] = (repository, { baseSha, headSha }) =>
    cached(`${repository.id} tree ${baseSha} ${headSha}`, async () =>
      (await open(repository)).mergeTree(baseSha, headSha),
    ).catch(orIfFailed(undefined))

  return {
    changedFiles,
    mergedTree,
    commits: async (repository, { baseSha, headSha }) =>
      (await open(repository)).commits(baseSha, headSha).catch(orIfFailed([])),
    diff: (repository, { baseSha, headSha }) =>
      cachedDiff(`${repository.id} ${baseSha} ${headSha}`, async () => {
        const bare = await open(repository)
        return bare.diff(await bare.mergeBase(baseSha, headSha), headSha, longestDiff)
      }).catch(orIfFailed(undefined)),
    async counts(repository, pull, ends) {
      const { baseSha, headSha } = ends
      const [files, commits, tree] = await Promise.all([
        changedFiles(repository, ends),
        cached(`${repository.id} count ${baseSha} ${headSha}`, async () =>
          (await open(repository)).countCommits(baseSha, headSha),
        ).catch(orIfFailed(0)),
        pull.state === 'open' ? mergedTree(repository, ends) : undefined,
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

/** Takes a value where git failed; for `catch`. */
function orIfFailed<T>(value: T): (error: unknown) => T {
  return (error) => {
    if (error instanceof GitFailure) return value
    throw error
  }
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)
