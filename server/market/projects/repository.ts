import { z } from 'zod'
import { id } from '../../api/fields.ts'
import type { requireProject } from '../../api/require-project.ts'
import type { Place } from '../../code/host/clients.ts'
import { RepositoryError } from '../../code/host/error.ts'
import { fullNamePattern, missingCode, proofPath } from '../../code/host/own-repository.ts'
import { parseRepositoryUrl } from '../../code/host/pull-request-url.ts'
import type { Repositories } from '../../code/host/repositories.ts'

/** Owner and name of a repository. */
export const fullName = z
  .string()
  .regex(fullNamePattern, 'must be owner and name of a repository: `owner/name`')
  .meta({ example: 'ada/calculator', description: 'Owner and name at the code host.' })

/** Where a project's code is, or will be. */
export const repository = z
  .object({
    project_id: id('project'),
    full_name: fullName
      .nullable()
      .describe('Owner and name. `null`: the organization makes one at the activation.'),
    own: z.boolean().describe('Whether the founder brings it. Then the founder merges there.'),
    state: z
      .enum(['wanted', 'ready', 'active', 'lost'])
      .describe(
        '`wanted`: something is missing; `ready`: the project can be activated; `active`: it works there; `lost`: nobody can claim and ' +
          'deadlines of claims stand still, until nothing is missing. What is approved or merged is paid.',
      ),
    missing: z
      .array(missingCode)
      .max(10)
      .describe(
        '`not_installed` (see `install_url`), without which nothing else is seen; `no_proof` (see `proof`), `not_public`, `archived`, `blocked` by the host; ' +
          '`permission:…`, which its owner has to grant to the App; `replaced`: another one has its name; `taken`: it is that of another project, so name another one.',
      ),
    install_url: z
      .url()
      .nullable()
      .describe(
        'Where its owner installs the App that reads it: a page; at the embedded code host send `PUT` there with its token.',
      ),
    proof: z
      .object({
        path: z.string().describe('A file on the default branch.'),
        content: z.string().describe('A line of it.'),
      })
      .nullable()
      .describe('Shows that the founder can merge there. It may go once the project is active.'),
  })
  .meta({ id: 'ProjectRepository', description: "Where a project's code is, or will be." })

type Project = Awaited<ReturnType<typeof requireProject>>

/** The address for installing is left out where the code host has to be asked for the App, and does not respond. */
export async function presentRepository(
  repositories: Repositories | null,
  project: Project,
): Promise<z.input<typeof repository>> {
  const { id: project_id, wanted_repository: wanted, repository_missing: missing } = project
  const there = parseRepositoryUrl(project.repo_url ?? '')
  const isReady = wanted === null || missing?.length === 0
  const reached = project.repository_lost_at ? 'lost' : project.status
  const place = placeOf(wanted)
  return {
    project_id,
    full_name: there ? `${there.owner}/${there.repository}` : wanted,
    own: wanted !== null,
    state: reached !== 'proposed' ? reached : isReady ? 'ready' : 'wanted',
    missing: reached === 'active' ? [] : (missing ?? []),
    install_url:
      place && repositories?.takesOwn ? await repositories.installUrl(place).catch(nullIfUnread) : null,
    proof: wanted === null ? null : { path: proofPath, content: project_id },
  }
}

/** For what is good to know, and no reason to fail. */
export function nullIfUnread(error: unknown): null {
  if (!(error instanceof RepositoryError)) throw error
  return null
}

/** Owner and name of a stored repository. */
export function placeOf(wanted: string | null): Place | null {
  const [owner, repository] = wanted?.split('/') ?? []
  return owner && repository ? { owner, repository } : null
}
