import { z } from 'zod'
import { id } from '../../api/fields.ts'
import type { requireProject } from '../../api/require-project.ts'
import { RepositoryError } from '../../code/host/error.ts'
import { missingCode, proofPath } from '../../code/host/own-repository.ts'
import { parseRepositoryUrl } from '../../code/host/pull-request-url.ts'
import type { Repositories } from '../../code/host/repositories.ts'

/** Owner and name of a repository. */
export const fullName = z
  .string()
  .regex(
    /^[A-Za-z0-9][\w-]{0,99}\/(?!\.{1,2}$)[\w.-]{1,100}(?<!\.git)$/,
    'must be owner and name of a repository: `owner/name`',
  )
  .meta({ example: 'ada/calculator', description: 'Owner and name at the code host.' })

/** Where a project's code is, or will be. */
export const repository = z
  .object({
    project_id: id('project'),
    full_name: fullName
      .nullable()
      .describe('Owner and name. `null`: the organization makes one at the activation.'),
    own: z
      .boolean()
      .describe('Whether the founder brings it. Then the founder merges there, and the service only reads.'),
    state: z
      .enum(['wanted', 'ready', 'active'])
      .describe(
        '`wanted`: something is missing, or it was not looked at yet; `ready`: the project can be activated; `active`: the project works there.',
      ),
    missing: z
      .array(missingCode)
      .max(10)
      .describe(
        "What keeps it from being the project's: `not_installed` (see `install_url`), `no_proof` (see `proof`), `not_public`, `archived`, or " +
          '`permission:…`, which its owner has to grant to the App. While the App is not installed, nothing else can be seen.',
      ),
    install_url: z
      .url()
      .nullable()
      .describe(
        'Where its owner installs the App that reads it: a page at GitHub; at the embedded code host send `PUT` there with a token of that host.',
      ),
    proof: z
      .object({
        path: z.string().describe('A file on the default branch.'),
        content: z.string().describe('A line of it.'),
      })
      .nullable()
      .describe(
        'Shows that the founder can merge there. The file may go once the project is active. `null` where the organization makes the repository.',
      ),
  })
  .meta({ id: 'ProjectRepository', description: "Where a project's code is, or will be." })

type Project = Pick<
  Awaited<ReturnType<typeof requireProject>>,
  'id' | 'status' | 'repo_url' | 'wanted_repository' | 'repository_missing'
>

/** The address for installing is left out where the code host has to be asked for the App, and does not respond. */
export async function presentRepository(
  repositories: Repositories | null,
  project: Project,
): Promise<z.input<typeof repository>> {
  const { id: project_id, wanted_repository: wanted } = project
  const isActive = project.status === 'active'
  const there = parseRepositoryUrl(project.repo_url ?? '')
  const full_name = there ? `${there.owner}/${there.repository}` : wanted
  const missing = isActive ? [] : (project.repository_missing ?? [])
  const isReady = wanted === null || project.repository_missing?.length === 0
  const place = placeOf(wanted)
  return {
    project_id,
    full_name,
    own: wanted !== null,
    state: isActive ? 'active' : isReady ? 'ready' : 'wanted',
    missing,
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
export function placeOf(wanted: string | null): { owner: string; repository: string } | null {
  const [owner, repository] = wanted?.split('/') ?? []
  return owner && repository ? { owner, repository } : null
}
