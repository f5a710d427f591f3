import { signatureOf } from '../contents.ts'
import type { StoredPull, StoredRepository } from '../entries.ts'
import { GitHubError } from '../errors.ts'
import { mainRef } from '../git/bare-repository.ts'
import { type Code, orIfFailed } from '../git/code.ts'
import { authorOf } from './bodies.ts'
import type { Follower } from './follow.ts'
import type { Host } from './host.ts'

/** A request to merge a pull request. */
export interface MergeRequest {
  /** The commit that the caller expects to merge; `undefined`: the newest one. */
  sha: string | undefined
  title: string | undefined
  message: string | undefined
  sender: string
  page: string
}

/**
 * Merges pull requests: puts the changes on `main` as one commit. The journal has that commit before `main` moves, so a
 * crash in between is distinguished from a merge.
 */
export function createMerging({ store, code, addresses }: Host, { update, finishMerge }: Follower) {
  /** @throws GitHubError 405, 409 */
  return async (repository: StoredRepository, number: number, request: MergeRequest): Promise<string> => {
    if (!code) throw notMergeable(request.page)
    return code.oneAtATime(repository, async () => {
      const bare = await code.open(repository)
      const found = store.pull(repository.name, number)
      if (found?.state !== 'open') throw notMergeable(request.page)
      const pull = await update(repository, found, await bare.refs())
      const { tree, between } = await mergeable(code, repository, pull, request)
      const sha = await bare.commitTree(tree, between.baseSha, {
        author: signatureOf(addresses, authorOf(addresses, pull)),
        committer: signatureOf(addresses, request.sender),
        message: `${request.title ?? `${pull.title} (#${number})`}\n\n${request.message ?? ''}`.trim(),
      })
      const merge = { sha, ...between, by: request.sender }
      const intended = await store.changePull(repository.name, number, { merge })
      await bare.updateRef(mainRef, sha, between.baseSha)
      await finishMerge(repository, intended)
      return sha
    })
  }
}

/** What a merge puts on `main`, and between which commits. @throws GitHubError 405, 409 */
async function mergeable(
  code: Code,
  repository: StoredRepository,
  pull: StoredPull,
  { sha, page }: MergeRequest,
) {
  if (pull.draft) throw new GitHubError(405, 'Pull Request is still a draft', page)
  const [between] = await code.ends(repository, [pull])
  if (between === undefined) throw notMergeable(page)
  if (sha !== undefined && sha !== between.headSha)
    throw new GitHubError(409, 'Head branch was modified. Review and try the merge again.', page)
  const isOpen = pull.state === 'open'
  const tree = isOpen ? await code.mergedTree(repository, between).catch(orIfFailed(undefined)) : undefined
  if (tree === undefined) throw notMergeable(page)
  return { tree, between }
}

const notMergeable = (page: string) => new GitHubError(405, 'Pull Request is not mergeable', page)

/** Merges a branch or commit into `main`, with a commit of two parents. */
export function createBranchMerging({ code, addresses }: Host) {
  /**
   * @returns that commit; `undefined` if `main` contains the head already
   * @throws GitHubError 404, 409
   */
  return async (
    repository: StoredRepository,
    request: { head: string; message: string | undefined; sender: string; page: string },
  ): Promise<string | undefined> => {
    const { head, message, sender, page } = request
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
  }
}
