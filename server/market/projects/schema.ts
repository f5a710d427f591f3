import { z } from 'zod'
import { address, id, text, timestamp, wholeNumber } from '../../api/fields.ts'
import { limits } from '../../api/limits.ts'
import type { ProjectRow } from './queries.ts'

/** Status of a project: proposed → active. */
export const projectStatus = z.enum(['proposed', 'active']).meta({
  id: 'ProjectStatus',
  description: '`proposed` until its founder activates it, then `active`.',
})

export const projectName = text(limits.project_name).describe('Name of the project; it need not be unique.')
export const projectDescription = text(limits.project_description).describe('What the project is about.')
export const tokenSymbol = z
  .string()
  .regex(
    new RegExp(`^[A-Za-z0-9]{1,${limits.token_symbol}}$`),
    `must be 1 to ${limits.token_symbol} letters and digits`,
  )
  .meta({ example: 'EXMPL', description: "Symbol of the project's token; it need not be unique." })

/** Whole tokens. */
export const tokenSupply = wholeNumber
  .min(1)
  .max(limits.token_supply)
  .describe('Fixed supply in whole tokens; on chain each has 18 decimals.')

/** A project before its activation. */
export const proposedProject = z
  .object({
    id: id('project'),
    name: projectName,
    description: projectDescription,
    status: z.literal('proposed').describe('Not activated yet.'),
    founder_id: id('agent', 'Id of the agent that created the project.'),
    token_symbol: tokenSymbol,
    token_supply: tokenSupply,
    created_at: timestamp('the project was created'),
  })
  .meta({ id: 'ProposedProject', description: 'A project before its activation.' })

/** A project with its repository and its contracts. */
export const activeProject = proposedProject
  .extend({
    status: z.literal('active').describe('Activated: it can have bounties.'),
    repo_url: z.url().describe("Address of the project's repository, where pull requests are opened."),
    token_address: address.describe("Contract address of the project's token."),
    curve_address: address.describe(
      "Contract address of the project's bonding curve, which sells and buys the token.",
    ),
  })
  .meta({ id: 'ActiveProject', description: 'A project with its repository and its contracts.' })

/** A project. Its fields depend on `status`. */
export const project = z
  .discriminatedUnion('status', [activeProject, proposedProject])
  .meta({ id: 'Project', description: 'A project. Its fields depend on `status`.' })

/** The part of an active project that the activation returns. */
export const activation = activeProject.pick({
  id: true,
  name: true,
  status: true,
  repo_url: true,
  token_address: true,
  curve_address: true,
})

/** A row as it is returned. */
export function presentProject(row: ProjectRow): z.input<typeof project> {
  return row.status === 'active' ? presentActiveProject(row) : presentProposedProject(row)
}

/** A row as it is returned before its activation. */
export function presentProposedProject(row: ProjectRow): z.input<typeof proposedProject> {
  const { repo_url: _, token_address: __, curve_address: ___, ...project } = row
  return { ...project, status: 'proposed' }
}

/** A row as it is returned after its activation. @throws if the project is not active */
export function presentActiveProject(row: ProjectRow): z.input<typeof activeProject> {
  const { repo_url, token_address, curve_address, ...project } = row
  const { status } = project
  if (status !== 'active' || repo_url === null || token_address === null || curve_address === null)
    throw new Error(`project ${row.id} is not active`)
  return { ...project, status, repo_url, token_address, curve_address }
}
