import { setTimeout as delay } from 'node:timers/promises'
import type { PublicClient } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { retry } from '../../../server/ops/payouts/retry.ts'
import { createRandom, type Random } from '../../support/random.ts'
import {
  createEnvironment,
  type Environment,
  type EnvironmentOptions,
  type Stage,
} from '../support/environment.ts'
import { approve, ask, cancel, endReview, insist, type ReceivedResponse } from '../support/founder.ts'
import { readWithdrawals, withdraw } from '../support/holder.ts'
import { findFaults, unfinished } from '../support/oracle/oracle.ts'
import { unpaidSettled } from '../support/oracle/payments.ts'
import { unpaidByRule } from '../support/oracle/rules.ts'
import { unmadeConfirmed } from '../support/oracle/withdrawals.ts'
import { injectFinalFault } from './final-fault.ts'
import { type Directed, defaultOptions } from './helpers.ts'
import { heal, inject, type Met } from './inject.ts'
import { drawPlan, leastStruck, type Plan } from './plan.ts'
import { playRule } from './ruling.ts'
import { isBusy, within } from './targets.ts'
import { expireAll, finalise } from './withdrawing.ts'

/** The result of a schedule. */
export interface Result {
  /** One line for each problem; empty if all is well. */
  problems: string[]
  logs: string[]
}

/** What a schedule acts on. Requests in the background go on until their responses are final, also after the faults. */
export interface Scenario {
  environment: Environment
  random: Random
  /** Starts a founder's request and does not wait for it. */
  inBackground(
    work: (signal: AbortSignal, listen: (answer: ReceivedResponse) => void) => Promise<unknown>,
  ): void
  responses: ReceivedResponse[]
}

/** Nothing may be unfinished this long after the last fault. */
const longestMs = 60_000

/** A fault that is aimed at a submission of its own waits so long for it, on a slow machine too. */
const aimedMs = 20_000

/** For so long nothing may be unfinished. */
const calmMs = 300

/** Time passes for withdrawals that wait for nothing else so long; a queued transaction may be tried again meanwhile. */
const waitedMs = 1500

/** Runs the schedule of a seed and the final checks. It fails if too few faults met a target. */
export async function runSchedule(stage: Stage, seed: number): Promise<Result> {
  const plan = drawPlan(seed)
  const tally: Tally = { met: [], switched: () => 0 }
  const result = await play(stage, plan, createRandom(seed ^ 0x5eed), {
    act: (scenario) => follow(scenario, plan, tally),
    finalFault: (scenario) => injectFinalFault(scenario, plan.finalFault, plan.confirmations),
  })
  const struck = countStruck(tally)
  if (struck < leastStruck) result.problems.push(`only ${struck} faults met a target`)
  return result
}

/** Counts the faults that met a target. */
interface Tally {
  met: Met[]
  switched(): number
}

function countStruck({ met, switched }: Tally): number {
  return met.filter((isMet) => isMet()).length + switched()
}

/** Runs a directed schedule and the final checks. */
export function runDirected(stage: Stage, { options, act }: Directed): Promise<Result> {
  return play(stage, { ...defaultOptions, ...options }, createRandom(1), { act })
}

/**
 * Creates an environment, runs `act` in it, ends all faults and waits until nothing is unfinished; then the same with
 * `finalFault`, which finds the service idle. The final checks run after each, since the final fault excuses nothing before it.
 */
export async function play(
  stage: Stage,
  options: EnvironmentOptions,
  random: Random,
  { act, finalFault }: Pick<Directed, 'act'> & { finalFault?: Directed['act'] },
): Promise<Result> {
  const environment = await createEnvironment(stage, options)
  const responses: ReceivedResponse[] = []
  const over = new AbortController()
  const background: Promise<unknown>[] = []
  const listen = (answer: ReceivedResponse) => void responses.push(answer)
  try {
    await environment.fleet.ready()
    const scenario: Scenario = {
      environment,
      random,
      responses,
      inBackground: (work) => void background.push(work(over.signal, listen)),
    }
    await act(scenario)
    const problems = await recover(scenario, background, stage.patienceMs)
    problems.push(...(await findFaults(environment)), ...environment.violations)
    if (finalFault && problems.length === 0) {
      await finalFault(scenario)
      problems.push(...(await recover(scenario, background, stage.patienceMs)))
      problems.push(...(await findFaults(environment)), ...environment.violations)
    }
    over.abort()
    return { problems, logs: problems.length > 0 ? environment.fleet.logs() : [] }
  } finally {
    over.abort()
    await environment.close()
  }
}

/** Ends all faults and waits until nothing is unfinished. */
async function recover(
  { environment, random }: Scenario,
  background: Promise<unknown>[],
  patienceMs = longestMs,
): Promise<string[]> {
  const since = performance.now()
  await heal(environment)
  const problems = await settle(environment, background, { since, patienceMs })
  await readWithdrawals(environment, random)
  return problems
}

