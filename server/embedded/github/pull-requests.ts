import type { Addresses } from './bodies.ts'
import { signatureOf } from './contents.ts'
import type { PullChange, StoredPull, StoredRepository } from './entries.ts'
import { GitHubError } from './errors.ts'
import { mainRef } from './git/bare-repository.ts'
import { branchRef, type Code, type Ends, orIfFailed, type PullFacts, pullRef } from './git/code.ts'
import { authorOf, fullPull, madeUpFacts } from './pull-bodies.ts'
import { now, type Store } from './store.ts'

/** Notifies the marketplace of an event in a repository. `payload` has what is special about the event. */
export type Deliver = (
  repository: StoredRepository,
  sender: string,
  event: string,
  payload: Record<string, unknown>,
) => void

export interface PullWithEnds {
  pull: StoredPull
  ends: Ends
}

export interface MergeRequest {
  /** The commit that the caller expects to merge; `undefined`: the newest one. */
  sha: string | undefined
  title: string | undefined
  message: string | undefined
  sender: string
  page: string
}

/**
 * The life of pull requests. What git knows is in git: the branches, and `refs/pull/{number}/head`, which is the newest
 * commit that we have noticed. The journal has what git cannot have.
 */
export type PullRequests = ReturnType<typeof createPullRequests>

