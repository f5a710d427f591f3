import type { z } from 'zod'
import type { task, taskAction } from './schema.ts'

type Action = z.infer<typeof taskAction>
type Id = Extract<keyof z.infer<typeof task>, `${string}_id`>

const ofBounty = { project_id: 'always', bounty_id: 'always' } as const
const ofSubmission = { ...ofBounty, submission_id: 'always' } as const

/** The ids that a task has, by its action. Those that are not named are always null. The types of the SDK are made from it. */
export const taskIds = {
  /** With the submission that the founder wants changed, if a pull request was merged since. */
  submit: { ...ofBounty, submission_id: 'sometimes' },
  revise: ofSubmission,
  repair_pull_request: ofSubmission,
  retract: ofSubmission,
  activate: { project_id: 'always' },
  repair_repository: { project_id: 'always' },
  review: ofSubmission,
  approve: ofSubmission,
  merge: ofSubmission,
  reply: ofBounty,
  read: ofBounty,
  set_wallet: {},
  check_wallet: {},
  repair_webhook: { webhook_id: 'always' },
} as const satisfies Record<Action, { [Name in Id]?: 'always' | 'sometimes' }>

type Ids = typeof taskIds

/** The ids of a task with this action. */
export type IdsOf<One extends Action> = {
  [Name in keyof Ids[One]]: Ids[One][Name] extends 'always' ? string : string | null
}