async function follow(
  { environment, random, inBackground }: Scenario,
  plan: Plan,
  tally: Tally,
): Promise<void> {
  tally.switched = environment.fleet.switched
  // A payment that the chain takes back makes a response false for a while.
  const strict = !plan.faults.some(({ what }) => what === 'reorganisation')
  let unanswered = 0
  const begin = ({ at, ...approval }: Plan['approvals'][number]) => {
    unanswered++
    inBackground(async (signal, listen) => {
      await delay(at)
      await approve(environment, random, { ...approval, strict }, listen, signal)
      unanswered--
    })
  }
  for (const approval of plan.approvals) begin(approval)
  for (const { at, ...wanted } of plan.withdrawals)
    inBackground(async (signal, listen) => {
      await delay(at)
      await withdraw(environment, random, { ...wanted, strict }, listen, signal)
    })
  for (const { at, proposal, keyMode } of plan.activations)
    inBackground(async (signal, listen) => {
      await delay(at)
      const { id, founderKey } = environment.fixture.proposals[proposal]!
      await insist(
        environment,
        random,
        { path: `/api/projects/${id}/activate`, founderKey, keyMode },
        listen,
        signal,
      )
    })
  for (const { at, funded } of plan.cancellations)
    inBackground(async (signal, listen) => {
      await delay(at)
      await cancel(environment, random, funded, listen, signal)
    })
  await Promise.all([
    ...plan.endings.map(async ({ at, submission, how }) => {
      await delay(at)
      const work = environment.fixture.submissions[submission]!
      const { status } = await endReview(environment, random, work, how)
      if (status === 200 || status === 0 || status >= 500) environment.mayBeOver.add(work.id)
    }),
    ...plan.moves.map(async ({ at, submission }) => {
      await delay(at)
      const { contributorKey } = environment.fixture.submissions[submission]!
      const wallet_address = privateKeyToAccount(generatePrivateKey()).address
      const request = { path: '/api/agents/me/wallet', founderKey: contributorKey }
      await environment.wallets.change(contributorKey, wallet_address, async () => {
        const { status } = await ask(environment, random, request, {
          method: 'PATCH',
          body: { wallet_address },
        })
        return status
      })
    }),
    ...plan.rules.map((rule) => playRule(environment, random, rule)),
    ...plan.faults.map(async (fault) => {
      await delay(fault.at)
      tally.met.push(await inject(environment, fault, random))
    }),
  ])
  const isOver = () => tally.met.every((isMet) => isMet())
  await within(1000, async () => isOver() || !(await isBusy(environment)))
  const isEnough = () => countStruck(tally) >= leastStruck
  // On a slow machine the service may not even have begun.
  await within(aimedMs, async () => isEnough() || unanswered === 0)
  for (const { submission, fault } of plan.reserve) {
    if (isEnough()) return
    begin({ at: 0, submission, keyMode: 'same' })
    const met = await inject(environment, fault, random, aimedMs)
    tally.met.push(met)
    await within(aimedMs, async () => met())
  }
}

/** Waits until every agent has a final response and nothing is unfinished; acts as the operator if one is needed. */
async function settle(
  environment: Environment,
  background: Promise<unknown>[],
  { since, patienceMs }: { since: number; patienceMs: number },
): Promise<string[]> {
  let open = background.length
  const problems: string[] = []
  for (const request of background)
    void request
      .catch((error) => problems.push(`a request in the background failed: ${error}`))
      .finally(() => open--)
  let calmSince = Number.POSITIVE_INFINITY
  let isEndedSince = Number.POSITIVE_INFINITY
  for (;;) {
    const left = await unfinished(environment)
    // What a reorganisation has undone is not seen at once.
    if (open === 0 && left.length === 0)
      left.push(
        ...(await unpaidSettled(environment)),
        ...(await unmadeConfirmed(environment)),
        ...(await unpaidByRule(environment)),
      )
    isEndedSince = (await waitForFinality(environment))
      ? Math.min(isEndedSince, performance.now())
      : Number.POSITIVE_INFINITY
    if (performance.now() - isEndedSince > waitedMs) {
      isEndedSince = Number.POSITIVE_INFINITY
      await passTime(environment)
    }
    if (open > 0 || left.length > 0) calmSince = Number.POSITIVE_INFINITY
    else calmSince = Math.min(calmSince, performance.now())
    if (performance.now() - calmSince > calmMs) return problems
    if (performance.now() - since > patienceMs) return [`${open} agents still wait for a response`, ...left]
    if (!environment.fellBack) await helpAsOperator(environment)
    await delay(50)
  }
}

/** Whether withdrawals wait for time or final blocks alone, because no transaction of the service can make them any more. */
async function waitForFinality({ db }: Environment): Promise<boolean> {
  const running = await db
    .selectFrom('relays')
    .leftJoin('transactions', 'transactions.id', 'transaction_id')
    .select(['transactions.status', 'transactions.error'])
    .where('relays.status', '=', 'running')
    .execute()
  // Of the dollars of a refund that the database has lost, too.
  const refunds = await db
    .selectFrom('transactions')
    .select(['status', 'error'])
    .where('purpose', '=', 'refund')
    .where('status', '=', 'queued')
    .execute()
  const isOver = (status: string | null, error: string | null) =>
    status === 'queued' ? error !== null : status !== 'unconfirmed' && status !== 'mined'
  const waiting = [...running, ...refunds]
  return waiting.length > 0 && waiting.every(({ status, error }) => isOver(status, error))
}

/** So much time passes that no signature is valid any more, and that everything is final. */
async function passTime(environment: Environment): Promise<void> {
  await expireAll(environment)
  await finalise(environment)
}

/** Retries payouts that wait for an operator because the chain took back a reported payment. */
async function helpAsOperator(environment: Environment): Promise<void> {
  const stuck = await environment.db
    .selectFrom('payouts')
    .select('submission_id')
    .where('status', '=', 'needs_operator')
    .execute()
  const client = environment.node as unknown as PublicClient
  for (const { submission_id } of stuck)
    await retry(
      { db: environment.db, client, finality: { confirmations: 1, tag: null, finalityBlocks: 12 } },
      submission_id,
    ).catch(() => undefined)
}
