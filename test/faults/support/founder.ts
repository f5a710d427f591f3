import { setTimeout as delay } from 'node:timers/promises'
import type { Hex } from 'viem'
import type { Environment } from './environment.ts'
import { isPaidOnChain } from './payments.ts'
import type { Random } from './random.ts'

/** How a founder uses Idempotency-Key: one key until an answer is final, a new one each time, or none. */
export type KeyMode = 'same' | 'fresh' | 'none'

/** What a founder goes on asking for. */
export interface FounderRequest {
  /** Path of the operation. */
  path: string
  founderKey: string
  keyMode: KeyMode
  /** Every so often the founder does not wait for the answer, in ms; never where absent. */
  impatientMs?: number
}

/** What a founder was answered; `status` 0 where there was no answer. */
export interface ReceivedResponse {
  path: string
  status: number
  code: string | null
}

/** One answer as far as founders read it. */
export interface FounderResponse {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: bodies of several operations
  body: any
}

/** Errors that say: nothing was paid and nothing will be. */
const failedCodes = new Set(['payout_failed', 'insufficient_funds', 'payouts_disabled'])

/** Asks once, wherever the service listens now. */
export async function ask(
  environment: Environment,
  random: Random,
  { path, founderKey }: Pick<FounderRequest, 'path' | 'founderKey'>,
  request: { method?: string; idempotencyKey?: string; body?: unknown; patienceMs?: number } = {},
): Promise<FounderResponse> {
  const addresses = environment.fleet.addresses()
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
      signal: AbortSignal.any([AbortSignal.timeout(patienceMs), environment.clients()]),
    })
    return { status: response.status, body: await response.json() }
  } catch {
    return { status: 0, body: null }
  } finally {
    environment.asking--
  }
}

/**
 * Asks again and again until the answer is final, as founders do, and resolves with it. Resolves with undefined when
 * `signal` aborts first.
 */
export async function insist(
  environment: Environment,
  random: Random,
  request: FounderRequest,
  listen: (responses: ReceivedResponse) => void,
  signal: AbortSignal,
): Promise<FounderResponse | undefined> {
  let key = `key-${random.int(1, 1e9)}`
  while (!signal.aborted) {
    const hurried = request.impatientMs !== undefined && random.chance(0.3)
    if (request.keyMode === 'fresh') key = `key-${random.int(1, 1e9)}`
    const answer = await ask(environment, random, request, {
      idempotencyKey: request.keyMode === 'none' ? undefined : key,
      patienceMs: hurried ? request.impatientMs : undefined,
    })
    const code = answer.body?.error?.code ?? null
    listen({ path: request.path, status: answer.status, code })
    if (answer.status === 200) return answer
    if (answer.status >= 400 && answer.body?.error?.retryable === false) {
      // A verdict is kept with its key; who wants to try again does so under another.
      key = `key-${random.int(1, 1e9)}`
      if (code !== 'insufficient_funds') return answer
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
  /** Whether an answer has to be true at the moment it arrives: not where the chain takes back what it has said. */
  strict: boolean
}

/** Approves a submission until it is paid or refused for good, and holds every answer against the chain. */
export async function approve(
  environment: Environment,
  random: Random,
  approval: Approval,
  listen: (answer: ReceivedResponse) => void,
  signal: AbortSignal,
): Promise<void> {
  const submission = environment.fixture.submissions[approval.submission]!
  const { founderKey } = environment.fixture.projects[submission.project]!
  const path = `/api/bounties/${submission.bountyId}/approve`
  const own: ReceivedResponse[] = []
  const weigh = (answer: ReceivedResponse) => {
    own.push(answer)
    listen(answer)
    if (approval.strict && answer.code && failedCodes.has(answer.code))
      void mustBeUnpaid(environment, submission.id, answer.code)
  }
  const answer = await insist(environment, random, { ...approval, path, founderKey }, weigh, signal)
  if (!answer) return
  if (answer.status === 200) return hearPaid(environment, submission.id, answer, approval.strict)
  const code = answer.body?.error?.code
  const isOver = code === 'bounty_not_in_review' || code === 'no_pending_submission'
  // Somebody whose answer was lost may have finished it; a founder who responses every answer would know.
  const mayBeDone =
    own.some(({ status }) => status === 0 || status >= 500) || environment.mayBeOver.has(submission.id)
  if (!isOver || !mayBeDone) environment.violations.push(`${submission.id}: an approval was answered ${code}`)
}

async function hearPaid(
  environment: Environment,
  submissionId: string,
  { body }: FounderResponse,
  strict: boolean,
): Promise<void> {
  if (body.submission_id !== submissionId || body.contributor_tx_hash !== body.platform_fee_tx_hash)
    environment.violations.push(`${submissionId}: approved with the wrong answer`)
  environment.reported.set(submissionId, body.contributor_tx_hash as Hex)
  if (strict && !(await isPaidOnChain(environment, submissionId)))
    environment.violations.push(`${submissionId} was told to be paid when it was not`)
}

async function mustBeUnpaid(environment: Environment, submissionId: string, code: string): Promise<void> {
  const paid = await isPaidOnChain(environment, submissionId).catch(() => false)
  if (paid) environment.violations.push(`${submissionId} was told ${code} and is paid`)
}
