import { LRUCache } from 'lru-cache'
import type { ChangedFile, Code, Ends, PullFacts, Size } from '../code.ts'
import type { StoredPull, StoredRepository } from '../entries.ts'
import type { BareRepository } from './bare-repository.ts'
import { GitFailure, served } from './run-git.ts'

const longestDiff = 4 * 1024 * 1024
/** As many files of a comparison as are listed. GitHub lists 3,000 of a pull request, and 300 elsewhere. */
const mostListed = 1000
/** How many characters of lists are remembered, and for how long, in ms; and how many comparisons without theirs, which stay the same for ever. */
const listsKept = {
  ttl: 600_000,
  maxSize: 40_000_000,
  sizeCalculation: (files: ChangedFile[]) => sum(files.map(({ path }) => path.length + 100)) + 1,
}
const sizesKept = { max: 10_000 }
const failuresKept = { max: 1000, ttl: 600_000 }

/** Without lines, as git took too long to count them, `additions` and `deletions` are 0. */
type KnownSize = Size & { hasLines: boolean }

/** What lies between two commits; nothing where git cannot say. */
export function createComparisons(open: (repository: StoredRepository) => Promise<BareRepository>) {
  const changes = rememberChanges()
  const failedDiffs = new LRUCache<string, true>(failuresKept)
  const keyOf = ({ id }: StoredRepository, { baseSha, headSha }: Ends) => `${id} ${baseSha} ${headSha}`
  const changesOf = async (repository: StoredRepository, { baseSha, headSha }: Ends) => {
    const bare = await open(repository)
    const from = await bare.mergeBase(baseSha, headSha).catch(ifFailed(() => undefined))
    return from === undefined ? undefined : changes(bare, from, headSha)
  }
  /** The account whose branch ends with a commit: nobody else pushes to it. */
  const pusherOf = async (repository: StoredRepository, sha: string) => {
    const branches = [...(await (await open(repository)).refs())]
    return branches.find(([, tip]) => tip === sha)?.[0].split('/')[2]
  }
  const changedFiles: Code['changedFiles'] = async (repository, ends) => {
    const files = async () => (await changesOf(repository, ends))?.files() ?? []
    return inTurnOf(await pusherOf(repository, ends.headSha), files)
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
    const [size, count, tree] = await Promise.all([
      inTurnOf(pull.author, () => changesOf(repository, ends).then((found) => found?.size())),
      bare.countCommits(ends.baseSha, ends.headSha).catch(ifFailed(() => 0)),
      pull.state === 'open' ? mergedTree(repository, ends) : undefined,
    ])
    return {
      ...ends,
      commits: count,
      additions: size?.additions ?? 0,
      deletions: size?.deletions ?? 0,
      changedFiles: size?.changedFiles ?? 0,
      mergeable: pull.state === 'open' ? tree !== undefined : null,
    }
  }
  return { changes, changedFiles, mergedTree, commits, distance, pullsWith, diff, counts }
}

/** What the platform reads of an account's work waits for other work of that account alone: one account does not hold up the decisions of others. */
function inTurnOf<T>(login: string | undefined, work: () => Promise<T>): Promise<T> {
  const of = served.getStore()
  return of?.isPlatform && login !== undefined ? served.run({ ...of, login }, work) : work()
}

/**
 * Compares two commits once: requests that come meanwhile wait for the result. The numbers are remembered longer than the files, which are
 * many: a few large pull requests would push one another out, and be compared again each time.
 */
function rememberChanges() {
  const sizes = new LRUCache<string, KnownSize>(sizesKept)
  const lists = new LRUCache<string, ChangedFile[]>(listsKept)
  const comparing = new Map<string, Promise<{ size: KnownSize; files: ChangedFile[] }>>()

  /** Where git does not finish, the files without their lines: a change never looks as if there were none. */
  async function compare(bare: BareRepository, from: string, to: string, key: string) {
    const withLines =
      sizes.get(key)?.hasLines === false
        ? undefined
        : await bare.changedFiles(from, to).catch(ifFailed(() => undefined))
    const all = withLines ?? (await bare.changedFiles(from, to, false).catch(ifFailed(() => [])))
    const size = {
      additions: sum(all.map((file) => file.additions)),
      deletions: sum(all.map((file) => file.deletions)),
      changedFiles: all.length,
      hasLines: withLines !== undefined,
    }
    // Parts of git's output keep all of it, which is most of the memory: they are copied.
    const files = structuredClone(all.slice(0, mostListed))
    sizes.set(key, size)
    lists.set(key, files)
    return { size, files }
  }

  return (bare: BareRepository, from: string, to: string) => {
    const key = `${bare.directory} ${from} ${to}`
    // Nobody waits for the turn of another account, nor the platform for an account's own.
    const { isPlatform, login } = served.getStore() ?? {}
    const turn = `${isPlatform === true} ${login} ${key}`
    const once = () => {
      const started =
        comparing.get(turn) ?? compare(bare, from, to, key).finally(() => comparing.delete(turn))
      comparing.set(turn, started)
      return started
    }
    return {
      size: async () => sizes.get(key) ?? (await once()).size,
      files: async () => lists.get(key) ?? (await once()).files,
    }
  }
}

/** Goes on in another way where git failed; for `catch`. */
function ifFailed<T>(otherwise: () => T): (error: unknown) => T {
  return (error) => {
    if (error instanceof GitFailure) return otherwise()
    throw error
  }
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)
