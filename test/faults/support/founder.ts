import { setTimeout as delay } from 'node:timers/promises'
import type { Hex } from 'viem'
import { limitSignal } from '../../../server/config/time-limit.ts'
import type { Random } from '../../support/random.ts'
import type { Ending } from '../schedules/plan.ts'
import type { Environment } from './environment.ts'
import type { FixtureSubmission } from './fixture.ts'
import { isPaidOnChain } from './oracle/payments.ts'

/** How a founder uses Idempotency-Key: one key until a response is final, a new one each time, or none. */
export type KeyMode = 'same' | 'fresh' | 'none'

/** A request that a founder repeats until its response is final. */
export interface FounderRequest {
  /** Path of the operation. */
  path: string
  founderKey: string
  keyMode: KeyMode
  /** The founder sometimes waits only this long for the response, in ms; without it always to the end. */
  impatientMs?: number
}

/** A response to a founder; `status` 0 if there was none. */
export interface ReceivedResponse {
  path: string
  status: number
  code: string | null
}

/** The part of a response that founders read. */
export interface FounderResponse {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: bodies of several operations
  body: any
}

/** Errors that say: nothing was paid and nothing will be. */
const failedCodes = new Set(['payout_failed', 'insufficient_funds', 'payouts_disabled', 'dollars_refused'])

/** Sends one request to any process that listens. */
export async function ask(
  environment: Environment,
  random: Random,
  { path, founderKey }: Pick<FounderRequest, 'path' | 'founderKey'>,
  request: { method?: string; idempotencyKey?: string; body?: unknown; patienceMs?: number } = {},
): Promise<FounderResponse> {
  const addresses = environment.addresses()
  if (addresses.length === 0) return { status: 0, body: null }
  const { method = 'POST', idempotencyKey, body, patienceMs = 8000 } = request
  environment.asking++
  try {
    const response = await fetch(random.pick(addresses) + path, {
      method,
      headers: {
        ...(founderKey && { authorization: `Bearer ${founderKey}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: limitSignal(patienceMs, environment.clients()),
    })
    const answer = { status: response.status, body: await response.json() }
    environment.answered++
    return answer
  } catch {
    return { status: 0, body: null }
  } finally {
    environment.asking--
  }
}

/** Tries to end the review of a submission without a payment, once. */
export function endReview(
  environment: Environment,
  random: Random,
  { id, bountyId, project, contributorKey }: FixtureSubmission,
  how: Ending,
): Promise<FounderResponse> {
  if (how === 'retracted')
    return ask(environment, random, { path: `/api/submissions/${id}/retract`, founderKey: contributorKey })
  const { founderKey } = environment.fixture.projects[project]!
  const path = `/api/bounties/${bountyId}/${how === 'rejected' ? 'reject' : 'request-changes'}`
  return ask(environment, random, { path, founderKey }, { body: { review_notes: 'No.' } })
}

/**
 * Repeats a request until its response is final, and resolves with it; with undefined if `signal` aborts first.
 */
export async function insist(
  environment: Environment,
  random: Random,
  request: FounderRequest,
  listen: (response: ReceivedResponse) => void,
  signal: AbortSignal,
): Promise<FounderResponse | undefined> {
  let key = `key-${random.int(1, 1e9)}`
  while (!signal.aborted) {
    const hurried = request.impatientMs !== undefined && random.chance(0.3)
    if (request.keyMode === 'fresh') key = `key-${random.int(1, 1e9)}`
    const response = await ask(environment, random, request, {
      idempotencyKey: request.keyMode === 'none' ? undefined : key,
      patienceMs: hurried ? request.impatientMs : undefined,
    })
    const code = response.body?.error?.code ?? null
    listen({ path: request.path, status: response.status, code })
    if (response.status === 200 || response.status === 201) return response
    if (response.status >= 400 && response.body?.error?.retryable === false) {
      // A final response is stored with its key; another try needs another key.
      key = `key-${random.int(1, 1e9)}`
      if (code !== 'insufficient_funds') return response
    }
    await delay(random.int(50, 200))
  }
  return undefined
}

/** An approval that a founder insists on. */
export interface Approval {
  /** Which of the fixture's. */
  submission: number
  keyMode: KeyMode
  impatientMs?: number
  /** Whether a response has to be true when it arrives; a reorganisation may make it false for a while. */
  strict: boolean
}

/** Approves a submission until it is paid or finally refused, and compares every response with the chain. */
export async function approve(
  environment: Environment,
  random: Random,
  approval: Approval,
  listen: (response: ReceivedResponse) => void,
  signal: AbortSignal,
): Promise<void> {
  const submission = environment.fixture.submissions[approval.submission]!
  const { founderKey } = environment.fixture.projects[submission.project]!
  const path = `/api/bounties/${submission.bountyId}/approve`
  const own: ReceivedResponse[] = []
  const compare = (response: ReceivedResponse) => {
    own.push(response)
    listen(response)
    if (approval.strict && response.code && failedCodes.has(response.code))
      void mustBeUnpaid(environment, submission.id, response.code)
  }
  const response = await insist(environment, random, { ...approval, path, founderKey }, compare, signal)
  if (!response) return
  if (response.status === 200) return checkPaid(environment, submission.id, response, approval.strict)
  const code = response.body?.error?.code
  const isOver = code === 'bounty_not_in_review' || code === 'no_pending_submission'
  // A request whose response was lost may have finished it.
  const mayBeDone =
    own.some(({ status }) => status === 0 || status >= 500) || environment.mayBeOver.has(submission.id)
  if (!isOver || !mayBeDone) environment.violations.push(`${submission.id}: an approval got ${code}`)
}

/** Cancels an open bounty, whose dollars go back then. */
export async function cancel(
  environment: Environment,
  random: Random,
  funded: number,
  listen: (response: ReceivedResponse) => void,
  signal: AbortSignal,
): Promise<void> {
  const { bountyId, project } = environment.fixture.funded[funded]!
  const { founderKey } = environment.fixture.projects[project]!
  const request = { path: `/api/bounties/${bountyId}/cancel`, founderKey, keyMode: 'none' } as const
  const response = await insist(environment, random, request, listen, signal)
  const code = response?.body?.error?.code
  // A request whose response was lost may have done it.
  if (code && code !== 'bounty_cancelled')
    environment.violations.push(`${bountyId}: a cancellation got ${code}`)
}

async function checkPaid(
  environment: Environment,
  submissionId: string,
  { body }: FounderResponse,
  strict: boolean,
): Promise<void> {
  if (body.submission_id !== submissionId || body.contributor_tx_hash !== body.platform_fee_tx_hash)
    environment.violations.push(`${submissionId}: approved with the wrong response`)
  environment.reported.set(submissionId, body.contributor_tx_hash as Hex)
  if (strict && !(await isPaidOnChain(environment, submissionId)))
    environment.violations.push(`${submissionId} was reported paid when it was not`)
}

async function mustBeUnpaid(environment: Environment, submissionId: string, code: string): Promise<void> {
  const paid = await isPaidOnChain(environment, submissionId).catch(() => false)
  if (paid) environment.violations.push(`${submissionId} got ${code} and is paid`)
}
