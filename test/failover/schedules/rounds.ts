import { activateAll, approveAll, payoutIs, until } from '../../faults/schedules/helpers.ts'
import { play, type Result, type Scenario } from '../../faults/schedules/run.ts'
import { takeOut } from '../../faults/schedules/withdrawing.ts'
import type { EnvironmentOptions, World } from '../../faults/support/environment.ts'
import { createRandom } from '../../support/random.ts'
import { type Acknowledgements, startAcknowledgements } from '../support/acknowledgements/acknowledgements.ts'
import type { Cluster } from '../support/cluster/cluster.ts'
import { longestBackMs, type Measure, untilBack, untilReplicasServe, writers } from '../support/measures.ts'
import type { Fault, Struck } from './faults.ts'

/** A fault that strikes when a payout reaches a step. */
export interface Round {
  fault: Fault
  /** A step of `server/engines/events.ts`. */
  step: string
  /** A project is activated at the same time. */
  isActivating?: boolean
}

/** A result with what was measured. */
export interface RoundsResult extends Result {
  measures: Measure[]
  figures: ReturnType<Acknowledgements['figures']>
}

/** The fixture's submissions; each round approves one. */
export const mostRounds = 7

/** Two servers on the deployment's ports; at each round the first process that gets to its step meets the fault. */
export function optionsFor(rounds: Round[]): EnvironmentOptions {
  const switches = rounds.map(({ step, fault }, index) => ({
    step,
    nth: 1,
    action: fault.action,
    once: `round-${index}`,
    armed: armedName(index),
  }))
  const lives = Array.from({ length: rounds.length + 1 }, () => switches)
  return {
    slots: [lives, lives],
    restartMs: 200,
    sleepMs: null,
    operators: 2,
    // A receipt is recorded before its outcome only if the outcome needs more blocks.
    confirmations: 2,
    poolSize: 10,
    automine: false,
    blockMs: 250,
  }
}

/** The name that arms the switches of a round. */
export const armedName = (index: number) => `armed-${index}`

/** Addresses of the two servers themselves. */
export const serversOf = ({ serverPorts }: Cluster) => serverPorts.map((port) => `http://127.0.0.1:${port}`)

/** Plays the rounds one after the other in one environment, with clients that check what is acknowledged, and the final checks. */
export async function playRounds(world: World, cluster: Cluster, rounds: Round[]): Promise<RoundsResult> {
  const measures: Measure[] = []
  let figures: RoundsResult['figures'] | undefined
  const result = await play(world, optionsFor(rounds), createRandom(rounds.length), {
    async act(scenario) {
      const { environment } = scenario
      const clients = await startAcknowledgements(environment, serversOf(cluster))
      try {
        for (const [index, round] of rounds.entries())
          measures.push(await playRound(scenario, cluster, clients, { ...round, index }))
        environment.violations.push(...(await clients.finish()))
        figures = clients.figures()
      } finally {
        await clients.stop()
      }
    },
  })
  for (const measure of measures) result.problems.push(...tooLate(measure))
  return { ...result, measures, figures: figures as RoundsResult['figures'] }
}

function tooLate({ fault, step, backMs, replicaMs }: Measure): string[] {
  const problems: string[] = []
  if (backMs > longestBackMs) problems.push(`${fault}, ${step}: back only after ${backMs} ms`)
  if (replicaMs === null) problems.push(`${fault}, ${step}: no replica serves reads any more`)
  return problems
}

async function playRound(
  scenario: Scenario,
  cluster: Cluster,
  { ledger }: Acknowledgements,
  { index, fault, step, isActivating }: Round & { index: number },
): Promise<Measure> {
  const { environment } = scenario
  const { fleet } = environment
  const before = fleet.switched()
  fleet.arm(armedName(index))
  takeOut(scenario, { holder: index % 2, tokens: 5 + index })
  approveAll(scenario, [index])
  if (isActivating) activateAll(scenario, [index % 2])
  await until(`a process is at: ${step}`, async () => fleet.switched() > before)
  const struckAt = performance.now()
  const struck: Struck = await fault.strike({ cluster, fleet })
  fleet.wake()
  const over = await struck.over
  const back = await untilBack(ledger, over, writers)
  takeOut(scenario, { holder: index % 2, tokens: 30 + index, as: 'eth' })
  const [replicaMs] = await Promise.all([
    untilReplicasServe(fleet, over),
    struck.repair(),
    payoutIs(environment, index, 'settled'),
  ])
  return { fault: fault.name, step, ownMs: Math.round(over - struckAt), ...back, replicaMs }
}

/** Rounds of one fault at these steps; steps of an activation come with one. */
export function at(fault: Fault, ...steps: string[]): Round[] {
  return steps.map((step) => ({ fault, step, isActivating: /^(repository|deploy)/.test(step) }))
}
