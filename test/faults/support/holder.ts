import { setTimeout as delay } from 'node:timers/promises'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { Random } from '../../support/random.ts'
import type { Environment } from './environment.ts'
import { ask, type FounderResponse, type ReceivedResponse } from './founder.ts'
import { isMade, type RequestedWithdrawal, type WithdrawalState, whyUsable } from './oracle/withdrawals.ts'

const path = '/api/agents/me/withdrawals'

/** A withdrawal that an agent wants. */
export interface WantedWithdrawal {
  /** Which of the fixture's holders. */
  holder: number
  /** Whole tokens. */
  tokens: number
  as: 'tokens' | 'eth'
  minEth?: string
  impatientMs?: number
  /** Two clients of the agent send the same request. */
  isTwice?: boolean
  /** Whether a response has to be true when it arrives; a reorganisation may make it false for a while. */
  strict: boolean
}

/** Asks for a withdrawal until there is a response, and reads it until it is confirmed or failed. */
export async function withdraw(
  environment: Environment,
  random: Random,
  { isTwice, strict, impatientMs, ...wanted }: WantedWithdrawal,
  listen: (response: ReceivedResponse) => void,
  signal: AbortSignal,
): Promise<void> {
  const to = privateKeyToAccount(generatePrivateKey()).address
  const request: RequestedWithdrawal = { ...wanted, key: `withdrawal-${to}`, to, readings: [] }
  environment.withdrawals.push(request)
  const client = () => repeat(environment, random, request, { strict, impatientMs }, listen, signal)
  await Promise.all(isTwice ? [client(), client()] : [client()])
}

/** Repeats a request with its Idempotency-Key until the withdrawal is confirmed or failed, as an agent does. */
export async function repeat(
  environment: Environment,
  random: Random,
  request: RequestedWithdrawal,
  { strict, impatientMs }: Pick<WantedWithdrawal, 'strict' | 'impatientMs'>,
  listen: (response: ReceivedResponse) => void,
  signal: AbortSignal,
): Promise<void> {
  let states: WithdrawalState[] = []
  let isReading = false
  while (!signal.aborted) {
    const patienceMs = impatientMs !== undefined && random.chance(0.3) ? impatientMs : undefined
    const id = isReading ? states.at(-1)?.id : undefined
    const response = await (id === undefined
      ? create(environment, random, request, patienceMs)
      : read(environment, random, request, id, patienceMs))
    listen({ path, status: response.status, code: response.body?.error?.code ?? null })
    const state = response.body?.withdrawal as WithdrawalState | undefined
    const error = response.body?.error
    if (error?.code === 'idempotency_key_reused' && environment.fellBack) {
      request.lost = error.message
      return
    }
    const isForgotten = response.status === 404 && environment.fellBack
    if (error && !error.retryable && !isForgotten)
      return void environment.violations.push(`a withdrawal got ${error.code}`)
    if (state && states.at(-1)?.id !== state.id) {
      states = []
      request.readings.push(states)
    }
    if (state && isNew(states.at(-1), state)) {
      states.push(state)
      await compare(environment, request, state, strict)
    }
    if (state?.status === 'confirmed' || state?.status === 'failed') return
    isReading = state !== undefined && random.chance(0.6)
    await delay(random.int(50, 200))
  }
}

const isNew = (before: WithdrawalState | undefined, { status, tx_hash }: WithdrawalState) =>
  before?.status !== status || before.tx_hash !== tx_hash

function create(
  environment: Environment,
  random: Random,
  { holder, tokens, to, as, minEth, key }: RequestedWithdrawal,
  patienceMs: number | undefined,
): Promise<FounderResponse> {
  const { key: founderKey, project } = environment.fixture.holders[holder]!
  const project_id = environment.fixture.projects[project]!.id
  const body = {
    project_id,
    amount: String(tokens),
    to,
    as,
    ...(minEth !== undefined && { min_eth: minEth }),
  }
  return ask(environment, random, { path, founderKey }, { idempotencyKey: key, body, patienceMs })
}

function read(
  environment: Environment,
  random: Random,
  { holder }: RequestedWithdrawal,
  id: string,
  patienceMs: number | undefined,
): Promise<FounderResponse> {
  const founderKey = environment.fixture.holders[holder]!.key
  return ask(environment, random, { path: `${path}/${id}`, founderKey }, { method: 'GET', patienceMs })
}

/** Compares what the agent reads with the chain, at the moment when it reads it. */
async function compare(
  environment: Environment,
  request: RequestedWithdrawal,
  { id, status }: WithdrawalState,
  strict: boolean,
): Promise<void> {
  if (status === 'failed') environment.violations.push(...(await whyUsable(environment, request)))
  if (status === 'confirmed' && strict && !(await isMade(environment, request)))
    environment.violations.push(`${id} was reported confirmed when it was not made`)
}

/** Reads every withdrawal once more; notes those that the service does not know. */
export async function readWithdrawals(environment: Environment, random: Random): Promise<void> {
  for (const request of environment.withdrawals) {
    request.last = undefined
    const id = request.readings.at(-1)?.at(-1)?.id
    while (id !== undefined) {
      const { status, body } = await read(environment, random, request, id, undefined)
      if (status === 200) request.last = body.withdrawal
      if (status === 200 || status === 404) break
      await delay(50)
    }
  }
}
