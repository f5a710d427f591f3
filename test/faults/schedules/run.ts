import { setTimeout as delay } from 'node:timers/promises'
import type { PublicClient } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { retry } from '../../../server/ops/payouts/retry.ts'
import { approve, ask, type Heard, insist } from '../support/founder.ts'
import { findFaults, unfinished } from '../support/oracle.ts'
import { unpaidSettled } from '../support/payments.ts'
import { createRandom, type Random } from '../support/random.ts'
import { type Stage, type Staging, setStage, type World } from '../support/stage.ts'
import { playFinale } from './finale.ts'
import { calm, type Directed } from './helpers.ts'
import { heal, inflict, type Met } from './inflict.ts'
import { drawPlan, leastStruck, type Plan } from './plan.ts'
import { isBusy, within } from './prey.ts'

/** What came of a schedule. */
export interface Result {
  /** What was wrong; nothing where everything is as it must be. */
  problems: string[]
  /** Answers by status and code. */
  heard: Record<string, number>
  /** From the end of all faults until nothing was unfinished. */
  healedMs: number
  totalMs: number
  logs: string[]
}

/** What came of a random schedule. */
export interface Played extends Result {
  /** Faults that met something on its way. */
  struck: number
}

/** What an act does on a stage; `errands` go on until their answers are final, also after the faults. */
export interface Scene {
  stage: Stage
  random: Random
  /** Starts what a founder insists on. */
  errand(work: (signal: AbortSignal, listen: (answer: Heard) => void) => Promise<unknown>): void
  heard: Heard[]
}

/** Nothing may be unfinished this long after the last fault. */
const longestMs = 60_000

/** A fault that is aimed at a submission of its own waits so long for it, on a slow machine too. */
const aimedMs = 20_000

/** For so long nothing may be unfinished. */
const calmMs = 300

/** Plays the schedule of a seed and asks the oracle. One that has hurt nobody proves nothing and has failed. */
export async function runSchedule(world: World, seed: number): Promise<Played> {
  const plan = drawPlan(seed)
  const tally: Tally = { met: [], switched: () => 0 }
  const result = await play(world, plan, createRandom(seed ^ 0x5eed), {
    act: (scene) => follow(scene, plan, tally),
    finale: (scene) => playFinale(scene, plan.finale, plan.confirmations),
  })
  const struck = countStruck(tally)
  if (struck < leastStruck) result.problems.push(`only ${struck} faults have met anything`)
  return { ...result, struck }
}

/** What is asked at the end for what has struck. */
interface Tally {
  met: Met[]
  switched(): number
}

function countStruck({ met, switched }: Tally): number {
  return met.filter((isMet) => isMet()).length + switched()
}

/** Plays a directed schedule and asks the oracle. */
export function runDirected(world: World, { staging, act }: Directed): Promise<Result> {
  return play(world, { ...calm, ...staging }, createRandom(1), { act })
}

/**
 * Sets a stage, lets `act` break things on it, ends all faults and waits until nothing is unfinished; the same with
 * `finale`, which finds the service idle. Asks the oracle after each: what a finale explains is no excuse before it.
 */
export async function play(
  world: World,
  staging: Staging,
  random: Random,
  { act, finale }: Pick<Directed, 'act'> & { finale?: Directed['act'] },
): Promise<Result> {
  const began = performance.now()
  const stage = await setStage(world, staging)
  const heard: Heard[] = []
  const over = new AbortController()
  const errands: Promise<unknown>[] = []
  const listen = (answer: Heard) => void heard.push(answer)
  try {
    await stage.fleet.ready()
    const scene: Scene = {
      stage,
      random,
      heard,
      errand: (work) => void errands.push(work(over.signal, listen)),
    }
    await act(scene)
    const { problems, healedMs } = await recover(stage, errands, world.patienceMs)
    problems.push(...(await findFaults(stage)), ...stage.violations)
    if (finale && problems.length === 0) {
      await finale(scene)
      problems.push(...(await recover(stage, errands, world.patienceMs)).problems)
      problems.push(...(await findFaults(stage)), ...stage.violations)
    }
    over.abort()
    return {
      problems,
      heard: tally(heard),
      healedMs,
      totalMs: Math.round(performance.now() - began),
      logs: problems.length > 0 ? stage.fleet.logs() : [],
    }
  } finally {
    over.abort()
    await stage.close()
  }
}

/** Ends all faults and waits for everybody; tells how long that took. */
async function recover(
  stage: Stage,
  errands: Promise<unknown>[],
  patienceMs = longestMs,
): Promise<{ problems: string[]; healedMs: number }> {
  const since = performance.now()
  await heal(stage)
  const problems = await settle(stage, errands, { since, patienceMs })
  return { problems, healedMs: Math.round(performance.now() - since - calmMs) }
}

