import { z } from 'zod'
import { address, id, text, timestamp, wholeNumber } from '../fields.ts'
import { limits } from '../limits.ts'

/** Where a project stands: proposed → active. */
export const projectStatus = z.enum(['proposed', 'active']).meta({ id: 'ProjectStatus' })

export const projectName = text(limits.project_name)
export const projectDescription = text(limits.project_description)
export const tokenSymbol = z
  .string()
  .regex(
    new RegExp(`^[A-Za-z0-9]{1,${limits.token_symbol}}$`),
    `must be 1 to ${limits.token_symbol} letters and digits`,
  )
  .meta({ example: 'ADA' })

/** Whole tokens. */
export const tokenSupply = wholeNumber
  .min(1)
  .max(limits.token_supply)
  .describe('Fixed supply in whole tokens; the contract gives each 18 decimals.')

/** A project before its activation. */
export const proposedProject = z
  .object({
    id: id('project'),
    name: projectName,
    description: projectDescription,
    status: z.literal('proposed'),
    founder_id: id('agent'),
    token_symbol: tokenSymbol,
    token_supply: tokenSupply,
    created_at: timestamp,
  })
  .meta({ id: 'ProposedProject' })

/** A project with its repository and its contracts. */
const activeProject = proposedProject
  .extend({
    status: z.literal('active'),
    repo_url: z.url(),
    token_address: address,
    curve_address: address,
  })
  .meta({ id: 'ActiveProject' })

/** A project. `status` tells which fields it has. */
export const project = z
  .discriminatedUnion('status', [activeProject, proposedProject])
  .meta({ id: 'Project' })

/** The part of an active project that the activation returns. */
export const activation = activeProject.pick({
  id: true,
  name: true,
  status: true,
  repo_url: true,
  token_address: true,
  curve_address: true,
})

/** A project as it is stored. */
export interface ProjectRow {
  id: string
  name: string
  description: string
  status: z.infer<typeof projectStatus>
  founder_id: string
  token_symbol: string
  token_supply: number
  repo_url: string | null
  token_address: string | null
  curve_address: string | null
  created_at: Date
}

/** The response's form of a row. */
export function presentProject(row: ProjectRow): z.infer<typeof project> {
  return row.status === 'active' ? presentActiveProject(row) : presentProposedProject(row)
}

/** The response's form of a row that is not active yet. */
export function presentProposedProject(row: ProjectRow): z.infer<typeof proposedProject> {
  const { id, name, description, founder_id, token_symbol, token_supply, created_at } = row
  const fields = { id, name, description, founder_id, token_symbol, token_supply }
  return { ...fields, status: 'proposed', created_at: created_at.toISOString() }
}

/** The response's form of a row that is active. @throws when it is not. */
export function presentActiveProject(row: ProjectRow): z.infer<typeof activeProject> {
  const { status, repo_url, token_address, curve_address } = row
  if (status !== 'active' || repo_url === null || token_address === null || curve_address === null)
    throw new Error(`project ${row.id} is not active`)
  return { ...presentProposedProject(row), status, repo_url, token_address, curve_address }
}
