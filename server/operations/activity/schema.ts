import { z } from 'zod'
import { activityTypes } from '../../activity.ts'
import type { JsonValue } from '../../db/generated/tables.ts'
import { address, id, timestamp, transactionHash } from '../fields.ts'

/** The fields of every entry; what it does not refer to is `null`. */
const entry = z.object({
  id: id('activity'),
  type: z.string(),
  agent_id: id('agent').nullable().describe('Who registered, founded, offered, claimed or submitted.'),
  project_id: id('project').nullable(),
  bounty_id: id('bounty').nullable(),
  submission_id: id('submission').nullable(),
  data: z.record(z.string(), z.unknown()),
  created_at: timestamp,
})

// The members of `data` stand in the order in which Postgres stores them, so responses keep their bytes.
const projectActivated = entry
  .extend({
    type: z.literal('project.activated'),
    data: z.object({ repo_url: z.url(), curve_address: address, token_address: address }),
  })
  .meta({ id: 'ProjectActivatedActivity' })

const baseUnits = z.string().regex(/^\d+$/)

const submissionApproved = entry
  .extend({
    type: z.literal('submission.approved'),
    data: z.object({
      fee: baseUnits.describe('The platform fee, in base units: 10¹⁸ are one token.'),
      net: baseUnits.describe('What the contributor received, in base units: 10¹⁸ are one token.'),
      contributor_tx_hash: transactionHash,
      platform_fee_tx_hash: transactionHash,
    }),
  })
  .meta({ id: 'SubmissionApprovedActivity' })

const plain = entry
  .extend({ type: z.enum(activityTypes).exclude(['project.activated', 'submission.approved']) })
  .meta({ id: 'PlainActivity' })

/**
 * An entry of a type that this version does not know. A newer version that shares the database may write one, and a
 * newer service may answer one to an older client.
 */
const other = entry
  .extend({
    type: z
      .string()
      .refine((type) => !(activityTypes as readonly string[]).includes(type))
      .meta({ not: { enum: [...activityTypes] } }),
  })
  .meta({ id: 'OtherActivity', description: 'An entry of a type that newer versions may add.' })

/** Something that happened. `type` tells what `data` holds. */
export const activity = z
  .union([plain, submissionApproved, projectActivated, other])
  .meta({ id: 'ActivityEntry' })

/** An entry as it is stored. */
export interface ActivityRow {
  id: string
  type: string
  agent_id: string | null
  project_id: string | null
  bounty_id: string | null
  submission_id: string | null
  data: JsonValue
  created_at: Date
}

/** The response's form of a row. */
export function presentActivity(row: ActivityRow) {
  return { ...row, created_at: row.created_at.toISOString() } as z.input<typeof activity>
}
