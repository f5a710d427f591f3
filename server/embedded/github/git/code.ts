import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Code, type Ends, mergedNow, mostWaiting } from '../code.ts'
import { blobSha, requireExpected } from '../contents.ts'
import { ownerOf, readmePath, type StoredPull, type StoredRepository } from '../entries.ts'
import { GitHubError, invalid } from '../errors.ts'
import { now, type Store } from '../store.ts'
import { madeUpFacts } from '../without-git.ts'
import { type BareRepository, mainRef, openBareRepository } from './bare-repository.ts'
import { createComparisons } from './comparisons.ts'
import { turnsInRepositories } from './in-turn.ts'
import type { PushLimits } from './push-rules.ts'
import { openReceiver, type ReceiveBody } from './receive-body.ts'
import { type Git, GitFailure, inRepositoryTurn } from './run-git.ts'
import { removeStaleFiles } from './stale-files.ts'

/** Code that is in git, and what serves it. */
export interface GitCode extends Code {
  /** The folder with all repositories, each in `{id}.git`. */
  root: string
  git: Git
  /** The bare repository; made when it is first needed, with the files that the journal has. */
  open(repository: StoredRepository): Promise<BareRepository>
  createReceiver(): ReceiveBody
  /**
   * Runs a push of an account, the only one of its repository, and then frees the space of what branches held that it removed.
   * @throws TooManyWaiting
   */
  pushOneAtATime(repository: StoredRepository, login: string, push: () => Promise<void>): Promise<void>
  /** Whether another account waits to push. */
  isPushAwaited(repository: StoredRepository): boolean
}

