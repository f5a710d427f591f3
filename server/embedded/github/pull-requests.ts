import type { Addresses } from './bodies.ts'
import { signatureOf } from './contents.ts'
import type { PullChange, StoredPull, StoredRepository } from './entries.ts'
import { GitHubError } from './errors.ts'
import { mainRef } from './git/bare-repository.ts'
import { branchRef, type Code, type Ends, isRefusal, type PullFacts, pullRef } from './git/code.ts'
import { authorOf, fullPull, madeUpFacts } from './pull-bodies.ts'
import { now, type Store } from './store.ts'

/** Tells the marketplace about an event in a repository. `payload` has what is special about the event. */
export type Deliver = (
  repository: StoredRepository,
  sender: string,
  event: string,
  payload: Record<string, unknown>,
) => void

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
  const facts = (repository: StoredRepository, pull: StoredPull): Promise<PullFacts> =>
    code ? code.facts(repository, pull) : Promise.resolve(madeUpFacts(repository, pull))
  const ends = (repository: StoredRepository, pull: StoredPull): Promise<Ends> =>
    code ? code.ends(repository, pull) : Promise.resolve(madeUpFacts(repository, pull))

  const body = async (repository: StoredRepository, pull: StoredPull) =>
    fullPull(addresses, repository, pull, await facts(repository, pull))
  const announce = async (repository: StoredRepository, pull: StoredPull, action: string, sender: string) => {
    const pull_request = await body(repository, pull)
    deliver(repository, sender, 'pull_request', { action, number: pull.number, pull_request })
    return pull_request
  }
  const change = (repository: StoredRepository, { number }: StoredPull, fields: PullChange) =>
    store.changePull(repository.name, number, fields)

  /** Notices a branch that moved or was deleted. */
  async function follow(repository: StoredRepository, pull: StoredPull, refs: Map<string, string>) {
    const bare = await requireCode(code).open(repository)
    const [branch, known] = [refs.get(branchRef(pull)), refs.get(pullRef(pull.number))]
    const author = authorOf(addresses, pull)
    if (branch === known && branch !== undefined) return pull
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
  async function finishMerge(repository: StoredRepository, pull: StoredPull, sender: string) {
    const bare = await requireCode(code).open(repository)
    if (!pull.merge || !(await bare.contains(mainRef, pull.merge.sha).catch(falseIfRefused))) return undefined
    const at = now()
    const merged = await change(repository, pull, { state: 'closed', mergedAt: at, closedAt: at })
    await announce(repository, merged, 'closed', sender)
    return merged
  }

  /** Brings the open pull requests up to date with the branches and with `main`. Call it after every push. */
  async function followBranches(repository: StoredRepository): Promise<void> {
    if (!code) return
    await code.oneAtATime(repository, async () => {
      const open = store.pulls(repository.name).filter(({ state }) => state === 'open')
      if (open.length === 0) return
      const refs = await (await code.open(repository)).refs()
      for (const pull of open)
        if (!(await finishMerge(repository, pull, addresses.organization)))
          await follow(repository, pull, refs)
    })
  }

  return {
    facts,
    ends,
    body,
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
        return announce(repository, pull, 'opened', authorOf(addresses, pull))
      }
      return code.oneAtATime(repository, async () => {
        const bare = await code.open(repository)
        const refs = await bare.refs()
        const [main, head] = [refs.get(mainRef), refs.get(branchRef(fields))]
        const isOurs = !fields.head.includes(':') || fields.head.startsWith(`${addresses.organization}:`)
        if (!isOurs || head === undefined)
          throw refuse([{ resource: 'PullRequest', field: 'head', code: 'invalid' }])
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
      fields: { change: Pick<PullChange, 'title' | 'body' | 'state'>; sender: string; page: string },
    ) {
      const work = async () => {
        const pull = store.pull(repository.name, number)
        if (!pull) throw new Error('there is no such pull request')
        const { state, ...texts } = fields.change
        const isClosing = state === 'closed' && pull.state === 'open'
        const isOpening = state === 'open' && pull.state === 'closed'
        if (isOpening) await requireBranch(repository, pull, fields.page)
        let changed = await change(repository, pull, {
          ...texts,
          ...(isClosing && { state, closedAt: now() }),
          ...(isOpening && { state, closedAt: null }),
        })
        const action = isClosing ? 'closed' : isOpening ? 'reopened' : 'edited'
        const result = await announce(repository, changed, action, fields.sender)
        if (!isOpening || !code) return result
        changed = await follow(repository, changed, await (await code.open(repository)).refs())
        return body(repository, changed)
      }
      return code ? code.oneAtATime(repository, work) : work()
    },

    /**
     * Puts the changes on `main` as one commit. The journal has that commit before `main` moves, so a crash in between is
     * told apart from a merge.
     * @throws GitHubError 405, 409
     */
    async merge(repository: StoredRepository, number: number, request: MergeRequest): Promise<string> {
      const notMergeable = new GitHubError(405, 'Pull Request is not mergeable', request.page)
      if (!code) throw notMergeable
      return code.oneAtATime(repository, async () => {
        const bare = await code.open(repository)
        const found = store.pull(repository.name, number)
        if (found?.state !== 'open') throw notMergeable
        if (await finishMerge(repository, found, request.sender)) throw notMergeable
        const pull = await follow(repository, found, await bare.refs())
        if (pull.draft) throw new GitHubError(405, 'Pull Request is still a draft', request.page)
        const between = await code.ends(repository, pull)
        if (request.sha !== undefined && request.sha !== between.headSha)
          throw new GitHubError(
            409,
            'Head branch was modified. Review and try the merge again.',
            request.page,
          )
        const tree = pull.state === 'open' ? await code.mergedTree(repository, between) : undefined
        if (tree === undefined) throw notMergeable
        const sha = await bare.commitTree(tree, between.baseSha, {
          author: signatureOf(addresses, authorOf(addresses, pull)),
          committer: signatureOf(addresses),
          message: `${request.title ?? `${pull.title} (#${number})`}\n\n${request.message ?? ''}`.trim(),
        })
        const intended = await change(repository, pull, { merge: { sha, ...between } })
        await bare.updateRef(mainRef, sha, between.baseSha)
        await finishMerge(repository, intended, request.sender)
        return sha
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

  async function requireBranch(repository: StoredRepository, pull: StoredPull, page: string): Promise<void> {
    const refs = code ? await (await code.open(repository)).refs() : undefined
    if (pull.mergedAt === null && (!refs || refs.has(branchRef(pull)))) return
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

/** The commit of a merge that never began may be missing. */
function falseIfRefused(error: unknown): false {
  if (isRefusal(error)) return false
  throw error
}
