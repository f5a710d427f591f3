import type { Switch } from '../child/kill-switch.ts'
import type { Environment } from '../support/environment.ts'
import { unfinished } from '../support/oracle/oracle.ts'
import {
  activateAll,
  approveAll,
  byHand,
  cancelAll,
  type Directed,
  isActive,
  isRefunded,
  mempoolHas,
  payoutIs,
  until,
} from './helpers.ts'
import { payMerged } from './merging.ts'
import type { Scenario } from './run.ts'
import { finalise, relayFromOutside, takeOut, withdrawalsAreSettled } from './withdrawing.ts'

/** Steps of a payout between two effects, with the crash point each stands for. */
const payoutSteps: [string, string][] = [
  ['C1 after the intent is stored', 'intent stored'],
  ['C1 before the nonce is stored', 'attempt signed'],
  ['C2 after the nonce is stored, before sending', 'attempt stored'],
  ['C4 after sending, before that is written', 'attempt sent'],
  ['C4 after the sending is written', 'send recorded'],
  ['C5 after a replacement is stored, before it is sent', 'replacement stored'],
  ['C6 after a replacement is sent', 'replacement sent'],
  ['C7 after the receipt is seen, before it is written', 'receipt seen'],
  ['C8 after the receipt is written, before its outcome', 'receipt recorded'],
  ['C9 after the outcome is stored, before the answer', 'outcome stored'],
  ['C9 when the answer is ready', 'answer ready'],
]

const deploySteps: [string, string][] = [
  ['after the intent is stored', 'intent stored'],
  ['C10 after the repository is created, before that is written', 'repository created'],
  ['C10 after the repository is written', 'repository recorded'],
  ['after the deploy is queued', 'deploy queued'],
  ['C1 before the nonce is stored', 'attempt signed'],
  ['C2 after the nonce is stored, before sending', 'attempt stored'],
  ['C11 after the deploy is sent, before that is written', 'attempt sent'],
  ['C11 after the sending is written', 'send recorded'],
  ['C5 after a replacement is stored, before it is sent', 'replacement stored'],
  ['C6 after a replacement is sent', 'replacement sent'],
  ['C7 after the receipt is seen, before it is written', 'receipt seen'],
  ['C8 after the receipt is written, before its outcome', 'receipt recorded'],
  ['C9 after the outcome is stored, before the answer', 'outcome stored'],
  ['C9 when the answer is ready', 'answer ready'],
]

/** A withdrawal has the steps of a payout, and one between its signature and its row. */
const withdrawalSteps: [string, string][] = [
  ['after the signature is made, before it is stored', 'signature made'],
  ...payoutSteps.filter(([, step]) => step !== 'answer ready'),
]

/** Steps of the sweep, which settles withdrawals, here one that somebody else has relayed. Its lane stores an outcome first. */
const sweepMoments: [string, Moment][] = [
  ['after the sweep has found what became of it', { step: 'settlement found', hasOwnBlocks: true }],
  ['after the sweep has stored the outcome', { step: 'outcome stored', nth: 2, hasOwnBlocks: true }],
]

/**
 * What ends or stops a process: one of its own steps, or the moment at which its bytes are at the node. With
 * `hasOwnBlocks` the work itself makes the blocks that the step needs.
 */
type Moment = { step: string; nth?: number; hasOwnBlocks?: boolean } | { sending: 'taken' | 'lost' }
type Action = 'kill' | 'stop'

const whileSending: [string, Moment][] = [
  ['C3 while sending, before the node has taken the bytes', { sending: 'lost' }],
  ['C3 while sending, when the node has taken the bytes', { sending: 'taken' }],
]

const momentsOf = (steps: [string, string][]): [string, Moment][] => [
  ...steps.map(([name, step]): [string, Moment] => [name, { step }]),
  ...whileSending,
]

/** Killed at every step of a payout, and started again. */
export const payoutsKilled = momentsOf(payoutSteps).map((moment) => crash(moment, 'kill', pay))

/** Stopped at every step of a payout until another process has taken over, and going on then. */
export const payoutsStopped = momentsOf(payoutSteps).map((moment) => crash(moment, 'stop', pay))

/** Killed at every step of the payout of what was merged before it was submitted. No request waits for it. */
export const acceptancesKilled = momentsOf(payoutSteps.filter(([, step]) => step !== 'answer ready')).map(
  (moment) => crash(moment, 'kill', payMerged),
)

export const deploysKilled = momentsOf(deploySteps).map((moment) => crash(moment, 'kill', deploy))

export const deploysStopped = momentsOf(deploySteps).map((moment) => crash(moment, 'stop', deploy))

export const withdrawalsKilled = [
  ...momentsOf(withdrawalSteps).map((moment) => crash(moment, 'kill', withdrawOne)),
  ...sweepMoments.map((moment) => crash(moment, 'kill', withdrawThroughOther)),
]

/** In another process the sweep may take other steps than the lane: only its first step is the same in each. */
export const withdrawalsStopped = [
  ...momentsOf(withdrawalSteps).map((moment) => crash(moment, 'stop', withdrawOne)),
  ...sweepMoments.slice(0, 1).map((moment) => crash(moment, 'stop', withdrawThroughOther)),
]