/** Opens the code in `directory`, and removes what killed commands left there. */
export async function openCode(
  git: Git,
  directory: string,
  { store, limits }: { store: Store; limits: PushLimits },
): Promise<GitCode> {
  const root = join(directory, 'repositories')
  await mkdir(root, { recursive: true })
  const createReceiver = await openReceiver(join(directory, 'received'))
  const opening = new Map<number, Promise<BareRepository>>()
  const inTurn = turnsInRepositories()
  const oneAtATime: Code['oneAtATime'] = (repository, login, work, most) =>
    inTurn(repository, login, () => inRepositoryTurn(work), most)

  const open: GitCode['open'] = (repository) => {
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
  const { counts, mergedTree, changes, ...comparisons } = createComparisons(open)
  const endsInGit = async (repository: StoredRepository, pulls: StoredPull[]) => {
    const refs = await (await open(repository)).refs()
    const baseSha = refs.get(mainRef)
    return pulls.map((pull): Ends | undefined => {
      if (pull.merge && pull.mergedAt !== null) return pull.merge
      const headSha = refs.get(pullRef(pull.number)) ?? refs.get(branchRef(pull))
      return headSha === undefined || baseSha === undefined ? undefined : { headSha, baseSha }
    })
  }
  return {
    root,
    git,
    open,
    oneAtATime,
    createReceiver,
    ...pushesTo(open, oneAtATime, limits),
    ...filesIn(open, oneAtATime),
    ...commitsIn(open, changes),
    ...branchesIn(open),
    ...mergesIn(open, oneAtATime, mergedTree),
    ...comparisons,
    unopened: () => undefined,
    async ends(repository, pull) {
      const [known] = await endsInGit(repository, [pull])
      return known ?? madeUpFacts(repository, pull)
    },
    async withEnds(repository, pulls) {
      const known = await endsInGit(repository, pulls)
      return pulls.map((pull, index) => ({ pull, ends: known[index] ?? madeUpFacts(repository, pull) }))
    },
    async facts(repository, pull) {
      const [ends] = await endsInGit(repository, [pull])
      return ends ? counts(repository, pull, ends) : madeUpFacts(repository, pull)
    },
  }
}

type Open = GitCode['open']

function pushesTo(
  open: Open,
  oneAtATime: Code['oneAtATime'],
  limits: PushLimits,
): Pick<GitCode, 'pushOneAtATime' | 'isPushAwaited'> {
  const inTurn = turnsInRepositories()
  return {
    isPushAwaited: inTurn.isAwaited,
    pushOneAtATime(repository, login, push) {
      const run = async () => {
        const bare = await open(repository)
        // A merge writes commits that no ref has yet. A failure is healed by a later push.
        const collect = () =>
          oneAtATime(repository, login, () => bare.collectGarbage().catch(() => undefined))
        // What a push by force has replaced takes the room of others.
        if ((await bare.size()) + limits.push > limits.repository) await collect()
        const before = await bare.refs()
        await push().finally(bare.removeBrokenOff)
        const after = await bare.refs()
        const isRemoved = [...before.keys()].some((ref) => !after.has(ref))
        if (isRemoved) await collect()
      }
      return inTurn(repository, login, () => inRepositoryTurn(run), mostWaiting)
    },
  }
}

function filesIn(
  open: Open,
  oneAtATime: Code['oneAtATime'],
): Pick<Code, 'hasMain' | 'readFile' | 'writeFile'> {
  return {
    hasMain: async (repository) => (await (await open(repository)).commitOf(mainRef)) !== undefined,
    readFile: async (repository, path, sha = mainRef) => (await open(repository)).readFile(sha, path),
    writeFile: (repository, change) =>
      oneAtATime(repository, change.by.name, async () => {
        const bare = await open(repository)
        const present = await bare.readFile(mainRef, change.path)
        const previous = present === undefined ? null : blobSha(present)
        requireExpected(change, previous)
        const sha = await bare
          .commitFile(change.path, change.content, change.message, change.by)
          .catch((error: unknown) => {
            // Git refused the command, in contrast to one that was ended.
            if (!(error instanceof GitFailure) || error.exitCode === undefined) throw error
            throw invalid('path contains a malformed path component')
          })
        return { previous, sha }
      }),
  }
}

function commitsIn(
  open: Open,
  changes: ReturnType<typeof createComparisons>['changes'],
): Pick<Code, 'findCommit' | 'commit'> {
  return {
    async findCommit(repository, ref) {
      const bare = await open(repository)
      if (/^[0-9a-f]{7,40}$/.test(ref)) {
        const found = await bare.commitOf(ref)
        if (found !== undefined) return found
      }
      // No operators of git's own: "main~1", "main@{1}", "main^{tree}".
      if (!/^[\w./-]{1,250}$/.test(ref)) return undefined
      return bare.commitOf(`refs/heads/${ref.replace(/^(refs\/)?heads\//, '')}`)
    },
    async commit(repository, sha) {
      const bare = await open(repository)
      const commit = await bare.commit(sha)
      const { files, size } = changes(bare, commit.parents[0] ?? bare.emptyTree, sha)
      return { ...commit, files: await files(), ...(await size()) }
    },
  }
}

function branchesIn(open: Open): Pick<Code, 'problemOf' | 'hasBranch' | 'branches' | 'watch'> {
  return {
    async problemOf(repository, { head, base }) {
      const bare = await open(repository)
      const refs = await bare.refs()
      const to = refs.get(mainRef)
      const from = refs.get(branchRef({ head }))
      if (head.includes(':') || from === undefined)
        return { field: 'head', code: 'invalid', message: `there is no branch ${head}` }
      if (to === undefined) return { field: 'base', code: 'invalid' }
      if ((await bare.countCommits(to, from)) > 0) return undefined
      return { code: 'custom', message: `No commits between ${base} and ${head}` }
    },
    hasBranch: async (repository, pull) => (await (await open(repository)).refs()).has(branchRef(pull)),
    async branches(repository, prefix) {
      const refs = [...(await (await open(repository)).refs())].map(([ref, sha]) => ({ ref, sha }))
      return refs.filter(({ ref }) => ref.startsWith(`refs/heads/${prefix}`))
    },
    async watch(repository) {
      const bare = await open(repository)
      const refs = await bare.refs()
      const inMain = new Set(refs.has(mainRef) ? (await bare.refs(mainRef)).values() : [])
      return async (pull) => {
        const closed = { state: 'closed', closedAt: now(), action: 'closed' } as const
        const branch = refs.get(branchRef(pull))
        const known = refs.get(pullRef(pull.number))
        if (pull.merge && (await bare.contains(mainRef, pull.merge.sha))) {
          await removeBranch(bare, pull)
          return mergedNow(pull.merge.by)
        }
        // One that has neither is from a time without git.
        const isThere = branch !== undefined && inMain.has(branch)
        if (branch === known && !isThere) return undefined
        if (branch === undefined) return closed
        if (branch !== known) {
          // As at GitHub, no commit is lost that somebody may have submitted, or paid for, with the pull request.
          const earlier = known && earlierRef(pull.number, known)
          if (earlier) await bare.updateRef(earlier, known, refs.get(earlier))
          await bare.updateRef(pullRef(pull.number), branch, known)
        }
        if (!isThere) return { action: known === undefined ? 'opened' : 'synchronize' }
        // GitHub calls merged what came to the default branch, as by a push, but not what was set to a commit that was there already.
        const brought = branch === known ? await bare.bringing(branch) : undefined
        if (!brought || brought.baseSha === branch) return closed
        // Who pushes a commit writes any name into it, and only the owner pushes to the default branch.
        const merge = { ...brought, by: ownerOf(repository) ?? brought.by }
        return { ...mergedNow(merge.by), merge }
      }
    },
  }
}

function mergesIn(
  open: Open,
  oneAtATime: Code['oneAtATime'],
  mergedTree: (repository: StoredRepository, ends: Ends) => Promise<string | undefined>,
): Pick<Code, 'squash' | 'mergeBranch' | 'removeBranch'> {
  return {
    removeBranch: async (repository, pull) => removeBranch(await open(repository), pull),
    async squash(repository, ends, by, record) {
      const tree = await mergedTree(repository, ends)
      if (tree === undefined) return undefined
      const bare = await open(repository)
      const sha = await bare.commitTree(tree, [ends.baseSha], by)
      await record(sha)
      await bare.updateRef(mainRef, sha, ends.baseSha)
      return sha
    },
    mergeBranch: (repository, head, by) =>
      oneAtATime(repository, by.committer.name, async () => {
        const bare = await open(repository)
        const sha = (await bare.commitOf(`refs/heads/${head}`)) ?? (await bare.commitOf(head))
        const base = await bare.commitOf(mainRef)
        if (sha === undefined || base === undefined) throw new GitHubError(404, 'Head does not exist')
        if (await bare.contains(mainRef, sha)) return undefined
        const tree = await mergedTree(repository, { baseSha: base, headSha: sha })
        if (tree === undefined) throw new GitHubError(409, 'Merge conflict')
        const merged = await bare.commitTree(tree, [base, sha], by)
        await bare.updateRef(mainRef, merged, base)
        return bare.commit(merged)
      }),
  }
}

async function removeBranch(bare: BareRepository, pull: StoredPull): Promise<void> {
  const { headSha } = pull.merge ?? {}
  // Git refuses it where the branch has another commit by now.
  if (headSha) await bare.updateRef(branchRef(pull), undefined, headSha).catch(() => undefined)
}

/** The ref at which a pull request's newest commit stays, whatever becomes of its branch. */
const pullRef = (number: number) => `refs/pull/${number}/head`

/** The ref at which a commit stays that was a pull request's newest one. */
const earlierRef = (number: number, sha: string) => `refs/pull/${number}/earlier/${sha}`

/** The branch that a pull request comes from. GitHub accepts `organization:branch` too. */
function branchRef({ head }: Pick<StoredPull, 'head'>): string {
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
  const { readme } = repository
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
