import { z } from 'zod'
import type { Budget } from './client.ts'
import type { Clients, Place } from './clients.ts'
import { parseBody, undefinedIfMissing } from './failures.ts'
import reader from './github-reader-app-manifest.json' with { type: 'json' }

/** The file by which a repository says for which project it is. Who can merge it can merge the work. */
export const proofPath = '.github/bounty-market'

/** What keeps a repository from being a project's. */
export const missingCode = z
  .string()
  .regex(/^(not_installed|no_proof|not_public|archived|permission:[a-z_]{1,50})$/)
  .meta({ example: 'no_proof' })

/** A repository that its founder wants for a project. */
export interface OwnRepository {
  /** The id that the host gave it; undefined while the reader is not installed there. */
  id?: number
  /** Owner and name, as the host writes them. */
  fullName: string
  defaultBranch?: string
  /** Empty once it can be the project's. */
  missing: string[]
}

const Repository = z.object({
  id: z.int(),
  full_name: z.string().regex(/^[\w-]{1,100}\/[\w.-]{1,100}$/),
  private: z.boolean(),
  archived: z.boolean(),
  default_branch: z.string().min(1),
})
const File = z.object({ content: z.string() })

/**
 * Looks what keeps a repository from being a project's. Both are needed: the installation alone can be claimed by anybody who knows its
 * number, and with the file alone neither checks nor merges could be read.
 * @throws RepositoryError
 */
export async function lookAt(
  clients: Clients,
  request: Budget,
  place: Place,
  projectId: string,
): Promise<OwnRepository> {
  const { owner, repository: repo } = place
  const absent = { fullName: `${owner}/${repo}`, missing: ['not_installed'] }
  const installation = await clients.findInstallation(place, request)
  if (!installation || installation.suspended_at) return absent
  const refused = Object.keys(reader.default_permissions).filter((name) => !installation.permissions[name])
  const { rest } = clients.clientOf(installation.id)
  const at = { owner, repo, request: { ...request } }
  const found = await rest.repos.get(at).catch(undefinedIfMissing)
  if (!found) return absent
  const about = parseBody(Repository, found.data)
  const { id, full_name: fullName, default_branch: defaultBranch } = about
  // Its owner may have moved it to the organization since.
  if (clients.isOurs({ owner: fullName.split('/')[0] ?? '', repository: repo })) return absent
  const hasProof = refused.includes('contents') || (await readProof(clients, place, request, installation.id))
  return {
    id,
    fullName,
    defaultBranch,
    missing: [
      ...(about.private ? ['not_public'] : []),
      ...(about.archived ? ['archived'] : []),
      ...refused.map((name) => `permission:${name}`),
      ...(hasProof === true || hasProof.includes(projectId) ? [] : ['no_proof']),
    ],
  }
}

/** The lines of the file on the default branch. */
async function readProof(
  clients: Clients,
  { owner, repository: repo }: Place,
  request: Budget,
  installationId: number,
): Promise<string[]> {
  const found = await clients
    .clientOf(installationId)
    .rest.repos.getContent({ owner, repo, path: proofPath, request: { ...request } })
    .catch(undefinedIfMissing)
  const file = found && File.safeParse(found.data)
  if (!file?.success) return []
  const text = Buffer.from(file.data.content, 'base64').toString()
  return text.split('\n').map((line) => line.trim())
}
