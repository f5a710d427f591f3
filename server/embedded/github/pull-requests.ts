import { type Addresses, authorOf, fullPull, labelOf, loginOf } from './bodies.ts'
import { type Code, mergedNow, mostWaiting, type PullNews } from './code.ts'
import { signatureOf } from './contents.ts'
import type { PullChange, StoredPull, StoredRepository } from './entries.ts'
import { type FieldError, GitHubError, invalid } from './errors.ts'
import { fairTurns } from './git/in-turn.ts'
import { served } from './git/run-git.ts'
import { now, type Store } from './store.ts'

/** Notifies the marketplace of an event in a repository. `payload` has what is special about the event. */
export type Deliver = (
  repository: StoredRepository,
  sender: string,
  event: string,
  payload: Record<string, unknown> | Promise<Record<string, unknown>>,
) => void

/** Events of an author's pull requests in a repository that wait for their body; more are not delivered. */
const mostNews = 1000

/** What pull requests need of the code host. */
interface Host {
  store: Store
  code: Code
  addresses: Addresses
  deliver: Deliver
}

/** A request to merge a pull request. */
export interface MergeRequest {
  /** The commit that the caller expects to merge; `undefined`: the newest one. */
  sha: string | undefined
  title: string | undefined
  message: string | undefined
  sender: string
}

/**
 * The life of pull requests. What git knows is in git: the branches, and `refs/pull/{number}/head`, which is the newest
 * commit that we have noticed. The journal has what git cannot have.
 */
export type PullRequests = ReturnType<typeof createPullRequests>

/** Creates the pull requests of a code host. */
export function createPullRequests(host: Host) {
  const { store, code, addresses } = host
  const follower = createFollower(host)
  const { body, update } = follower

  /** Brings the open pull requests up to date with the branches and with `main`. Call it after every push, with who pushed. */
  async function followBranches(repository: StoredRepository, login: string): Promise<void> {
    await code.oneAtATime(repository, login, async () => {
      const open = store.pulls(repository.name).filter(({ state }) => state === 'open')
      if (open.length === 0) return
      const watch = await code.watch(repository)
      const failures: unknown[] = []
      for (const pull of open) await update(repository, pull, watch).catch((error) => failures.push(error))
      if (failures.length > 0) throw failures[0]
    })
  }

  return {
    body,
    followBranches,
    open: createOpening(host, follower),
    edit: createEditing(host, follower),
    merge: createMerging(host, follower),

    /** Heals what a killed process left half done. A repository that git cannot read keeps none of the others back. */
    async recover(warn: (message: string) => void): Promise<void> {
      for (const repository of store.repositories())
        await followBranches(repository, addresses.organization).catch((error) =>
          warn(`Pull requests of repository ${repository.name} were not brought up to date: ${error}`),
        )
    },
  }
}

type Follower = ReturnType<typeof createFollower>

/** Records what has happened to pull requests in the journal, and notifies the marketplace. */
function createFollower({ store, code, addresses, deliver }: Host) {
  const body = async (repository: StoredRepository, pull: StoredPull) =>
    fullPull(addresses, repository, pull, await code.facts(repository, pull))
  const inTurn = fairTurns<string>(Infinity)

  async function change(
    repository: StoredRepository,
    pull: StoredPull,
    { action, by = authorOf(addresses, pull), changes, ...fields }: PullNews,
  ): Promise<StoredPull> {
    const isEvent = action !== 'opened' && action !== 'edited'
    const event = action === 'synchronize' ? 'head_ref_force_pushed' : action
    const lastEvent = { id: (pull.lastEvent?.id ?? 0) + 1, event }
    const stored = isEvent ? { ...fields, lastEvent } : fields
    const changed = await store.changePull(repository.name, pull.number, stored, changes && by)
    const news = { action, number: pull.number, ...(changes && { changes }) }
    const login = authorOf(addresses, pull)
    const withBody = async () => ({ ...news, pull_request: await body(repository, changed) })
    const { isPlatform = false } = served.getStore() ?? {}
    const asAuthor = () => served.run({ isPlatform, login }, withBody)
    // Comparing can take seconds, in which the repository is free. The service finds what is not delivered by reading.
    const delivered = inTurn(`${login} ${repository.id}`, asAuthor, mostNews)
    deliver(repository, by, 'pull_request', delivered)
    return changed
  }

  /** Notices what the branches say: a new commit, a deleted branch, a merge whose record was lost. */
  async function update(
    repository: StoredRepository,
    pull: StoredPull,
    watch?: Awaited<ReturnType<Code['watch']>>,
  ): Promise<StoredPull> {
    const news = await (watch ?? (await code.watch(repository)))(pull)
    return news ? change(repository, pull, news) : pull
  }

  /** Runs a request in a turn of the repository. @throws TooManyWaiting if an agent has as many waiting as it may */
  const request = <T>(repository: StoredRepository, login: string, work: () => Promise<T>) =>
    code.oneAtATime(repository, login, work, login === addresses.organization ? undefined : mostWaiting)

  return { body, change, update, request }
}

