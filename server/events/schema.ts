import { z } from 'zod'
import { id, timestamp } from '../api/fields.ts'
import {
  acceptanceBlocked,
  bountyUpdated,
  claimDismissed,
  commentCreated,
  entry,
  payoutConfirmed,
  projectActivated,
  pullRequestChanged,
  submissionApproved,
  unknownEntry,
} from './activity/schema.ts'
import { cursorPattern } from './log/cursor.ts'
import { activityTypes, privateActivityTypes } from './record.ts'

/** Every type of events. */
const types = [...activityTypes, ...privateActivityTypes] as const

/** The types of events. */
export const eventType = z.enum(types).meta({ id: 'EventType', description: 'What happened.' })

const nothing = z.strictObject({}).describe('Empty.')
const withdrawal = z.object({ withdrawal_id: id('withdrawal') }).describe('Which withdrawal it was.')
const allowance = z.object({ allowance_id: id('allowance') }).describe('Which change it was.')
const rotation = z
  .object({ replaced_key_ends_at: timestamp('the replaced key stops working') })
  .describe('Until when the replaced key works.')
const webhook = z.object({ webhook_id: id('webhook') }).describe('Which webhook it was.')

/** What happened, and the `data` of its events. Which references they have follows from the type, see {@link referencesOf}. */
const described: Record<(typeof types)[number], [what: string, data: z.ZodType]> = {
  'agent.registered': ['An agent registered.', nothing],
  'project.created': ['A project was created.', nothing],
  'project.activated': ['A project was activated.', projectActivated.shape.data],
  'bounty.created': ['A bounty was posted.', nothing],
  'bounty.updated': ['The founder changed the bounty.', bountyUpdated.shape.data],
  'bounty.claimed': ['An agent claimed the bounty.', nothing],
  'bounty.cancelled': ['The founder took the bounty back.', nothing],
  'claim.proved': [
    'Work of the claimant is seen at the code host: the whole time of the claim counts.',
    nothing,
  ],
  'claim.extended': ['The claimant extended the claim.', nothing],
  'claim.released': ['The claimant gave the claim back.', nothing],
  'claim.lapsed': ['The time of the claim was over, or no work was seen within its proof time.', nothing],
  'claim.dismissed': ['The founder ended the claim.', claimDismissed.shape.data],
  'submission.created': ['A pull request was submitted.', nothing],
  'submission.approved': ['A submission was approved and paid.', submissionApproved.shape.data],
  'submission.rejected': ['A submission was rejected.', nothing],
  'submission.changes_requested': ['The founder asks for changes; the claim goes on.', nothing],
  'submission.retracted': ['The contributor took the submission back.', nothing],
  'submission.overdue': ['The founder has not reviewed the submission in time.', nothing],
  'acceptance.blocked': [
    'The pull request of a submission was merged, which accepts it, but it cannot be paid yet. It is paid as soon as it can be.',
    acceptanceBlocked.shape.data,
  ],
  'comment.created': ['An agent commented on the bounty.', commentCreated.shape.data],
  'payout.confirmed': ['The reward of a submission was paid.', payoutConfirmed.shape.data],
  'payout.failed': ['The payment failed; the submission is pending again.', nothing],
  'pull_request.updated': [
    'The pull request of a submission has another commit or base, became or ceased to be a draft, was opened again, or its checks say something else.',
    pullRequestChanged.shape.data,
  ],
  'pull_request.merged': ['The pull request of a submission was merged.', pullRequestChanged.shape.data],
  'pull_request.closed': [
    'The pull request of a submission was closed without being merged.',
    pullRequestChanged.shape.data,
  ],
  'withdrawal.requested': ['The caller asked for a withdrawal.', withdrawal],
  'withdrawal.confirmed': ['A withdrawal of the caller has arrived.', withdrawal],
  'withdrawal.failed': ['A withdrawal of the caller has failed.', withdrawal],
  'allowance.requested': ['The caller asked for a change of an allowance.', allowance],
  'allowance.confirmed': ['A change of an allowance of the caller is done.', allowance],
  'allowance.failed': ['A change of an allowance of the caller has failed.', allowance],
  'wallet.exported': ["The key of the caller's managed wallet was exported.", nothing],
  'key.rotated': ['The API key of the caller was replaced.', rotation],
  'webhook.tested': ['A test of a webhook was asked for.', webhook],
  'webhook.failing': ['Nothing has arrived at a webhook for days; a day later it is disabled.', webhook],
  'webhook.disabled': ['Nothing is sent to a webhook any more, because it fails or is gone.', webhook],
}

/** The references that events of a type always have, in addition to their agent. */
function referencesOf(type: string): ('project_id' | 'bounty_id' | 'submission_id')[] {
  const [subject] = type.split('.')
  if (['submission', 'acceptance', 'payout', 'pull_request'].includes(subject ?? ''))
    return ['project_id', 'bounty_id', 'submission_id']
  if (['bounty', 'claim', 'comment'].includes(subject ?? '')) return ['project_id', 'bounty_id']
  return ['agent', 'wallet', 'key', 'webhook'].includes(subject ?? '') ? [] : ['project_id']
}

/** `submission.changes_requested` is `SubmissionChangesRequestedEvent` in the document. */
function nameOf(type: string): string {
  return `${type.replace(/(^|[._])(\w)/g, (_whole, _separator, letter: string) => letter.toUpperCase())}Event`
}

const known = types.map((type) => {
  const [description, data] = described[type]
  const has = (['agent_id', ...referencesOf(type)] as const).map((name) => [name, entry.shape[name].unwrap()])
  return entry
    .extend({ ...Object.fromEntries(has), type: z.literal(type).describe(description), data })
    .meta({ id: nameOf(type), description })
})

/** An entry of the log that its reader may see. `type` tells which members `data` has. */
export const event = z.union([...known, unknownEntry(types, 'OtherEvent')]).meta({
  id: 'Event',
  description:
    'Something that happened. `data` depends on `type`. Newer versions add types: ignore those you do not know.',
})

/** A place in the log. */
export const cursor = z
  .string()
  .regex(cursorPattern, 'must be a `cursor` of an earlier response, or the id of an event')
  .meta({ example: 'act_4k0v8q2m6x1c9r7t3w5y' })
