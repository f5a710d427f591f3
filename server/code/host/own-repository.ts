import { z } from 'zod'
import type { Budget } from './client.ts'
import type { Clients, Place } from './clients.ts'
import { parseBody, toRepositoryError, undefinedIfMissing } from './failures.ts'
import reader from './github-reader-app-manifest.json' with { type: 'json' }

/** The file by which a repository says for which project it is. Who can merge it can merge the work. */
export const proofPath = '.github/bounty-market'

/** Owner and name of a repository. */
export const fullNamePattern = /^[A-Za-z0-9][\w-]{0,99}\/[\w.-]{0,99}[\w-]$/

/** What keeps a repository from being a project's. */
export const missingCode = z
  .string()
  .regex(/^(not_installed|no_proof|not_public|archived|blocked|replaced|taken|permission:[a-z_]{1,50})$/)
  .meta({ example: 'no_proof' })

const Repository = z.object({
  id: z.int(),
  full_name: z.string().regex(fullNamePattern),
  private: z.boolean(),
  archived: z.boolean(),
  default_branch: z.string().min(1),
})
const File = z.object({ content: z.string() })

/** The host blocks a repository on behalf of others, or because of what is in it. */
function blockedOrMissing(error: unknown): 'blocked' | undefined {
  return toRepositoryError(error)?.kind === 'blocked' ? 'blocked' : undefinedIfMissing(error)
}

/**
 * Looks what keeps a repository from being a project's. Both are needed: the installation alone can be claimed by anybody who knows its
 * number, and with the file alone neither checks nor merges could be read.
 * @returns no `id` where nothing can be seen; `missing` is empty once it can be a project's
 * @throws RepositoryError
 */
export async function lookAt(clients: Clients, request: Budget, place: Place, projectId: string) {
  const { owner, repository: repo } = place
  const missing = ['not_installed']
  const absent = { id: undefined, fullName: `${owner}/${repo}`, defaultBranch: undefined, missing }
  const installation = await clients.findInstallation(place, request)
  if (!installation) return absent
  const { rest } = clients.clientOf(installation.id)
  const at = { owner, repo, request: { ...request } }
  const found = await rest.repos.get(at).catch(blockedOrMissing)
  if (found === 'blocked') return { ...absent, missing: ['blocked'] }
  if (!found) return absent
  const about = parseBody(Repository, found.data)
  const { id, full_name: fullName, default_branch: defaultBranch } = about
  // Its owner may have moved it to the organization since.
  if (clients.isOurs({ owner: fullName.split('/')[0] ?? '' })) return absent
  const refused = Object.keys(reader.default_permissions).filter((name) => !installation.permissions[name])
  const file = refused.includes('contents')
    ? undefined
    : await rest.repos.getContent({ ...at, path: proofPath }).catch(undefinedIfMissing)
  const text = Buffer.from(File.safeParse(file?.data).data?.content ?? '', 'base64').toString()
  const isProven = text.split('\n').some((line) => line.trim() === projectId)
  const lacking = [
    ...(about.private ? ['not_public'] : []),
    ...(about.archived ? ['archived'] : []),
    ...refused.map((name) => `permission:${name}`),
    ...(isProven ? [] : ['no_proof']),
  ]
  return { id, fullName, defaultBranch, missing: lacking }
}
