import type { Octokit } from '@octokit/rest'
import { z } from 'zod'
import type { Budget } from './client.ts'
import { RepositoryError } from './error.ts'
import { isRefusal, parseBody, undefinedIfMissing } from './failures.ts'

/** An account at the code host. */
export interface Account {
  /** Outlives a new name. */
  id: number
  login: string
}

/** A repository by its address. */
export interface RepositoryReference {
  owner: string
  repository: string
}

const User = z.object({ id: z.number(), login: z.string().min(1), type: z.string() })
const Invitations = z.array(z.object({ id: z.number(), invitee: z.object({ id: z.number() }).nullable() }))

/** The account of a person or a bot with this name; `undefined` if there is none. */
export async function findAccount(
  octokit: Octokit,
  login: string,
  request: Budget,
): Promise<Account | undefined> {
  const found = await octokit.rest.users
    .getByUsername({ username: login, request: { ...request } })
    .catch(undefinedIfMissing)
  if (!found) return undefined
  const { type, ...account } = parseBody(User, found.data)
  return type === 'Organization' ? undefined : { id: account.id, login: account.login }
}

/**
 * Lets the account write to the repository. Repeating it renews an invitation that has expired.
 *
 * @returns whether it has access at once or has to accept an invitation
 * @throws RepositoryError `rejected` where the host does not allow it
 */
export async function invite(
  octokit: Octokit,
  { owner, repository }: RepositoryReference,
  { login }: Account,
  request: Budget,
): Promise<'active' | 'invited'> {
  try {
    const { status } = await octokit.rest.repos.addCollaborator({
      owner,
      repo: repository,
      username: login,
      permission: 'push',
      request: { ...request },
    })
    return Number(status) === 201 ? 'invited' : 'active'
  } catch (error) {
    throw isRefusal(error) ? new RepositoryError('rejected') : error
  }
}

/** Takes the account's access back, and an invitation that waits for it. Does nothing if there is neither. */
export async function uninvite(
  octokit: Octokit,
  { owner, repository }: RepositoryReference,
  account: Account,
  request: Budget,
): Promise<void> {
  const at = { owner, repo: repository, request: { ...request } }
  const { data } = await octokit.rest.repos.listInvitations({ ...at, per_page: 100 })
  for (const { id, invitee } of parseBody(Invitations, data))
    if (invitee?.id === account.id)
      await octokit.rest.repos.deleteInvitation({ ...at, invitation_id: id }).catch(undefinedIfMissing)
  await octokit.rest.repos.removeCollaborator({ ...at, username: account.login }).catch(undefinedIfMissing)
}
