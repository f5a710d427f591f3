import type { PullChange, StoredPull, StoredRepository } from '../entries.ts'
import { type FieldError, GitHubError } from '../errors.ts'
import { type BareRepository, mainRef } from '../git/bare-repository.ts'
import { branchRef } from '../git/code.ts'
import { now, type Store } from '../store.ts'
import { authorOf } from './bodies.ts'
import type { Follower } from './follow.ts'
import type { Host } from './host.ts'
import type { Reads } from './read.ts'

type NewPull = Parameters<Store['addPull']>[0]
type Refs = Map<string, string>

/** Opens pull requests. */
export function createOpening(
  { store, code, addresses }: Host,
  { body }: Reads,
  { announce, follow }: Follower,
) {
  async function add(fields: NewPull, page: string): Promise<StoredPull> {
    const pull = await store.addPull(fields)
    if (pull) return pull
    const label = fields.head.includes(':') ? fields.head : `${addresses.organization}:${fields.head}`
    throw refused(page, { code: 'custom', message: `A pull request already exists for ${label}.` })
  }

  /** @throws GitHubError 422 if there is no such branch, nothing to merge, or one for the branch is open */
  return async (repository: StoredRepository, fields: NewPull, page: string) => {
    if (!code) {
      const pull = await add(fields, page)
      await announce(repository, pull, 'opened', authorOf(addresses, pull))
      return body(repository, pull)
    }
    return code.oneAtATime(repository, async () => {
      const bare = await code.open(repository)
      const refs = await bare.refs()
      await requireCommits(bare, refs, fields, page)
      const pull = await add(fields, page)
      return body(repository, await follow(repository, pull, refs))
    })
  }
}

async function requireCommits(bare: BareRepository, refs: Refs, { head, base }: NewPull, page: string) {
  const [to, from] = [refs.get(mainRef), refs.get(branchRef({ head }))]
  if (head.includes(':') || from === undefined)
    throw refused(page, { field: 'head', code: 'invalid', message: `there is no branch ${head}` })
  if (to === undefined) throw refused(page, { field: 'base', code: 'invalid' })
  if ((await bare.countCommits(to, from)) === 0)
    throw refused(page, { code: 'custom', message: `No commits between ${base} and ${head}` })
}

/** Changes title, description or state of pull requests. */
export function createEditing({ store, code }: Host, { body }: Reads, { change, follow }: Follower) {
  const readRefs = async (repository: StoredRepository): Promise<Refs | undefined> =>
    (await code?.open(repository))?.refs()

  async function requireReopenable(repository: StoredRepository, pull: StoredPull, page: string) {
    const refs = await readRefs(repository)
    const isTwin = ({ state, head, base }: StoredPull) =>
      state === 'open' && head === pull.head && base === pull.base
    const hasTwin = store.pulls(repository.name).some(isTwin)
    if (pull.mergedAt === null && !hasTwin && (!refs || refs.has(branchRef(pull)))) return
    const message = 'state cannot be changed. The pull request cannot be reopened.'
    throw refused(page, { code: 'invalid', field: 'state', message })
  }

  /** @throws GitHubError 422 if it cannot be opened again */
  return async (
    repository: StoredRepository,
    number: number,
    edit: { change: Pick<PullChange, 'title' | 'body' | 'state' | 'draft'>; sender: string; page: string },
  ) => {
    const work = async () => {
      const pull = store.pull(repository.name, number)
      if (!pull) throw new Error('there is no such pull request')
      const { state, ...texts } = edit.change
      const isClosing = state === 'closed' && pull.state === 'open'
      const isOpening = state === 'open' && pull.state === 'closed'
      if (isOpening) await requireReopenable(repository, pull, edit.page)
      const isReady = pull.draft && texts.draft === false
      const changed = await change(repository, pull, {
        ...texts,
        ...(isClosing && { state, closedAt: now() }),
        ...(isOpening && { state, closedAt: null }),
        action: isClosing ? 'closed' : isOpening ? 'reopened' : isReady ? 'ready_for_review' : 'edited',
        by: edit.sender,
      })
      const refs = isOpening ? await readRefs(repository) : undefined
      return body(repository, refs ? await follow(repository, changed, refs) : changed)
    }
    return code ? code.oneAtATime(repository, work) : work()
  }
}

function refused(page: string, error: Omit<FieldError, 'resource'>): GitHubError {
  return new GitHubError(422, 'Validation Failed', page, [{ resource: 'PullRequest', ...error }])
}
