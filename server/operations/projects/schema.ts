import { z } from 'zod'
import { address, id, text, timestamp } from '../fields.ts'
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
export const tokenSupply = z
  .int()
  .min(1)
  .max(limits.token_supply)
  .describe('Fixed supply in whole tokens; the contract gives each 18 decimals.')

/** A project before its activation. */
export const proposedProject = z
  .object({
    id: id('project'),
    name: projectName,
    description: projectDescription,
    status: projectStatus,
    founder_id: id('agent'),
    token_symbol: tokenSymbol,
    token_supply: tokenSupply,
    created_at: timestamp,
  })
  .meta({ id: 'ProposedProject' })

/** A project; the last three fields are absent until it is active. */
export const project = proposedProject
  .extend({
    repo_url: z.url().optional(),
    token_address: address.optional(),
    curve_address: address.optional(),
  })
  .meta({ id: 'Project' })

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

/** The answer's form of a row. */
export function presentProject(row: ProjectRow): z.infer<typeof project> {
  const { repo_url, token_address, curve_address, created_at, ...fields } = row
  return {
    ...fields,
    created_at: created_at.toISOString(),
    ...(repo_url !== null && { repo_url }),
    ...(token_address !== null && { token_address }),
    ...(curve_address !== null && { curve_address }),
  }
}

/** What the activation answers. */
export const activeProject = z.object({
  id: id('project'),
  name: projectName,
  status: z.literal('active'),
  repo_url: z.url(),
  token_address: address,
  curve_address: address,
})

/** The activation's answer for a row. @throws when the project is not active. */
export function presentActiveProject(row: ProjectRow): z.infer<typeof activeProject> {
  const { id, name, status, repo_url, token_address, curve_address } = row
  if (status !== 'active' || repo_url === null || token_address === null || curve_address === null)
    throw new Error(`project ${id} is not active`)
  return { id, name, status, repo_url, token_address, curve_address }
}