function createOpening({ store, code, addresses }: Host, { body, update, request }: Follower) {
  /** @throws GitHubError 422 if there is no such branch, nothing to merge, or one for the branch is open */
  return async (repository: StoredRepository, fields: Parameters<Store['addPull']>[0], sender: string) => {
    const opened = await request(repository, sender, async () => {
      const problem = await code.problemOf(repository, fields)
      if (problem) throw refused(problem)
      const pull = await store.addPull(fields)
      const message = `A pull request already exists for ${labelOf(loginOf(addresses, repository), fields.head)}.`
      if (!pull) throw refused({ code: 'custom', message })
      return update(repository, pull)
    })
    return body(repository, opened)
  }
}

/** Changes title, description or state of pull requests. */
function createEditing({ store, code }: Host, { body, change, update, request }: Follower) {
  async function requireReopenable(repository: StoredRepository, pull: StoredPull) {
    const isTwin = ({ state, head, base }: StoredPull) =>
      state === 'open' && head === pull.head && base === pull.base
    const hasTwin = store.pulls(repository.name).some(isTwin)
    if (pull.mergedAt === null && !hasTwin && (await code.hasBranch(repository, pull))) return
    const message = 'state cannot be changed. The pull request cannot be reopened.'
    throw refused({ code: 'invalid', field: 'state', message })
  }

  /** @throws GitHubError 422 if it cannot be opened again */
  return async (
    repository: StoredRepository,
    number: number,
    { state, draft, ...texts }: Pick<PullChange, 'title' | 'body' | 'state' | 'draft'>,
    sender: string,
  ) => {
    const edited = await request(repository, sender, async () => {
      const found = store.pull(repository.name, number)
      if (!found) throw new Error('there is no such pull request')
      // One whose merge was not written down is merged, and not only closed.
      const pull = state === 'closed' && found.state === 'open' ? await update(repository, found) : found
      const isClosing = state === 'closed' && pull.state === 'open'
      const isOpening = state === 'open' && pull.state === 'closed'
      if (isOpening) await requireReopenable(repository, pull)
      const news = [
        edition(pull, texts),
        pull.draft && draft === false && { draft, action: 'ready_for_review' },
        isClosing && { state, closedAt: now(), action: 'closed' },
        isOpening && { state, closedAt: null, action: 'reopened' },
      ]
      let changed = pull
      for (const one of news) if (one) changed = await change(repository, changed, { ...one, by: sender })
      return isOpening ? update(repository, changed) : changed
    })
    return body(repository, edited)
  }
}

/** The texts that change, with what they were; `undefined` if none does. */
function edition(pull: StoredPull, texts: Pick<PullChange, 'title' | 'body'>): PullNews | undefined {
  const keys = (['title', 'body'] as const).filter(
    (key) => texts[key] !== undefined && texts[key] !== pull[key],
  )
  if (keys.length === 0) return undefined
  const changes = Object.fromEntries(keys.map((key) => [key, { from: pull[key] }]))
  return { ...Object.fromEntries(keys.map((key) => [key, texts[key]])), changes, action: 'edited' }
}

/**
 * Merges pull requests: puts the changes on `main` as one commit. The journal has that commit before `main` moves, so a
 * crash in between is distinguished from a merge.
 */
function createMerging({ store, code, addresses }: Host, { change, update, request: inTurn }: Follower) {
  /** @throws GitHubError 405, 409 */
  return (repository: StoredRepository, number: number, request: MergeRequest): Promise<string> =>
    inTurn(repository, request.sender, async () => {
      const notMergeable = new GitHubError(405, 'Pull Request is not mergeable')
      const found = store.pull(repository.name, number)
      if (found?.state !== 'open') throw notMergeable
      const pull = await update(repository, found)
      if (pull.draft) throw new GitHubError(405, 'Pull Request is still a draft')
      const ends = await code.ends(repository, pull)
      if (request.sha !== undefined && request.sha !== ends.headSha)
        throw new GitHubError(409, 'Head branch was modified. Review and try the merge again.')
      if (pull.state !== 'open') throw notMergeable
      const by = {
        author: signatureOf(authorOf(addresses, pull)),
        committer: signatureOf(request.sender),
        message: `${request.title ?? `${pull.title} (#${number})`}\n\n${request.message ?? ''}`.trim(),
      }
      let intended = pull
      const sha = await code.squash(repository, ends, by, async (sha) => {
        const merge = { sha, ...ends, by: request.sender }
        intended = await store.changePull(repository.name, number, { merge })
      })
      if (sha === undefined) throw notMergeable
      // At once: the work is on `main`, and commands of git may wait for others.
      const merged = await change(repository, intended, mergedNow(request.sender))
      await code.removeBranch(repository, merged)
      return sha
    })
}

function refused(error: Omit<FieldError, 'resource'>): GitHubError {
  return invalid('Validation Failed', { resource: 'PullRequest', ...error })
}
