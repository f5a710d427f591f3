import { activateAll, approveAll, patience, payoutIs, until } from '../../faults/schedules/helpers.ts'
import { play, type Result, type Scenario } from '../../faults/schedules/run.ts'
import { takeOut } from '../../faults/schedules/withdrawing.ts'
import type { EnvironmentOptions, Stage } from '../../faults/support/environment.ts'
import { openStage } from '../../faults/support/stage.ts'
import { databaseUrl } from '../../support/database-url.ts'
import { createRandom } from '../../support/random.ts'
import { type Clients, startClients } from './clients.ts'
import { type Cluster, type ClusterOptions, startCluster } from './cluster.ts'
import type { Fault } from './faults.ts'

/** A fault that strikes when a payout or an activation reaches a step of `server/loops/crash-steps.ts`. */
export interface Round {
  fault: Fault
  step: string
}

/** A cluster and a stage of the fault suite on it, with two servers behind HAProxy. */
export interface ClusterStage {
  cluster: Cluster
  stage: Stage
  close(): Promise<void>
}

/** A failover takes half a minute, and a node that comes back another one. */
const patienceMs = 150_000
/** The first write is acknowledged so soon after a node leads, in ms. */
const longestBackMs = 5000

/** Starts both. */
export async function openClusterStage(options: ClusterOptions = {}): Promise<ClusterStage> {
  const cluster = await startCluster(options)
  patience.ms = patienceMs
  const { primaryUrl, serverPorts, serviceUrl } = cluster
  const settings = (database: string) => ({
    DATABASE_URL: databaseUrl(primaryUrl, database),
    // What the clients do in minutes would displace all else from what is kept of the logs.
    LOG_LEVEL: 'warn',
  })
  const deployment = { ports: serverPorts, front: serviceUrl, settings }
  const stage = await openStage(primaryUrl, { patienceMs, deployment }).catch(async (error) => {
    await cluster.close()
    throw error
  })
  return {
    cluster,
    stage,
    async close() {
      await stage.close()
      await cluster.close()
    },
  }
}

/** Two servers; at each round the first that gets to its step is stopped while the fault strikes. */
function optionsFor(rounds: Round[]): EnvironmentOptions {
  const switches = rounds.map(({ step }, index) => ({
    step,
    nth: 1,
    action: 'stop' as const,
    once: `round-${index}`,
    armed: `armed-${index}`,
  }))
  return {
    slots: [[switches], [switches]],
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

/** Runs `act` beside clients, with the final checks of the fault suite and what the clients noticed. */
export async function playBesideClients(
  { stage, cluster }: ClusterStage,
  rounds: Round[],
  act: (scenario: Scenario, clients: Clients) => Promise<string[]>,
): Promise<Result & { noticed: string[]; acknowledged: number }> {
  const noticed: string[] = []
  let acknowledged = 0
  const result = await play(stage, optionsFor(rounds), createRandom(rounds.length), {
    async act(scenario) {
      const servers = cluster.serverPorts.map((port) => `http://127.0.0.1:${port}`)
      const clients = startClients(scenario.environment, servers)
      noticed.push(...(await act(scenario, clients)), ...(await clients.finish()))
      acknowledged = clients.acknowledged()
    },
  })
  return { ...result, noticed, acknowledged }
}

/** Plays the rounds one after the other in one environment. */
export function playRounds(on: ClusterStage, rounds: Round[]) {
  return playBesideClients(on, rounds, async (scenario, clients) => {
    const problems: string[] = []
    for (const [index, round] of rounds.entries())
      problems.push(...(await playRound(scenario, on.cluster, clients, { ...round, index })))
    return problems
  })
}

async function playRound(
  scenario: Scenario,
  cluster: Cluster,
  clients: Clients,
  { index, fault, step }: Round & { index: number },
): Promise<string[]> {
  const { environment } = scenario
  const { fleet } = environment
  const before = fleet.switched()
  fleet.arm(`armed-${index}`)
  takeOut(scenario, { holder: index % 2, tokens: 5 + index })
  approveAll(scenario, [index])
  if (/^(repository|deploy)/.test(step)) activateAll(scenario, [index % 2])
  await until(`a process is at: ${step}`, async () => fleet.switched() > before)
  const struckAt = performance.now()
  const struck = await fault.strike(cluster)
  fleet.wake()
  const over = await struck.over
  const backMs = await clients.untilAcknowledged(over)
  takeOut(scenario, { holder: index % 2, tokens: 30 + index, as: 'eth' })
  const [problems] = await Promise.all([struck.repair(), payoutIs(environment, index, 'settled')])
  console.log(`${fault.name} at "${step}": ${Math.round(over - struckAt)} ms, then back after ${backMs} ms`)
  if (backMs > longestBackMs) problems.push(`${fault.name}, ${step}: back only after ${backMs} ms`)
  return problems
}
