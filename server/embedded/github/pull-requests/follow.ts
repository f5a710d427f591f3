import type { PullChange, StoredPull, StoredRepository } from '../entries.ts'
import { mainRef } from '../git/bare-repository.ts'
import { branchRef, type Code, pullRef } from '../git/code.ts'
import { now } from '../store.ts'
import { authorOf } from './bodies.ts'
import type { Host } from './host.ts'
import type { Reads } from './read.ts'

/** Keeps the journal's pull requests in step with git. */
export type Follower = ReturnType<typeof createFollower>

/** Notices what git has changed about pull requests, records it in the journal and notifies the marketplace. */
export function createFollower({ store, code, addresses, deliver }: Host, { body }: Reads) {
  /** Never throws, because the change is recorded already. The service finds a lost delivery by reading. */
  const announce = (repository: StoredRepository, pull: StoredPull, action: string, sender: string) =>
    body(repository, pull).then(
      (pull_request) =>
        deliver(repository, sender, 'pull_request', { action, number: pull.number, pull_request }),
      () => undefined,
    )

  async function change(
    repository: StoredRepository,
    pull: StoredPull,
    { action, by, ...fields }: PullChange & { action: string; by: string },
  ): Promise<StoredPull> {
    const changed = await store.changePull(repository.name, pull.number, fields)
    await announce(repository, changed, action, by)
    return changed
  }

  /** Notices a branch that moved or was deleted. */
  async function follow(repository: StoredRepository, pull: StoredPull, refs: Map<string, string>) {
    const [branch, known] = [refs.get(branchRef(pull)), refs.get(pullRef(pull.number))]
    const by = authorOf(addresses, pull)
    // One that has neither is from a time without git.
    if (branch === known) return pull
    if (branch === undefined)
      return change(repository, pull, { state: 'closed', closedAt: now(), action: 'closed', by })
    await (await requireCode(code).open(repository)).updateRef(pullRef(pull.number), branch, known)
    return change(repository, pull, { action: known === undefined ? 'opened' : 'synchronize', by })
  }

  /** Finishes a merge whose record was lost: it is merged if `main` contains its commit. */
  async function finishMerge(repository: StoredRepository, pull: StoredPull) {
    const bare = await requireCode(code).open(repository)
    if (!pull.merge || !(await bare.contains(mainRef, pull.merge.sha))) return undefined
    const at = now()
    const by = pull.merge.by ?? addresses.organization
    return change(repository, pull, { state: 'closed', mergedAt: at, closedAt: at, action: 'closed', by })
  }

  const update = async (repository: StoredRepository, pull: StoredPull, refs: Map<string, string>) =>
    (await finishMerge(repository, pull)) ?? (await follow(repository, pull, refs))

  return { announce, change, follow, finishMerge, update }
}

function requireCode(code: Code | undefined): Code {
  if (!code) throw new Error('this needs git')
  return code
}
