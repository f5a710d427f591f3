import { LRUCache } from 'lru-cache'
import type { Code, Ends, PullFacts } from '../code.ts'
import type { StoredPull, StoredRepository } from '../entries.ts'
import type { BareRepository } from './bare-repository.ts'
import { GitFailure } from './run-git.ts'

const longestDiff = 4 * 1024 * 1024
/** How many comparisons that git did not finish are remembered, and for how long, in ms: nobody waits for them again. */
const failuresKept = { max: 1000, ttl: 600_000 }

/** What lies between two commits; nothing where git cannot say. */
export function createComparisons(open: (repository: StoredRepository) => Promise<BareRepository>) {
  const failed = new LRUCache<string, true>(failuresKept)
  /** Compares two commits, unless git has failed to do so before. */
  async function compare<T, E>(
    repository: StoredRepository,
    { baseSha, headSha }: Ends,
    {
      kind,
      how,
      otherwise,
    }: { kind: string; how: (bare: BareRepository, from: string) => Promise<T>; otherwise: E },
  ): Promise<T | E> {
    const key = `${kind} ${repository.id} ${baseSha} ${headSha}`
    if (failed.has(key)) return otherwise
    const bare = await open(repository)
    return bare
      .mergeBase(baseSha, headSha)
      .then((from) => how(bare, from))
      .catch((error) => {
        const value = orIfFailed(otherwise)(error)
        failed.set(key, true)
        return value
      })
  }
  const changedFiles: Code['changedFiles'] = (repository, ends) =>
    compare(repository, ends, {
      kind: 'files',
      how: (bare, from) => bare.changedFiles(from, ends.headSha),
      otherwise: [],
    })
  /** The tree of both ends merged; `undefined` if they conflict. */
  const mergedTree = async (repository: StoredRepository, { baseSha, headSha }: Ends) =>
    (await open(repository)).mergeTree(baseSha, headSha).catch(orIfFailed(undefined))
  const commits: Code['commits'] = async (repository, { baseSha, headSha }) =>
    (await open(repository)).commits(baseSha, headSha).catch(orIfFailed([]))
  const distance: Code['distance'] = async (repository, { baseSha, headSha }) => {
    const bare = await open(repository)
    if (!(await bare.haveCommonHistory(baseSha, headSha))) return undefined
    const [ahead, behind] = await Promise.all([
      bare.countCommits(baseSha, headSha),
      bare.countCommits(headSha, baseSha),
    ])
    return { ahead, behind }
  }
  const pullsWith: Code['pullsWith'] = async (repository, sha) => (await open(repository)).pullsWith(sha)
  const diff: Code['diff'] = (repository, ends) =>
    compare(repository, ends, {
      kind: 'diff',
      how: (bare, from) => bare.diff(from, ends.headSha, longestDiff),
      otherwise: undefined,
    })
  async function counts(repository: StoredRepository, pull: StoredPull, ends: Ends): Promise<PullFacts> {
    const bare = await open(repository)
    const [files, count, tree] = await Promise.all([
      changedFiles(repository, ends),
      bare.countCommits(ends.baseSha, ends.headSha).catch(orIfFailed(0)),
      pull.state === 'open' ? mergedTree(repository, ends) : undefined,
    ])
    return {
      ...ends,
      commits: count,
      additions: sum(files.map((file) => file.additions)),
      deletions: sum(files.map((file) => file.deletions)),
      changedFiles: files.length,
      mergeable: pull.state === 'open' ? tree !== undefined : null,
    }
  }
  return { changedFiles, mergedTree, commits, distance, pullsWith, diff, counts }
}

/** Takes a value where git failed; for `catch`. */
function orIfFailed<T>(value: T): (error: unknown) => T {
  return (error) => {
    if (error instanceof GitFailure) return value
    throw error
  }
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)
