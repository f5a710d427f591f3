import { type ErrorCode, ServiceError } from '../errors.ts'
import type { Json } from './json.ts'
import { type ToolResult, toResult } from './results.ts'
import type { Send } from './send.ts'
import type { BoundTool } from './tools/definitions.ts'

const mostIssues = 10

const look = 'Call next_actions to see what you can do.'
const another = 'Call find_bounties for another one.'
/** Where the message says to claim another one. */
const find = 'Call find_bounties.'
const standing = 'Call get_bounty to see how it stands, and what you can do.'
const submit = 'Call submit, if the work is done.'
const queue = 'Call review_queue for what waits, and read it before you decide.'
const delivery = 'Call preflight: it names the repository and says how to open the pull request.'
const facts = 'Call pull_request, and read the diff of its head_sha before you decide.'
const goOn = 'Call {tool} again with the same arguments: it goes on where it stopped.'
const newKey = 'Call {tool} again with a random UUID as idempotency_key.'
const sameArguments = 'Call {tool} again with the same arguments.'
const join = 'If you are the founder, call approve again with the same arguments: it joins the payout.'

/** What to do about an error, in tools, where neither its message nor the default says it. */
const nextSteps: Partial<Record<ErrorCode, string>> = {
  scope_missing:
    'Ask the one who keeps the API key for a `work` token, or to do it. Calling {tool} again will not help.',
  validation_failed: 'Correct what error.issues names, then call {tool} again.',
  bounty_not_found: 'Call find_bounties for the ids of bounties.',
  reserved_address: 'Call {tool} again with another wallet_address, or without one.',
  project_not_found: 'Call next_actions for your projects, or find_bounties for those of others.',
  claimed_too_often: find,
  claim_barred: find,
  founder_cannot_claim: find,
  not_enough_approved_work:
    'Call find_bounties for one without min_approved, or whose min_approved_reached is true. To comment, claim it first.',
  bounty_cancelled: 'It is over. Leave it, or call find_bounties for others.',
  bounty_changed: 'Call get_bounty for what it says now, and claim with its revision.',
  bounty_closed: another,
  comment_limit_reached: 'Call wait_for_events until the founder has replied.',
  bounty_not_open: standing,
  not_claimant: standing,
  no_progress: 'Then call change_claim with action extend again, or submit.',
  claim_lapsed: submit,
  no_extension_left: submit,
  bounty_not_claimed: `${standing} A submission that is in review can be taken back by retract.`,
  pull_request_invalid: delivery,
  pull_request_taken: delivery,
  pull_request_not_found: delivery,
  pull_request_changed: facts,
  pull_request_not_mergeable: facts,
  bounty_not_in_review:
    'Call next_actions: it lists what waits for you, including the merge of what you have paid for.',
  no_pending_submission: queue,
  submission_changed: 'Call review_queue for what waits.',
  pull_request_merged: 'First call pull_request: approve takes its head_sha.',
  submission_not_pending: 'Call get_submission to see how it stands.',
  payouts_disabled:
    'Nothing was paid, and it may take hours. Inform the one you work for, and call {tool} again from time to time.',
  insufficient_funds:
    'Offer less. More needs the API key, not an access token: the message names the request that gets tokens; then raise the allowance, POST /api/projects/{id}/allowance.',
  insufficient_dollars:
    'Call dollars for the balance and the address of your wallet. Lock less, or have dollars sent there.',
  dollars_exist: 'Call dollars with this bounty_id to see how they stand.',
  dollars_in_flight: 'Call dollars with this bounty_id, then approve.',
  payout_unconfirmed: sameArguments,
  approval_in_progress: join,
  activation_unconfirmed: sameArguments,
  activation_in_progress: goOn,
  repository_failed: goOn,
  deployment_failed: goOn,
  idempotency_key_invalid: newKey,
  idempotency_key_too_weak: 'Call {tool} again with such an idempotency_key.',
  idempotency_key_reused:
    'For something new call {tool} with a new idempotency_key; to repeat a call send the same arguments.',
}

/** Where a tool gets an error for another reason than the rest. */
const stepsOfTools: Record<string, Partial<Record<ErrorCode, (args: Json) => string | undefined>>> = {
  merge: {
    // Without the argument another commit was merged at the code host, which no call changes.
    pull_request_changed: ({ expected_head_sha }) =>
      expected_head_sha === undefined ? look : 'Call merge again without it: nothing else is merged.',
    pull_request_not_mergeable: () => 'Call merge again once nothing stands in its way.',
  },
}

function whenAgain(seconds: number | undefined): string {
  if (!seconds) return 'later'
  return seconds === 1 ? 'in a second' : `in ${seconds} seconds`
}

interface Said {
  /** In place of that of the failure. */
  message?: string
  /** In place of the usual one. */
  step?: string | undefined
  /** Of the call. */
  args?: Json
}

/** The result of a call that failed. Its issues name arguments of the tool. */
export function failureResult(
  tool: BoundTool,
  failure: ServiceError,
  { message = failure.message, step, args = {} }: Said = {},
): ToolResult {
  const { code, retryable, retryAfter } = failure
  const usual = stepsOfTools[tool.name]?.[code]?.(args) ?? nextSteps[code]
  const issues = failure.issues?.slice(0, mostIssues)
  const error: Json = {
    code,
    message: issues ? `Not valid: ${[...new Set(issues.map(({ path }) => path))].join(', ')}.` : message,
    retryable,
    ...(issues && { issues }),
    ...(retryAfter !== undefined && { retry_after_seconds: retryAfter }),
  }
  const again = retryable ? `Call {tool} again ${whenAgain(retryAfter)}.` : look
  const next_step = (step ?? usual ?? again).replace('{tool}', tool.name)
  return { ...toResult({ error, next_step }), isError: true }
}

/** The result of a call that did not end in time. What it began may go on. */
export function unfinishedResult(tool: BoundTool): ToolResult {
  if (tool.unfinished) return failureResult(tool, new ServiceError(tool.unfinished))
  const failure = new ServiceError('unavailable', 'The service did not respond in time.')
  if (tool.target.method === 'GET') return failureResult(tool, failure)
  return failureResult(tool, failure, { step: tool.isKeyed ? sameKey : lookFirst })
}

/** Whether an approval was repeated that has paid the submission it names. */
export async function isPaidAlready(
  { name }: BoundTool,
  { bounty_id, submission_id }: Json,
  { code }: ServiceError,
  send: Send,
): Promise<boolean> {
  if (name !== 'approve' || code !== 'bounty_not_in_review') return false
  const { payout } = await send('payouts.get', { id: submission_id }).catch((): Json => ({}))
  const { status, bounty_id: paid } = (payout ?? {}) as Json
  return status === 'confirmed' && paid === bounty_id
}

export const paidAlready = 'Nothing was paid a second time. Call merge, unless it is merged.'

const sameKey = 'Call {tool} again with the same idempotency_key and arguments: it happens once.'
const lookFirst = 'It may have been done. Call next_actions before you call {tool} again.'