async function follow({ stage, random, errand }: Scene, plan: Plan, tally: Tally): Promise<void> {
  tally.switched = stage.fleet.switched
  // What the chain takes back after it was told is wrong for a while, and right again in the end.
  const strict = !plan.faults.some(({ what }) => what === 'reorganisation')
  let unanswered = 0
  const begin = ({ at, ...approval }: Plan['approvals'][number]) => {
    unanswered++
    errand(async (signal, listen) => {
      await delay(at)
      await approve(stage, random, { ...approval, strict }, listen, signal)
      unanswered--
    })
  }
  for (const approval of plan.approvals) begin(approval)
  for (const { at, proposal, keyMode } of plan.activations)
    errand(async (signal, listen) => {
      await delay(at)
      const { id, founderKey } = stage.ground.proposals[proposal]!
      await insist(
        stage,
        random,
        { path: `/api/projects/${id}/activate`, founderKey, keyMode },
        listen,
        signal,
      )
    })
  await Promise.all([
    ...plan.rejections.map(async ({ at, submission }) => {
      await delay(at)
      await reject(stage, random, submission)
    }),
    ...plan.moves.map(async ({ at, submission }) => {
      await delay(at)
      const { contributorKey } = stage.ground.submissions[submission]!
      const wallet_address = privateKeyToAccount(generatePrivateKey()).address
      const request = { path: '/api/agents/me/wallet', founderKey: contributorKey }
      await stage.wallets.change(contributorKey, wallet_address, async () => {
        const { status } = await ask(stage, random, request, { method: 'PATCH', body: { wallet_address } })
        return status
      })
    }),
    ...plan.faults.map(async (fault) => {
      await delay(fault.at)
      tally.met.push(await inflict(stage, fault, random))
    }),
  ])
  const isOver = () => tally.met.every((isMet) => isMet())
  await within(1000, async () => isOver() || !(await isBusy(stage)))
  const isEnough = () => countStruck(tally) >= leastStruck
  // On a slow machine the service may not even have begun.
  await within(aimedMs, async () => isEnough() || unanswered === 0)
  for (const { submission, fault } of plan.reserve) {
    if (isEnough()) return
    begin({ at: 0, submission, keyMode: 'same' })
    const met = await inflict(stage, fault, random, aimedMs)
    tally.met.push(met)
    await within(aimedMs, async () => met())
  }
}

async function reject(stage: Stage, random: Random, submission: number): Promise<void> {
  const { bountyId, project, id } = stage.ground.submissions[submission]!
  const { founderKey } = stage.ground.projects[project]!
  const path = `/api/bounties/${bountyId}/reject`
  const { status } = await ask(stage, random, { path, founderKey }, { body: { review_notes: 'No.' } })
  if (status === 200 || status === 0 || status >= 500) stage.mayBeOver.add(id)
}

/** Waits until every founder has a final answer and nothing is on its way; a person helps where one is needed. */
async function settle(
  stage: Stage,
  errands: Promise<unknown>[],
  { since, patienceMs }: { since: number; patienceMs: number },
): Promise<string[]> {
  let open = errands.length
  const problems: string[] = []
  for (const errand of errands)
    void errand.catch((error) => problems.push(`an errand failed: ${error}`)).finally(() => open--)
  let calmSince = Number.POSITIVE_INFINITY
  for (;;) {
    const left = await unfinished(stage)
    // What a reorganisation has undone is not seen at once.
    if (open === 0 && left.length === 0) left.push(...(await unpaidSettled(stage)))
    if (open > 0 || left.length > 0) calmSince = Number.POSITIVE_INFINITY
    else calmSince = Math.min(calmSince, performance.now())
    if (performance.now() - calmSince > calmMs) return problems
    if (performance.now() - since > patienceMs) return [`${open} founders still wait`, ...left]
    if (!stage.operatorMayBeNeeded) await helpAsOperator(stage)
    await delay(50)
  }
}

/** Payments that the chain takes back after they were told need a person; the test is that person. */
async function helpAsOperator(stage: Stage): Promise<void> {
  const stuck = await stage.db
    .selectFrom('payouts')
    .select('submission_id')
    .where('status', '=', 'needs_operator')
    .execute()
  const client = stage.node as unknown as PublicClient
  for (const { submission_id } of stuck)
    await retry(
      { db: stage.db, client, finality: { confirmations: 1, tag: null, finalityBlocks: 12 } },
      submission_id,
    ).catch(() => undefined)
}

function tally(heard: Heard[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status, code } of heard) {
    const key = status === 0 ? 'no answer' : [status, code].filter(Boolean).join(' ')
    counts[key] = (counts[key] ?? 0) + 1
  }
  return counts
}
