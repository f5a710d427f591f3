import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Hex } from 'viem'
import { approveAll, payoutIs, until } from '../../faults/schedules/helpers.ts'
import { play, type Result, type Scenario } from '../../faults/schedules/run.ts'
import { lastIsConfirmed, repeatAll, takeOut } from '../../faults/schedules/withdrawing.ts'
import { registerContributor } from '../../faults/support/contributor.ts'
import type { Environment, World } from '../../faults/support/environment.ts'
import { ask, insist } from '../../faults/support/founder.ts'
import { createRandom } from '../../support/random.ts'
import { type Acknowledgements, startAcknowledgements } from '../support/acknowledgements/acknowledgements.ts'
import type { Cluster, ClusterOptions } from '../support/cluster/cluster.ts'
import { signal } from '../support/cluster/processes.ts'
import { untilBack, writers } from '../support/measures.ts'
import { armedName, optionsFor, type Round, serversOf } from './rounds.ts'

/** A cluster in which a commit is acknowledged before any standby has it, and a standby that lacks much may lead. */
export const asynchronousCluster: ClusterOptions = {
  synchronous: false,
  patroni: { maximum_lag_on_failover: 2 ** 30 },
  // A replication that stands still is not noticed.
  postgres: { wal_sender_timeout: 0, wal_receiver_timeout: 0 },
}

/** Nonces and payments that the database does not know, and a payment for work that it does not know either. */
export const expectedAlarms = ['database_behind', 'nonces_unbooked', 'payment_unknown']

/** What became of a schedule in which acknowledged writes were lost. */
export interface LossResult extends Result {
  /** What clients noticed of it. */
  losses: string[]
  /** How often a reader of the log was notified that events may be missing. */
  truncations: number
  /** From the moment at which another node led until every lost payment was settled and the operator was called. */
  foundMs: number
  backMs: number
  alarms: string[]
  /** Processes that ended by themselves. */
  ended: number
}

/** Stops what sends the leader's log to the standbys: what is committed from now on is lost with the leader. */
export async function stopReplication(cluster: Cluster): Promise<void> {
  const leader = await cluster.untilLeader()
  const client = new pg.Client({ connectionString: leader.url })
  await client.connect()
  const { rows } = await client.query<{ pid: number }>('select pid from pg_stat_replication')
  await client.end()
  for (const { pid } of rows) signal(pid, 'SIGSTOP')
}

/** Payouts and a withdrawal are made and acknowledged, one more payout is at the step, and the database forgets all of it. */
export async function playLoss(world: World, cluster: Cluster, round: Round): Promise<LossResult> {
  let found: Omit<LossResult, keyof Result> | undefined
  const result = await play(world, optionsFor([round]), createRandom(7), {
    async act(scenario) {
      const { environment } = scenario
      const clients = await startAcknowledgements(environment, serversOf(cluster))
      try {
        found = await lose(scenario, cluster, clients, round)
        environment.violations.push(...(await clients.finish()))
        found.truncations = clients.follower.truncations()
      } finally {
        await clients.stop()
      }
    },
  })
  return { ...result, ...(found as Omit<LossResult, keyof Result>) }
}

async function lose(
  scenario: Scenario,
  cluster: Cluster,
  { ledger, problems, forget }: Acknowledgements,
  { fault, step }: Round,
): Promise<Omit<LossResult, keyof Result>> {
  const { environment } = scenario
  const { fleet } = environment
  approveAll(scenario, [0])
  await payoutIs(environment, 0, 'settled')
  await stopReplication(cluster)
  await environment.noteFallBack()
  problems.mayLose()
  await makeLostPayments(scenario)
  const before = fleet.switched()
  fleet.arm(armedName(0))
  approveAll(scenario, [3], false)
  await until(`a process is at: ${step}`, async () => fleet.switched() > before)
  const hits = fleet.hits()
  // What was stored until now may be sent, though it is lost.
  await environment.noteFallBack()
  const struck = await fault.strike({ cluster, fleet })
  fleet.wake()
  const over = await struck.over
  // Also the nonces that were used since the last note are unknown to the database.
  await environment.noteFallBack()
  const { backMs } = await untilBack(ledger, over, writers)
  await forget()
  repeatAll(scenario)
  await until('the lost payments are found', () => isAllFound(environment))
  const foundMs = Math.round(performance.now() - over)
  await Promise.all([struck.repair(), payoutIs(environment, 3, 'settled')])
  return {
    losses: problems.losses,
    truncations: 0,
    foundMs,
    backMs,
    alarms: [...new Set(fleet.alarms().map(({ kind }) => kind))].sort(),
    ended: fleet.hits() - hits,
  }
}

/** The founders get their responses, and the agents read that their withdrawals are confirmed. */
async function makeLostPayments(scenario: Scenario): Promise<void> {
  const { environment } = scenario
  const { submissions } = environment.fixture
  for (const submission of [1, 2, 3]) environment.mayBeOver.add(submissions[submission]!.id)
  approveAll(scenario, [1, 2], false)
  takeOut(
    scenario,
    { holder: 0, tokens: 11, strict: false },
    { holder: 1, tokens: 13, as: 'eth', strict: false },
  )
  await until('the founders have their responses', async () =>
    [1, 2].every((submission) => environment.reported.has(submissions[submission]!.id)),
  )
  await lastIsConfirmed(environment)
  await payForLostWork(scenario)
  // The writers are acknowledged more, too.
  await delay(500)
}

/** The bounty, its contributor and its submission are lost with their payment: only a person can say what it was for. */
async function payForLostWork({ environment, random }: Scenario): Promise<void> {
  const { id, founderKey } = environment.fixture.projects[0]!
  const bounty = { title: 'Lost work', description: 'Do it.', reward_amount: 17 }
  const path = `/api/projects/${id}/bounties`
  const created = await ask(environment, random, { path, founderKey }, { body: bounty })
  const bountyId = created.body?.bounty.id as string
  await registerContributor(environment, random, { ...environment.fixture.submissions[0]!, bountyId })
  const approval = { path: `/api/bounties/${bountyId}/approve`, founderKey, keyMode: 'same' } as const
  const over = new AbortController()
  const approved = await insist(environment, random, approval, () => undefined, over.signal)
  environment.outside.add(approved?.body.contributor_tx_hash as Hex)
}

/** Whether the operator was called and what was paid is settled again, though nobody asked for it. */
async function isAllFound(environment: Environment): Promise<boolean> {
  const kinds = environment.alarms().map(({ kind }) => kind)
  if (!expectedAlarms.every((kind) => kinds.includes(kind))) return false
  const ids = [1, 2].map((submission) => environment.fixture.submissions[submission]!.id)
  const rows = await environment.db
    .selectFrom('payouts')
    .select('submission_id')
    .where('submission_id', 'in', ids)
    .where('status', '=', 'settled')
    .execute()
  return rows.length === ids.length
}
