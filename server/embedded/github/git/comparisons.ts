import { LRUCache } from 'lru-cache'
import type { ChangedFile, Code, Ends, PullFacts } from '../code.ts'
import type { StoredPull, StoredRepository } from '../entries.ts'
import type { BareRepository } from './bare-repository.ts'
import { GitFailure } from './run-git.ts'

const longestDiff = 4 * 1024 * 1024
/** How many files of comparisons are remembered, and how many diffs that git did not finish, and for how long, in ms. */
const filesKept = {
  ttl: 600_000,
  maxSize: 100_000,
  sizeCalculation: (files: ChangedFile[]) => files.length + 1,
}
const failuresKept = { max: 1000, ttl: 600_000 }

/** What lies between two commits; nothing where git cannot say. */
export function createComparisons(open: (repository: StoredRepository) => Promise<BareRepository>) {
  const known = new LRUCache<string, ChangedFile[]>(filesKept)
  const failedDiffs = new LRUCache<string, true>(failuresKept)
  const keyOf = ({ id }: StoredRepository, { baseSha, headSha }: Ends) => `${id} ${baseSha} ${headSha}`
  /** Where git does not finish, the files without their lines: a change never looks as if there were none. */
  const changedFiles: Code['changedFiles'] = async (repository, ends) => {
    const key = keyOf(repository, ends)
    const remembered = known.get(key)
    if (remembered) return remembered
    const bare = await open(repository)
    const from = await bare.mergeBase(ends.baseSha, ends.headSha).catch(ifFailed(() => undefined))
    if (from === undefined) return []
    const files = await bare
      .changedFiles(from, ends.headSha)
      .catch(ifFailed(() => bare.changedFiles(from, ends.headSha, false)))
      .catch(ifFailed(() => []))
    known.set(key, files)
    return files
  }
  /** The tree of both ends merged; `undefined` if they conflict. */
  const mergedTree = async (repository: StoredRepository, { baseSha, headSha }: Ends) =>
    (await open(repository)).mergeTree(baseSha, headSha).catch(ifFailed(() => undefined))
  const commits: Code['commits'] = async (repository, { baseSha, headSha }) =>
    (await open(repository)).commits(baseSha, headSha).catch(ifFailed(() => []))
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
  const diff: Code['diff'] = async (repository, ends) => {
    const key = keyOf(repository, ends)
    if (failedDiffs.has(key)) return undefined
    const bare = await open(repository)
    return bare
      .mergeBase(ends.baseSha, ends.headSha)
      .then((from) => bare.diff(from, ends.headSha, longestDiff))
      .catch(
        ifFailed(() => {
          failedDiffs.set(key, true)
          return undefined
        }),
      )
  }
  async function counts(repository: StoredRepository, pull: StoredPull, ends: Ends): Promise<PullFacts> {
    const bare = await open(repository)
    const [files, count, tree] = await Promise.all([
      changedFiles(repository, ends),
      bare.countCommits(ends.baseSha, ends.headSha).catch(ifFailed(() => 0)),
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

/** Goes on in another way where git failed; for `catch`. */
function ifFailed<T>(otherwise: () => T): (error: unknown) => T {
  return (error) => {
    if (error instanceof GitFailure) return otherwise()
    throw error
  }
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)
