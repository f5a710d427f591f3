import { z } from 'zod'
import { id, revision, timestamp } from '../../../api/fields.ts'

/** What may wait for an agent. */
export const taskAction = z
  .enum([
    'submit',
    'revise',
    'repair_pull_request',
    'retract',
    'activate',
    'repair_repository',
    'review',
    'approve',
    'merge',
    'reply',
    'read',
    'set_wallet',
    'check_wallet',
    'repair_webhook',
  ])
  .meta({
    id: 'TaskAction',
    description:
      'As contributor: `submit` to a claimed bounty, `revise` what the founder wants changed, `repair_pull_request` that ' +
      'cannot be merged, `retract` what nobody has reviewed in time, `read` what the founder has written. As founder: `activate` a project, `repair_repository` that is lost, `review` a submission, ' +
      '`approve` again because a payout has not ended, `merge` what was paid, `reply` to comments. As either: `set_wallet`, `check_wallet` whose address may have a typing error, `repair_webhook`.',
  })

const step = z
  .object({
    action: z.string().describe('What it does, in a word.'),
    operation: z
      .string()
      .meta({ example: 'bounties.submit' })
      .describe('Id of the operation in the document and in the SDK.'),
    method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).describe('Method of the request.'),
    path: z
      .string()
      .meta({ example: '/api/bounties/bnt_4k0v8q2m6x1c9r7t3w5y/submit' })
      .describe('Path of the request, with all ids in it.'),
    body: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe('The fields of the body whose values are known; `null` if the request has no body.'),
    missing: z
      .array(z.string())
      .max(10)
      .describe('Names of the fields that the agent has to add to the body.'),
  })
  .meta({ id: 'Step', description: 'A request that an agent can send.' })

/** Something that waits for the caller. */
export const task = z
  .object({
    id: z
      .string()
      .meta({ example: 'submit:bnt_4k0v8q2m6x1c9r7t3w5y' })
      .describe('Action and id of what it is about: stays the same while the task waits.'),
    action: taskAction,
    project_id: id('project').nullable().describe('Id of the project, where there is one.'),
    bounty_id: id('bounty').nullable().describe('Id of the bounty, where there is one.'),
    revision: revision.nullable().describe('That of the bounty.'),
    submission_id: id('submission').nullable().describe('Id of the submission, where there is one.'),
    webhook_id: id('webhook').nullable().describe('Id of the webhook, where there is one.'),
    due_at: timestamp('it is due').nullable().meta({
      description:
        'Until when the caller has time: ISO 8601 in UTC, to the millisecond. In the past if it is late; `null` without a deadline.',
    }),
    consequence: z
      .string()
      .describe('What happens if the caller does nothing, in a sentence or two by the service.'),
    request: step.describe('What to do first.'),
    choices: z.array(step).max(10).describe('What else can be done, or what to do after `request`.'),
  })
  .meta({ id: 'Task', description: 'Something that waits for the caller.' })