/** Killed at every step of a refund, and started again. */
export const refundsKilled = momentsOf(payoutSteps.filter(([, step]) => step !== 'answer ready')).map(
  (moment) => crash(moment, 'kill', refund),
)

/** Stopped at every step of a refund until another process has taken over, and going on then. */
export const refundsStopped = momentsOf(
  payoutSteps.filter(([, step]) => step !== 'answer ready' && step !== 'intent stored'),
).map((moment) => crash(moment, 'stop', refund))

/** The steps at which every test run interrupts a payout: after a signature, its sending and its outcome. */
export const quickPayouts = {
  killed: choose(payoutsKilled, ['C2', 'C4 after sending', 'C7']),
  stopped: choose(payoutsStopped, ['C2', 'C4 after sending']),
  accepted: choose(acceptancesKilled, ['C2']),
}

function choose(schedules: Directed[], beginnings: string[]): Directed[] {
  return schedules.filter(({ name }) => beginnings.some((beginning) => name.startsWith(beginning)))
}

/** The longest lease of an environment is that of idempotency keys, with 2 s. */
const longestLeaseMs = 2200

/** Steps that a process takes while it answers a request. */
const inRequest = ['signature made', 'intent stored', 'answer ready']

/** It happens to the first process that gets there. */
function crash(
  [name, moment]: [string, Moment],
  action: Action,
  work: (scenario: Scenario) => Promise<void>,
): Directed {
  const lives: Switch[][] =
    'step' in moment ? [[{ step: moment.step, nth: moment.nth ?? 1, action, once: 'crash' }]] : []
  return {
    name,
    // A receipt is recorded before its outcome only if the outcome needs more blocks, and the test makes those.
    options: {
      ...byHand,
      slots: action === 'kill' ? [lives] : [lives, lives],
      confirmations: 2,
      sleepMs: null,
      databaseLoops: work === payMerged,
    },
    async act(scenario) {
      if ('sending' in moment) {
        const accepted = moment.sending === 'taken'
        scenario.environment.rpc.arm({
          on: 'send',
          after: 0,
          times: 1,
          fault: { kind: 'sender struck', accepted, action },
        })
      }
      const done = work(scenario)
      await strike(scenario.environment, moment)
      if (action === 'stop') await takeOver(scenario.environment, moment)
      await done
    },
  }
}

/** No step is skipped on a slow machine: the next one waits until it was taken. */
async function strike(environment: Environment, moment: Moment): Promise<void> {
  const step = 'step' in moment ? moment.step : 'attempt sent'
  const hasOwnBlocks = 'step' in moment && moment.hasOwnBlocks === true
  const isReplacement = step.startsWith('replacement')
  if (isReplacement)
    environment.rpc.arm({
      on: 'send',
      after: 0,
      times: 1e6,
      fault: { kind: 'wording', wording: 'underpriced', node: 'geth', accepted: false },
    })
  // One block has the receipt; only the steps after the outcome need the blocks that confirm it.
  else if (step.startsWith('receipt')) await mineFirst(environment)
  else if ((step === 'outcome stored' || step === 'answer ready') && !hasOwnBlocks)
    environment.miner.speed(250)
  await until(`somebody crashed at: ${step}`, async () => environment.fleet.hits() > 0)
  environment.rpc.heal()
  environment.miner.speed(250)
}

async function mineFirst(environment: Environment): Promise<void> {
  await mempoolHas(environment, 1)
  await environment.node.mine({ blocks: 1 })
}

/**
 * A process that was stopped goes on when its lease is over and another process has the work, or has done it. A request
 * that it was answering is asked again meanwhile, and no lease of any kind is left when it goes on.
 */
async function takeOver(environment: Environment, moment: Moment): Promise<void> {
  const stopped = performance.now()
  const isInRequest = 'step' in moment && inRequest.includes(moment.step)
  if (isInRequest) environment.hangUp()
  const fences = async () => {
    const lanes = await environment.db
      .selectFrom('lanes')
      .select(['address', 'fence'])
      .orderBy('address')
      .execute()
    const activations = await environment.db
      .selectFrom('activations')
      .select(['project_id', 'fence'])
      .execute()
    return JSON.stringify([lanes, activations])
  }
  const before = await fences()
  await until('another process has taken over', async () => {
    if (isInRequest && performance.now() - stopped < longestLeaseMs) return false
    return (await fences()) !== before || (await unfinished(environment)).length === 0
  })
  environment.fleet.wake()
}

async function pay(scenario: Scenario): Promise<void> {
  approveAll(scenario, [0])
  await payoutIs(scenario.environment, 0, 'settled')
}

async function withdrawOne(scenario: Scenario): Promise<void> {
  takeOut(scenario, {})
  await withdrawalsAreSettled(scenario.environment)
}

async function withdrawThroughOther(scenario: Scenario): Promise<void> {
  const { environment } = scenario
  takeOut(scenario, {})
  await mempoolHas(environment, 1)
  await relayFromOutside(environment)
  await environment.node.mine({ blocks: 1 })
  await finalise(environment)
  await withdrawalsAreSettled(environment)
}

async function refund(scenario: Scenario): Promise<void> {
  cancelAll(scenario, [0])
  await isRefunded(scenario.environment, 0)
}

async function deploy(scenario: Scenario): Promise<void> {
  activateAll(scenario, [0])
  await isActive(scenario.environment, 0)
}
