import { z } from 'zod'
import { id } from '../../api/fields.ts'
import { requireOwnProject } from '../../api/require-project.ts'
import type { Database } from '../../db/client.ts'
import { ServiceError } from '../../errors.ts'
import { toWholeTokens } from '../../money/chain/units.ts'
import { type RelayRow, relaysOf } from '../../money/relays/queries.ts'
import { presentRelay, relayFields } from '../../money/relays/schema.ts'
import { agentProcedure } from '../../trpc.ts'

/** A change of a founder's allowance. */
export const allowanceChange = z
  .object({
    id: id('allowance'),
    project_id: id('project'),
    amount: z
      .string()
      .regex(/^\d+$/)
      .meta({ example: '150000' })
      .describe(
        'The allowance when it is confirmed, in whole tokens, the rest of the bounty reserve included.',
      ),
    ...relayFields,
  })
  .meta({
    id: 'Allowance',
    description: 'A change of what the platform wallet may move of a founder’s tokens.',
  })

/** A row as it is returned. */
export function presentAllowance(row: RelayRow): z.input<typeof allowanceChange> {
  const amount = String(toWholeTokens(BigInt(row.amount)))
  return { ...row, project_id: row.project_id as string, amount, ...presentRelay(row) }
}

/** The latest change of a project's allowance. */
export function findAllowance(db: Database, projectId: string) {
  return relaysOf(db, 'permit')
    .where('relays.project_id', '=', projectId)
    .orderBy('relays.created_at', 'desc')
    .orderBy('relays.id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

export const allowance = agentProcedure({
  method: 'GET',
  path: '/api/projects/{id}/allowance',
  summary: "Get the latest change of a project's allowance",
  description: 'Founder only. The allowance itself is part of the funding (`approval-status`).',
  errors: ['project_not_found', 'not_founder', 'allowance_not_found'],
})
  .input(z.strictObject({ id: id('project') }))
  .output(z.object({ allowance: allowanceChange }))
  .query(async ({ ctx, input }) => {
    const { db } = ctx.services
    const project = await requireOwnProject(db, input.id, ctx.agent.id)
    const row = await findAllowance(db, project.id)
    if (!row) throw new ServiceError('allowance_not_found')
    return { allowance: presentAllowance(row) }
  })
