import { join } from 'node:path'
import pLimit, { type LimitFunction } from 'p-limit'
import {
  Entry,
  type PullChange,
  type Settings,
  type StoredCheck,
  type StoredPull,
  type StoredRepository,
  type StoredStatus,
} from './entries.ts'
import { invalid } from './errors.ts'
import { openJournal } from './journal.ts'

type NewRepository = Omit<StoredRepository, 'id' | 'createdAt' | 'files' | 'collaborators' | 'installed'>
const unset = { files: {}, collaborators: [], installed: false }
type NewPull = Pick<StoredPull, 'repository' | 'title' | 'body' | 'head' | 'base' | 'draft' | 'author'>

/** What git does not keep: repositories, pull requests, checks. Names are compared without regard to letter case. */
export type Store = Awaited<ReturnType<typeof openStore>>

/**
 * Opens the journal in `directory`. Each change is one JSON line, which is on disk before the change takes effect and its
 * promise resolves.
 *
 * @param mostWritten bytes of checks, statuses and texts of pull requests that an account writes, edits until the journal is opened again,
 *   which reduces it
 */
export async function openStore(directory: string, mostWritten: number) {
  const state = createState()
  const journal = await openJournal(join(directory, 'journal.jsonl'), Entry, state)
  const oneAtATime = pLimit(1)
  const { repositories, pullsOf, checks, statuses } = state

  return {
    repositories: () => [...repositories.values()],
    repository: state.find,
    pulls: (name: string) => [...pullsOf(name).values()],
    pull: (name: string, number: number) => pullsOf(name).get(number),
    checks: (repositoryId: number, sha: string) => ofCommit(checks.values(), repositoryId, sha),
    check: (repositoryId: number, id: number) => {
      const check = checks.get(id)
      return check?.repositoryId === repositoryId ? check : undefined
    },
    statuses: (repositoryId: number, sha: string) => ofCommit(statuses, repositoryId, sha),
    /** Logins in lower case. */
    accounts: () => [...state.accounts],
    /** Whether the account got a token, opened a pull request or collaborates. */
    hasAccount: (login: string) => state.accounts.has(key(login)),
    ...createChanges({ ...state, mostWritten }, oneAtATime, async (entry) => {
      await journal.append(entry)
      state.apply(entry)
      return entry
    }),
    close: () => oneAtATime(() => journal.close()),
  }
}

/** The changes of the journal, each derived from the state that the one before has left. */
function createChanges(
  state: ReturnType<typeof createState> & { mostWritten: number },
  oneAtATime: LimitFunction,
  record: <T extends Entry>(entry: T) => Promise<T>,
) {
  const { repositories, pullsOf, checks, statuses } = state
  /** @throws GitHubError 422 if the account has written as much as it may */
  const requireRoom = (writer: string) => {
    if ((state.written.get(key(writer)) ?? 0) > state.mostWritten)
      throw invalid('You have too many checks, statuses, pull requests and edits of them at this code host.')
  }
  const report = <E extends Entry>({ creator }: { creator: string }, entry: () => E) =>
    oneAtATime(async () => {
      requireRoom(creator)
      return record(entry())
    })
  return {
    /** `undefined` if that name is taken. */
    addRepository: (fields: NewRepository): Promise<StoredRepository | undefined> =>
      oneAtATime(async () => {
        if (state.find(fields.name)) return undefined
        const own = { ...unset, id: repositories.size + 1, createdAt: now() }
        return (await record({ repository: { ...fields, ...own } })).repository
      }),
    /** Applies the change that `decide` derives from the current state; if it throws, nothing changes. */
    changeRepository: (
      name: string,
      decide: (repository: StoredRepository) => Partial<Settings>,
    ): Promise<StoredRepository> =>
      oneAtATime(async () => {
        const present = state.find(name)
        if (!present) throw new Error('there is no such repository')
        // Appends the whole repository; the last line about it in the journal is valid.
        return (await record({ repository: { ...present, ...decide(present) } })).repository
      }),
    /** `undefined` if an open one from `head` into `base` exists. */
    addPull: (fields: NewPull): Promise<StoredPull | undefined> =>
      oneAtATime(async () => {
        const existing = pullsOf(fields.repository)
        const isSame = ({ state, head, base }: StoredPull) =>
          state === 'open' && head === fields.head && base === fields.base
        if ([...existing.values()].some(isSame)) return undefined
        requireRoom(writerOf(fields))
        const own = { id: state.pullCount() + 1, number: existing.size + 1, createdAt: now() }
        const unmerged = { state: 'open' as const, merge: null, mergedAt: null, closedAt: null }
        return (await record({ pull: { ...fields, ...own, ...unmerged } })).pull
      }),
    changePull: (name: string, number: number, fields: PullChange, writer?: string): Promise<StoredPull> =>
      oneAtATime(async () => {
        const present = pullsOf(name).get(number)
        if (!present) throw new Error('there is no such pull request')
        const change = { repository: present.repository, number, ...fields, updatedAt: now() }
        if (writer !== undefined) {
          // Texts, not states: everybody can always close.
          requireRoom(writer)
          state.countBytes(writer, change)
        }
        await record({ change })
        return { ...present, ...change }
      }),
    addCheck: async (fields: Omit<StoredCheck, 'id'>) =>
      (await report(fields, () => ({ check: { ...fields, id: checks.size + 1 } }))).check,
    changeCheck: async (check: StoredCheck) => (await report(check, () => ({ check }))).check,
    addStatus: async (fields: Omit<StoredStatus, 'id'>) =>
      (await report(fields, () => ({ status: { ...fields, id: statuses.length + 1 } }))).status,
    addAccount: (login: string) =>
      oneAtATime(async () => {
        if (!state.accounts.has(key(login))) await record({ account: login })
      }),
  }
}

