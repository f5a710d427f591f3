import { z } from 'zod'
import { RepositoryError } from './error.ts'
import { isRefusal, parseBody, requireStatus, undefinedIfMissing } from './failures.ts'
import { type Host, repositoryIdAt } from './host.ts'

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
  /** Id that the host gave it; null until the host has reported it. Another repository may have its address by now. */
  id: number | null
}

const User = z.object({ id: z.number(), login: z.string().min(1), type: z.string() })
const Permission = z.object({ permission: z.string(), role_name: z.string().default('') })
const Invitation = z.object({ id: z.number(), invitee: z.object({ id: z.number() }).nullable() })

/** The account of a person or a bot with this name; `undefined` if there is none. */
export async function findAccount({ octokit, request }: Host, login: string): Promise<Account | undefined> {
  const found = await octokit.rest.users
    .getByUsername({ username: login, request: { ...request } })
    .catch(undefinedIfMissing)
  return found && toAccount(found.data)
}

function toAccount(body: unknown): Account | undefined {
  const { type, id, login } = parseBody(User, body)
  return type === 'Organization' ? undefined : { id, login }
}

/**
 * Lets the account write to the repository. Repeating it renews an invitation that has expired.
 *
 * @returns whether it has access at once or has to accept an invitation
 * @throws RepositoryError `rejected` where the host does not allow it, or the account administers the repository and would
 *   lose that, or another repository has the address
 */
export async function invite(
  host: Host,
  repository: RepositoryReference,
  { login: username }: Account,
): Promise<'active' | 'invited'> {
  const at = addressOf(host, repository)
  const { rest } = host.octokit
  try {
    await requireSame(host, repository)
    const held = await rest.repos
      .getCollaboratorPermissionLevel({ ...at, username })
      .catch(undefinedIfMissing)
    if (held && hasMore(parseBody(Permission, held.data))) throw new RepositoryError('rejected')
    const { status } = await rest.repos.addCollaborator({ ...at, username, permission: 'push' })
    return requireStatus(status, 201, 204) === 201 ? 'invited' : 'active'
  } catch (error) {
    throw isRefusal(error) ? new RepositoryError('rejected') : error
  }
}

/**
 * Takes the account's access back, and an invitation that waits for it. Does nothing if there is neither. The account may have a new name,
 * and another one its old name: the repository's list of collaborators says that by their ids. One that the list lacks is named as before.
 */
export async function uninvite(
  host: Host,
  repository: RepositoryReference,
  { id: accountId, login }: Account,
): Promise<void> {
  const at = addressOf(host, repository)
  const { rest } = host.octokit
  await requireSame(host, repository)
  const invitations = await listAll(Invitation, (page) => rest.repos.listInvitations({ ...at, ...page }))
  for (const { id: invitation_id, invitee } of invitations)
    if (invitee?.id === accountId) await done(rest.repos.deleteInvitation({ ...at, invitation_id }))
  const direct = { ...at, affiliation: 'direct' } as const
  const collaborators = await listAll(User, (page) => rest.repos.listCollaborators({ ...direct, ...page }))
  const isNamed = (one: Account) => one.login.toLowerCase() === login.toLowerCase()
  const found = collaborators.find(({ id }) => id === accountId) ?? collaborators.find(isNamed)
  if (found && found.id !== accountId) return
  await done(rest.repos.removeCollaborator({ ...at, username: found?.login ?? login }))
}

const perPage = 100
const mostPages = 10

/** All pages of a list, by their numbers: a link to the next page may lead back. @throws RepositoryError also where there are more */
async function listAll<Item>(
  item: z.ZodType<Item>,
  read: (page: { page: number; per_page: number }) => Promise<{ data: unknown }>,
): Promise<Item[]> {
  const found: Item[] = []
  for (let page = 1; page <= mostPages; page++) {
    const items = parseBody(z.array(item), (await read({ page, per_page: perPage })).data)
    found.push(...items)
    if (items.length < perPage) return found
  }
  throw new RepositoryError('unavailable')
}

/** Makes sure that a deletion has happened, or there was nothing to delete. */
async function done(deletion: Promise<{ status: number }>): Promise<void> {
  const response = await deletion.catch(undefinedIfMissing)
  if (response) requireStatus(response.status, 204)
}

/** Makes sure that the address is still that of the project's repository. @throws RepositoryError `rejected` */
async function requireSame(host: Host, repository: RepositoryReference): Promise<void> {
  if (repository.id === null) return
  if ((await repositoryIdAt(host, repository)) !== repository.id) throw new RepositoryError('rejected')
}

const hasMore = ({ permission, role_name }: z.infer<typeof Permission>) =>
  permission === 'admin' || role_name === 'maintain'

const addressOf = ({ request }: Host, { owner, repository: repo }: RepositoryReference) => ({
  owner,
  repo,
  request: { ...request },
})