export function createPullRequests(host: {
  store: Store
  code: Code | undefined
  addresses: Addresses
  deliver: Deliver
}) {
  const { store, code, addresses, deliver } = host
  /** Pull requests with their heads and bases. Those without code are made up. */
  const withEnds = async (repository: StoredRepository, pulls: StoredPull[]): Promise<PullWithEnds[]> => {
    const known = code ? await code.ends(repository, pulls) : []
    return pulls.map((pull, index) => ({ pull, ends: known[index] ?? madeUpFacts(repository, pull) }))
  }
  async function ends(repository: StoredRepository, pull: StoredPull): Promise<Ends> {
    const [known] = code ? await code.ends(repository, [pull]) : []
    return known ?? madeUpFacts(repository, pull)
  }
  const facts = async (repository: StoredRepository, pull: StoredPull): Promise<PullFacts> => {
    const [known] = code ? await code.ends(repository, [pull]) : []
    return code && known ? code.counts(repository, pull, known) : madeUpFacts(repository, pull)
  }

  const body = async (repository: StoredRepository, pull: StoredPull) =>
    fullPull(addresses, repository, pull, await facts(repository, pull))
  /** Never throws, because the change is recorded already. The service finds a lost delivery by reading. */
  const announce = (repository: StoredRepository, pull: StoredPull, action: string, sender: string) =>
    body(repository, pull).then(
      (pull_request) =>
        deliver(repository, sender, 'pull_request', { action, number: pull.number, pull_request }),
      () => undefined,
    )
  const change = (repository: StoredRepository, { number }: StoredPull, fields: PullChange) =>
    store.changePull(repository.name, number, fields)

  /** Notices a branch that moved or was deleted. */
  async function follow(repository: StoredRepository, pull: StoredPull, refs: Map<string, string>) {
    const bare = await requireCode(code).open(repository)
    const [branch, known] = [refs.get(branchRef(pull)), refs.get(pullRef(pull.number))]
    const author = authorOf(addresses, pull)
    // One that has neither is from a time without git.
    if (branch === known) return pull
    if (branch === undefined) {
      const closed = await change(repository, pull, { state: 'closed', closedAt: now() })
      await announce(repository, closed, 'closed', author)
      return closed
    }
    await bare.updateRef(pullRef(pull.number), branch, known)
    const moved = await change(repository, pull, {})
    await announce(repository, moved, known === undefined ? 'opened' : 'synchronize', author)
    return moved
  }

  /** Finishes a merge whose record was lost: it is merged if `main` contains its commit. */
  async function finishMerge(repository: StoredRepository, pull: StoredPull) {
    const bare = await requireCode(code).open(repository)
    if (!pull.merge || !(await bare.contains(mainRef, pull.merge.sha))) return undefined
    const at = now()
    const merged = await change(repository, pull, { state: 'closed', mergedAt: at, closedAt: at })
    await announce(repository, merged, 'closed', pull.merge.by ?? addresses.organization)
    return merged
  }

  const update = async (repository: StoredRepository, pull: StoredPull, refs: Map<string, string>) =>
    (await finishMerge(repository, pull)) ?? (await follow(repository, pull, refs))

  /** Brings the open pull requests up to date with the branches and with `main`. Call it after every push. */
  async function followBranches(repository: StoredRepository): Promise<void> {
    if (!code) return
    await code.oneAtATime(repository, async () => {
      const open = store.pulls(repository.name).filter(({ state }) => state === 'open')
      if (open.length === 0) return
      const refs = await (await code.open(repository)).refs()
      const failures: unknown[] = []
      for (const pull of open) await update(repository, pull, refs).catch((error) => failures.push(error))
      if (failures.length > 0) throw failures[0]
    })
  }

  return {
    withEnds,
    ends,
    body,

    /** The files that a pull request changes. */
    async files(repository: StoredRepository, pull: StoredPull) {
      const between = await ends(repository, pull)
      const files = await code?.changedFiles(repository, between).catch(orIfFailed([]))
      return { files: files ?? [], headSha: between.headSha }
    },

    commits: async (repository: StoredRepository, pull: StoredPull) =>
      (await code?.commits(repository, await ends(repository, pull)).catch(orIfFailed([]))) ?? [],

    /** The changes of a pull request as text; `undefined` if they are too long for that. */
    async diff(repository: StoredRepository, pull: StoredPull): Promise<string | undefined> {
      return code ? code.diff(repository, await ends(repository, pull)).catch(orIfFailed(undefined)) : ''
    },

    followBranches,

    /** @throws GitHubError 422 if there is no such branch, nothing to merge, or one for the branch is open */
    async open(repository: StoredRepository, fields: Parameters<Store['addPull']>[0], page: string) {
      const refuse = (error: ConstructorParameters<typeof GitHubError>[3]) =>
        new GitHubError(422, 'Validation Failed', page, error)
      const add = async () => {
        const pull = await store.addPull(fields)
        if (pull) return pull
        const label = fields.head.includes(':') ? fields.head : `${addresses.organization}:${fields.head}`
        const message = `A pull request already exists for ${label}.`
        throw refuse([{ resource: 'PullRequest', code: 'custom', message }])
      }
      if (!code) {
        const pull = await add()
        await announce(repository, pull, 'opened', authorOf(addresses, pull))
        return body(repository, pull)
      }
      return code.oneAtATime(repository, async () => {
        const bare = await code.open(repository)
        const refs = await bare.refs()
        const [main, head] = [refs.get(mainRef), refs.get(branchRef(fields))]
        if (fields.head.includes(':') || head === undefined) {
          const message = `there is no branch ${fields.head}`
          throw refuse([{ resource: 'PullRequest', field: 'head', code: 'invalid', message }])
        }
        if (main === undefined) throw refuse([{ resource: 'PullRequest', field: 'base', code: 'invalid' }])
        if ((await bare.countCommits(main, head)) === 0) {
          const message = `No commits between ${fields.base} and ${fields.head}`
          throw refuse([{ resource: 'PullRequest', code: 'custom', message }])
        }
        const pull = await add()
        return body(repository, await follow(repository, pull, refs))
      })
    },

    /** Changes title, description or state. @throws GitHubError 422 if it cannot be opened again */
    async edit(
      repository: StoredRepository,
      number: number,
      fields: {
        change: Pick<PullChange, 'title' | 'body' | 'state' | 'draft'>
        sender: string
        page: string
      },
    ) {
      const work = async () => {
        const pull = store.pull(repository.name, number)
        if (!pull) throw new Error('there is no such pull request')
        const { state, ...texts } = fields.change
        const isClosing = state === 'closed' && pull.state === 'open'
        const isOpening = state === 'open' && pull.state === 'closed'
        if (isOpening) await requireReopenable(repository, pull, fields.page)
        const isReady = pull.draft && texts.draft === false
        let changed = await change(repository, pull, {
          ...texts,
          ...(isClosing && { state, closedAt: now() }),
          ...(isOpening && { state, closedAt: null }),
        })
        const action = isClosing ? 'closed' : isOpening ? 'reopened' : isReady ? 'ready_for_review' : 'edited'
        await announce(repository, changed, action, fields.sender)
        if (isOpening && code)
          changed = await follow(repository, changed, await (await code.open(repository)).refs())
        return body(repository, changed)
      }
      return code ? code.oneAtATime(repository, work) : work()
    },

    /**
     * Puts the changes on `main` as one commit. The journal has that commit before `main` moves, so a crash in between is
     * distinguished from a merge.
     * @throws GitHubError 405, 409
     */
    async merge(repository: StoredRepository, number: number, request: MergeRequest): Promise<string> {
      const notMergeable = new GitHubError(405, 'Pull Request is not mergeable', request.page)
      if (!code) throw notMergeable
      return code.oneAtATime(repository, async () => {
        const bare = await code.open(repository)
        const found = store.pull(repository.name, number)
        if (found?.state !== 'open') throw notMergeable
        const pull = await update(repository, found, await bare.refs())
        if (pull.draft) throw new GitHubError(405, 'Pull Request is still a draft', request.page)
        const [between] = await code.ends(repository, [pull])
        if (between === undefined) throw notMergeable
        if (request.sha !== undefined && request.sha !== between.headSha)
          throw new GitHubError(
            409,
            'Head branch was modified. Review and try the merge again.',
            request.page,
          )
        const tree =
          pull.state === 'open'
            ? await code.mergedTree(repository, between).catch(orIfFailed(undefined))
            : undefined
        if (tree === undefined) throw notMergeable
        const sha = await bare.commitTree(tree, between.baseSha, {
          author: signatureOf(addresses, authorOf(addresses, pull)),
          committer: signatureOf(addresses, request.sender),
          message: `${request.title ?? `${pull.title} (#${number})`}\n\n${request.message ?? ''}`.trim(),
        })
        const intended = await change(repository, pull, { merge: { sha, ...between, by: request.sender } })
        await bare.updateRef(mainRef, sha, between.baseSha)
        await finishMerge(repository, intended)
        return sha
      })
    },

    /**
     * Merges a branch or commit into `main`, with a commit of two parents.
     * @returns that commit; `undefined` if `main` contains the head already
     * @throws GitHubError 404, 409
     */
    async mergeBranch(
      repository: StoredRepository,
      {
        head,
        message,
        sender,
        page,
      }: { head: string; message: string | undefined; sender: string; page: string },
    ): Promise<string | undefined> {
      const missing = new GitHubError(404, 'Head does not exist', page)
      if (!code) throw missing
      return code.oneAtATime(repository, async () => {
        const bare = await code.open(repository)
        const sha = (await bare.commitOf(`refs/heads/${head}`)) ?? (await bare.commitOf(head))
        const base = await bare.commitOf(mainRef)
        if (sha === undefined || base === undefined) throw missing
        if (await bare.contains(mainRef, sha)) return undefined
        const tree = await bare.mergeTree(base, sha)
        if (tree === undefined) throw new GitHubError(409, 'Merge conflict', page)
        const by = signatureOf(addresses, sender)
        const merged = await bare.commitTree(tree, [base, sha], {
          ...{ author: by, committer: by },
          message: message ?? `Merge ${head} into main`,
        })
        await bare.updateRef(mainRef, merged, base)
        return merged
      })
    },

    /** Heals what a killed process left half done. A repository that git cannot read keeps none of the others back. */
    async recover(warn: (message: string) => void): Promise<void> {
      for (const repository of store.repositories())
        await followBranches(repository).catch((error) =>
          warn(`Pull requests of repository ${repository.name} were not brought up to date: ${error}`),
        )
    },
  }

  async function requireReopenable(repository: StoredRepository, pull: StoredPull, page: string) {
    const refs = code ? await (await code.open(repository)).refs() : undefined
    const isTwin = ({ state, head, base }: StoredPull) =>
      state === 'open' && head === pull.head && base === pull.base
    const hasTwin = store.pulls(repository.name).some(isTwin)
    if (pull.mergedAt === null && !hasTwin && (!refs || refs.has(branchRef(pull)))) return
    const message = 'state cannot be changed. The pull request cannot be reopened.'
    throw new GitHubError(422, 'Validation Failed', page, [
      { resource: 'PullRequest', code: 'invalid', field: 'state', message },
    ])
  }
}

function requireCode(code: Code | undefined): Code {
  if (!code) throw new Error('this needs git')
  return code
}