/** All lines of the journal, applied one after the other. */
function createState() {
  const repositories = new Map<string, StoredRepository>()
  const pulls = new Map<string, Map<number, StoredPull>>()
  const checks = new Map<number, StoredCheck>()
  const statuses: StoredStatus[] = []
  const accounts = new Set<string>()
  const written = new Map<string, number>()
  let pullCount = 0
  const pullsOf = (name: string) => pulls.get(key(name)) ?? new Map<number, StoredPull>()

  function applyPull(pull: StoredPull): void {
    const siblings = pullsOf(pull.repository)
    if (!siblings.has(pull.number)) pullCount++
    pulls.set(key(pull.repository), siblings.set(pull.number, pull))
    if (pull.author !== undefined) accounts.add(key(pull.author))
  }

  function countBytes(writer: string, entry: object): void {
    written.set(key(writer), (written.get(key(writer)) ?? 0) + Buffer.byteLength(JSON.stringify(entry)))
  }

  return {
    repositories,
    checks,
    statuses,
    accounts,
    /** Bytes that each account has written. */
    written,
    countBytes,
    pullCount: () => pullCount,
    find: (name: string) => repositories.get(key(name)),
    /** Everything, with as few lines as possible. */
    current: (): Entry[] => [
      ...[...repositories.values()].map((repository) => ({ repository })),
      ...[...pulls.values()].flatMap((siblings) => [...siblings.values()].map((pull) => ({ pull }))),
      ...[...checks.values()].map((check) => ({ check })),
      ...statuses.map((status) => ({ status })),
      ...[...accounts].map((account) => ({ account })),
    ],
    pullsOf,
    apply(entry: Entry): void {
      if ('repository' in entry) {
        const { repository } = entry
        repositories.set(key(repository.name), repository)
        for (const login of repository.collaborators) accounts.add(key(login))
      } else if ('pull' in entry) {
        applyPull(entry.pull)
        countBytes(writerOf(entry.pull), entry.pull)
      } else if ('change' in entry) {
        const present = pullsOf(entry.change.repository).get(entry.change.number)
        if (present) applyPull({ ...present, ...entry.change } as StoredPull)
      } else if ('check' in entry) {
        checks.set(entry.check.id, entry.check)
        countBytes(entry.check.creator, entry.check)
      } else if ('status' in entry) {
        statuses.push(entry.status)
        countBytes(entry.status.creator, entry.status)
      } else accounts.add(key(entry.account))
    },
  }
}

function ofCommit<T extends { repositoryId: number; sha: string }>(
  all: Iterable<T>,
  repositoryId: number,
  sha: string,
): T[] {
  return [...all].filter((one) => one.repositoryId === repositoryId && one.sha === sha)
}

const key = (name: string) => name.toLowerCase()
/** What the platform opens has no author. */
const writerOf = ({ author = '' }: Pick<StoredPull, 'author'>) => author

/** This second, as GitHub writes times. */
export function now(): string {
  return `${new Date().toISOString().slice(0, 19)}Z`
}
