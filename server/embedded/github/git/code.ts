import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import pLimit, { type LimitFunction } from 'p-limit'
import { readmeOf, readmePath } from '../contents.ts'
import type { StoredPull, StoredRepository } from '../entries.ts'
import type { Store } from '../store.ts'
import { type BareRepository, type ChangedFile, mainRef, openBareRepository } from './bare-repository.ts'
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
  facts(repository: StoredRepository, pull: StoredPull): Promise<PullFacts>
  /** Head and base of a pull request, without its counts. */
  ends(repository: StoredRepository, pull: StoredPull): Promise<Ends>
  /** The files that a pull request changes. */
  changedFiles(repository: StoredRepository, ends: Ends): Promise<ChangedFile[]>
  /** The tree of a pull request merged into its base; `undefined` if they conflict. */
  mergedTree(repository: StoredRepository, ends: Ends): Promise<string | undefined>
}

/** The commits between which a pull request's changes are. */
export interface Ends {
  headSha: string
  baseSha: string
}

const cachedResults = 2_000

export async function openCode(git: Git, directory: string, store: Store): Promise<Code> {
  const root = join(directory, 'repositories')
  await mkdir(root, { recursive: true })
  const opening = new Map<number, Promise<BareRepository>>()
  const limits = new Map<number, LimitFunction>()
  const cached = createCache()

  const open = (repository: StoredRepository) => {
    const { id } = repository
    const opened = opening.get(id) ?? openOrCreate(git, join(root, `${id}.git`), repository)
    opening.set(id, opened)
    opened.catch(() => opening.delete(id)) // the next call tries again
    return opened
  }

  const ends = async (repository: StoredRepository, pull: StoredPull): Promise<Ends> => {
    if (pull.merge && pull.mergedAt !== null) return pull.merge
    const refs = await (await open(repository)).refs()
    const baseSha = refs.get(mainRef)
    if (baseSha === undefined) throw new Error('a repository with a pull request has a main branch')
    return { headSha: refs.get(pullRef(pull.number)) ?? refs.get(branchRef(pull)) ?? baseSha, baseSha }
  }
  const changedFiles = (repository: StoredRepository, { baseSha, headSha }: Ends) =>
    cached(`${repository.id} files ${baseSha} ${headSha}`, async () => {
      const bare = await open(repository)
      return bare.changedFiles(await bare.mergeBase(baseSha, headSha), headSha)
    })
  const mergedTree = (repository: StoredRepository, { baseSha, headSha }: Ends) =>
    cached(`${repository.id} tree ${baseSha} ${headSha}`, async () =>
      (await open(repository)).mergeTree(baseSha, headSha),
    )

  const code: Code = {
    root,
    git,
    open,
    oneAtATime: (repository, work) => {
      const limit = limits.get(repository.id) ?? pLimit(1)
      limits.set(repository.id, limit)
      return limit(work)
    },
    ends,
    changedFiles,
    mergedTree,
    async facts(repository, pull) {
      const found = await ends(repository, pull)
      const [files, commits, tree] = await Promise.all([
        changedFiles(repository, found),
        cached(`${repository.id} count ${found.baseSha} ${found.headSha}`, async () =>
          (await open(repository)).countCommits(found.baseSha, found.headSha),
        ),
        pull.state === 'open' ? mergedTree(repository, found) : undefined,
      ])
      return {
        ...found,
        commits,
        additions: sum(files.map((file) => file.additions)),
        deletions: sum(files.map((file) => file.deletions)),
        changedFiles: files.length,
        mergeable: pull.state === 'open' ? tree !== undefined : null,
      }
    },
  }
  for (const { id } of store.repositories()) {
    const path = join(root, `${id}.git`)
    if (await stat(path).catch(() => undefined)) await removeStaleFiles(path)
  }
  return code
}

/** Commits never change, so neither does a result that is named by their hashes. */
function createCache() {
  const results = new LRUCache<string, Promise<unknown>>({ max: cachedResults })
  return <T>(key: string, compute: () => Promise<T>): Promise<T> => {
    const known = results.get(key) as Promise<T> | undefined
    if (known) return known
    const computed = compute()
    results.set(key, computed)
    computed.catch(() => results.delete(key))
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

/** Bytes of a repository on disk, according to git. */
export async function sizeOf(bare: BareRepository, git: Git): Promise<number> {
  const report = await git.run(bare.directory, ['count-objects', '-v'])
  const kib = [...report.matchAll(/^size(?:-pack)?: (\d+)$/gm)].map(([, value]) => Number(value))
  return sum(kib) * 1024
}

/** Whether git refused a command, in contrast to a command that was ended. */
export function isRefusal(error: unknown): error is GitFailure {
  return error instanceof GitFailure && error.exitCode !== undefined
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)
