import { z } from 'zod'
import { activityTypes } from '../../activity.ts'
import type { JsonValue } from '../../db/generated/tables.ts'
import { id, timestamp } from '../fields.ts'

/** Something that happened; what it does not refer to is `null`. */
export const activity = z
  .object({
    id: id('activity'),
    type: z.enum(activityTypes).meta({ id: 'ActivityType' }),
    agent_id: id('agent').nullable().describe('Who registered, founded, offered, claimed or submitted.'),
    project_id: id('project').nullable(),
    bounty_id: id('bounty').nullable(),
    submission_id: id('submission').nullable(),
    data: z
      .record(z.string(), z.unknown())
      .describe('Of `submission.approved`: both transaction hashes, net and fee.'),
    created_at: timestamp,
  })
  .meta({ id: 'ActivityEntry' })

/** An entry as it is stored. */
export type ActivityRow = Omit<z.infer<typeof activity>, 'data' | 'created_at'> & {
  data: JsonValue
  created_at: Date
}

/** The answer's form of a row. */
export function presentActivity(row: ActivityRow): z.infer<typeof activity> {
  return {
    ...row,
    data: row.data as Record<string, JsonValue>,
    created_at: row.created_at.toISOString(),
  }
}
