import type { StoredRepository } from '../entries.ts'
import { createEditing, createOpening } from './edit.ts'
import { createFollower } from './follow.ts'
import type { Host } from './host.ts'
import { createBranchMerging, createMerging } from './merge.ts'
import { createReads } from './read.ts'

/**
 * The life of pull requests. What git knows is in git: the branches, and `refs/pull/{number}/head`, which is the newest
 * commit that we have noticed. The journal has what git cannot have.
 */
export type PullRequests = ReturnType<typeof createPullRequests>

/** Creates the pull requests of a code host. */
export function createPullRequests(host: Host) {
  const { store, code } = host
  const reads = createReads(host)
  const follower = createFollower(host, reads)

  /** Brings the open pull requests up to date with the branches and with `main`. Call it after every push. */
  async function followBranches(repository: StoredRepository): Promise<void> {
    await code?.oneAtATime(repository, async () => {
      const open = store.pulls(repository.name).filter(({ state }) => state === 'open')
      if (open.length === 0) return
      const refs = await (await code.open(repository)).refs()
      const failures: unknown[] = []
      for (const pull of open)
        await follower.update(repository, pull, refs).catch((error) => failures.push(error))
      if (failures.length > 0) throw failures[0]
    })
  }

  return {
    ...reads,
    followBranches,
    open: createOpening(host, reads, follower),
    edit: createEditing(host, reads, follower),
    merge: createMerging(host, follower),
    mergeBranch: createBranchMerging(host),

    /** Heals what a killed process left half done. A repository that git cannot read keeps none of the others back. */
    async recover(warn: (message: string) => void): Promise<void> {
      for (const repository of store.repositories())
        await followBranches(repository).catch((error) =>
          warn(`Pull requests of repository ${repository.name} were not brought up to date: ${error}`),
        )
    },
  }
}
