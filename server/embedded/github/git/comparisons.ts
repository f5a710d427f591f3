import { setTimeout as delay } from 'node:timers/promises'
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

type Open = (repository: StoredRepository) => Promise<BareRepository>

/** How long a reading of a pull request waits for a comparison of its commits, in ms. */
const patienceMs = 3000

const keyOf = ({ id }: StoredRepository, { baseSha, headSha }: Ends) => `${id} ${baseSha} ${headSha}`

/** What lies between two commits; nothing where git cannot say. */
export function createComparisons(open: Open) {
  const changes = rememberChanges()
  const { mergedTree, isMergeable } = rememberMerges(open)
  const failedDiffs = new LRUCache<string, true>(failuresKept)
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
  /** As at GitHub, what git has not found out soon is not known yet: no decision waits for a comparison that its author has made long. */
  async function counts(repository: StoredRepository, pull: StoredPull, ends: Ends): Promise<PullFacts> {
    const bare = await open(repository)
    const isOpen = pull.state === 'open'
    const inTime = <T>(work: () => Promise<T>) =>
      Promise.race([inTurnOf(pull.author, work), delay(patienceMs, undefined, { ref: false })])
    const [size, count, canMerge] = await Promise.all([
      inTime(() => changesOf(repository, ends).then((found) => found?.size())),
      bare.countCommits(ends.baseSha, ends.headSha).catch(ifFailed(() => 0)),
      isOpen ? inTime(() => isMergeable(repository, ends)) : null,
    ])
    const { additions = 0, deletions = 0 } = size ?? {}
    const changedFiles = size?.changedFiles ?? (await leastChanged(bare, ends))
    return { ...ends, commits: count, additions, deletions, changedFiles, mergeable: canMerge ?? null }
  }
  return { changes, changedFiles, mergedTree, commits, distance, pullsWith, diff, counts }
}

/** How many files differ at least, while that is not known for certain: a change never looks as if there were none. */
async function leastChanged(bare: BareRepository, { baseSha, headSha }: Ends): Promise<number> {
  const from = await bare.mergeBase(baseSha, headSha)
  const trees = await Promise.all([from, headSha].map(bare.treeOf))
  return new Set(trees).size - 1
}

/** What the platform reads of an account's work waits for other work of that account alone: one account does not hold up the decisions of others. */
function inTurnOf<T>(login: string | undefined, work: () => Promise<T>): Promise<T> {
  const of = served.getStore()
  return of?.isPlatform && login !== undefined ? served.run({ ...of, login }, work) : work()
}

/** Merges of two commits; none where git does not finish, for which nobody waits again soon. */
function rememberMerges(open: Open) {
  const known = new LRUCache<string, boolean>(sizesKept)
  const ended = new LRUCache<string, true>(failuresKept)
  const trying = onceAtATime<string | undefined>()
  /** The tree of both ends merged; `undefined` if they conflict. */
  const mergedTree = async (repository: StoredRepository, ends: Ends): Promise<string | undefined> => {
    const key = keyOf(repository, ends)
    if (known.get(key) === false || ended.has(key)) return undefined
    return trying(key, async () => {
      const bare = await open(repository)
      const merging = bare.mergeTree(ends.baseSha, ends.headSha, { isDiff: true }).then((tree) => {
        known.set(key, tree !== undefined)
        return tree
      })
      return merging.catch(
        ifFailed(() => {
          ended.set(key, true)
          return undefined
        }),
      )
    })
  }
  const isMergeable = async (repository: StoredRepository, ends: Ends): Promise<boolean> =>
    known.get(keyOf(repository, ends)) ?? (await mergedTree(repository, ends)) !== undefined
  return { mergedTree, isMergeable }
}

/**
 * Compares two commits once: requests that come meanwhile wait for the result. The numbers are remembered longer than the files, which are
 * many: a few large pull requests would push one another out, and be compared again each time.
 */
function rememberChanges() {
  const sizes = new LRUCache<string, KnownSize>(sizesKept)
  const lists = new LRUCache<string, ChangedFile[]>(listsKept)
  const comparing = onceAtATime<{ size: KnownSize; files: ChangedFile[] }>()

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
    const once = () => comparing(key, () => compare(bare, from, to, key))
    return {
      size: async () => sizes.get(key) ?? (await once()).size,
      files: async () => lists.get(key) ?? (await once()).files,
    }
  }
}

/** Work that is done once for all who ask at the same time. Nobody waits for the turn of another account, nor the platform for an account's own. */
function onceAtATime<T>() {
  const running = new Map<string, Promise<T>>()
  return (key: string, work: () => Promise<T>): Promise<T> => {
    const { isPlatform, login } = served.getStore() ?? {}
    const turn = `${isPlatform === true} ${login} ${key}`
    const started = running.get(turn) ?? work().finally(() => running.delete(turn))
    running.set(turn, started)
    return started
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
