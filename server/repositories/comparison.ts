import { z } from 'zod'
import { parseBody, undefinedIfMissing } from './failures.ts'
import type { Host, PullRequestAddress } from './pull-requests.ts'

/** Where a repository is. */
type RepositoryAddress = Pick<PullRequestAddress, 'owner' | 'repository'>

/** How a commit stands to the default branch. */
export interface Comparison {
  /** Whether the default branch has the commit. */
  isContained: boolean
  /** Whether anything differs in the files since the commit left the default branch. */
  changesFiles: boolean
}

const Repository = z.object({ default_branch: z.string().min(1) })
const Compared = z.object({
  status: z.enum(['ahead', 'behind', 'identical', 'diverged']),
  files: z.array(z.unknown()).default([]),
})

/**
 * Compares a commit with the default branch: one request, and one more where `base`, the name of that branch, is not known.
 * @returns undefined if the host does not have the commit, or it has no history in common with the branch
 */
export async function compareWithDefault(
  { octokit, request }: Host,
  { owner, repository: repo }: RepositoryAddress,
  head: string,
  base?: string,
): Promise<Comparison | undefined> {
  const at = { owner, repo, request: { ...request } }
  const found = base === undefined ? await octokit.rest.repos.get(at).catch(undefinedIfMissing) : undefined
  const branch = base ?? (found && parseBody(Repository, found.data).default_branch)
  if (branch === undefined) return undefined
  const compared = await octokit.rest.repos
    // The first page has the files, so of the commits one is enough.
    .compareCommitsWithBasehead({ ...at, basehead: `${branch}...${head}`, per_page: 1 })
    .catch(undefinedIfMissing)
  if (!compared) return undefined
  const { status, files } = parseBody(Compared, compared.data)
  return { isContained: status === 'behind' || status === 'identical', changesFiles: files.length > 0 }
}

const Pulls = z.array(
  z.object({
    number: z.int(),
    user: z.object({ id: z.int() }).nullish(),
    created_at: z.iso.datetime({ offset: true }),
  }),
)

/**
 * Whether a commit of a pull request is in no pull request of another account that was there when it was first seen. Anybody can open
 * one with commits of others, and when the commits come to the default branch nobody can see by which of the two.
 * @param seenAt when the commit was first seen; null: another account's counts whenever it was opened
 */
export async function isOnlyIn(
  { octokit, request }: Host,
  { owner, repository: repo, number }: PullRequestAddress,
  commit_sha: string,
  { authorId, seenAt }: { authorId: number | null; seenAt: Date | null },
): Promise<boolean> {
  const { data } = await octokit.rest.repos.listPullRequestsAssociatedWithCommit({
    ...{ owner, repo, commit_sha, per_page: 100 },
    request: { ...request },
  })
  const others = parseBody(Pulls, data).filter((pull) => pull.number !== number)
  const isLater = (opened: string) => seenAt !== null && Date.parse(opened) > seenAt.getTime() + toleranceMs
  return others.every(({ user, created_at }) => isLater(created_at) || (user != null && user.id === authorId))
}

/** The clocks of the host and of the database may differ by so much, in ms. */
const toleranceMs = 60_000
