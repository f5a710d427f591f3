import { type ErrorCode, ServiceError } from '../errors.ts'
import { validationError } from '../http/errors/service-error.ts'
import type { BoundTool } from './definitions.ts'
import type { Json } from './json.ts'
import { type ToolResult, toResult } from './results.ts'

const mostIssues = 10

/** An error as REST returns it. */
export interface Failure {
  code: ErrorCode
  message: string
  retryable: boolean
  issues?: { path: string; message: string }[]
}

const goOn =
  'Call create_project again with the same idempotency_key and arguments: it goes on where it stopped.'
const join = 'The payout goes on. If you are the founder, call approve again: it joins the same payout.'
const look = 'Call next_actions to see what you can do.'

/** What to do about an error, in tools, where its message does not say it. */
const nextSteps: Partial<Record<ErrorCode, string>> = {
  validation_failed: 'Correct what error.issues names, then call {tool} again.',
  bounty_not_found: 'Call find_bounties for the ids of bounties.',
  submission_not_found: 'Call next_actions or get_bounty for the ids of submissions.',
  project_not_found: 'Call next_actions or find_bounties for the ids of projects.',
  bounty_not_open: 'Call get_bounty to see who holds it, or find_bounties for another one.',
  active_claim_exists:
    'Call next_actions to see the claim that you hold; submit, retract or release it first.',
  claimed_too_often: 'Call find_bounties for another one.',
  founder_cannot_claim: 'Call find_bounties for bounties of other projects.',
  bounty_not_claimed:
    'Call get_bounty for its status. Only a bounty that you have claimed takes a submission.',
  not_claimant: 'Call get_bounty to see who holds it. If it is open, call claim first.',
  claim_lapsed: 'Call submit now if the work is done; once the bounty is open, call claim again.',
  no_extension_left: 'Call submit before the claim ends, or release.',
  pull_request_invalid: 'Call preflight: it names the repository and says how to open the pull request.',
  pull_request_not_found: 'Open the pull request first, as preflight says, then call submit again.',
  pull_request_changed: 'Call pull_request, read the diff of its new head_sha, then decide again.',
  pull_request_not_mergeable:
    'Call pull_request for the reason. Before it is paid, request_changes sends it back.',
  bounty_not_in_review: 'Call get_bounty for its status, or review_queue for what waits.',
  no_pending_submission: 'Call review_queue for what waits.',
  submission_changed: 'Call review_queue, and read the submission that is in review now.',
  submission_not_pending: 'Call get_submission for its review.',
  not_approved: 'Call approve first.',
  not_founder: look,
  insufficient_funds: 'Call balances to see what is left. Offer less, or get the project more tokens.',
  payout_unconfirmed: join,
  approval_in_progress: join,
  payout_failed: 'Nothing was paid. Call approve again later.',
  activation_unconfirmed: goOn,
  activation_in_progress: goOn,
  repository_failed: goOn,
  deployment_failed: goOn,
  idempotency_key_reused:
    'For something new call {tool} with a new idempotency_key; to repeat a call send the same arguments.',
}

/** The result of a call that failed. Its issues name arguments of the tool. */
export function failureResult(tool: BoundTool, failure: Failure, retryAfter?: number): ToolResult {
  const argumentOf = Object.fromEntries(Object.entries(tool.fieldOf).map(([name, field]) => [field, name]))
  const issues = failure.issues
    ?.slice(0, mostIssues)
    .map((issue) => ({ ...issue, path: argumentOf[issue.path] ?? issue.path }))
  const { code, retryable } = failure
  const error: Json = {
    code,
    message: issues ? validationError(issues).message : failure.message,
    retryable,
    ...(issues && { issues }),
    ...(retryAfter !== undefined && { retry_after_seconds: retryAfter }),
  }
  const again = retryable ? `Call {tool} again${retryAfter ? ` in ${retryAfter} seconds` : ' later'}.` : look
  const next_step = (nextSteps[code] ?? again).replace('{tool}', tool.name)
  return { ...toResult({ error, next_step }), isError: true }
}

/** An error of this process in the shape that REST returns. */
export function failureOf({ code, message, retryable, issues }: ServiceError): Failure {
  return { code, message, retryable, ...(issues && { issues }) }
}

/** The error of a call that did not end in time. What it began goes on, or can be repeated. */
export function unfinished({ unfinished }: BoundTool): Failure {
  return failureOf(
    unfinished
      ? new ServiceError(unfinished)
      : new ServiceError(
          'unavailable',
          'The service did not respond in time. Look whether it was done before you repeat it.',
        ),
  )
}
