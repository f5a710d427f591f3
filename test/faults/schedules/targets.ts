import { setTimeout as delay } from 'node:timers/promises'
import { privateKeyToAccount } from 'viem/accounts'
import type { Environment } from '../support/environment.ts'
import type { Fault } from './plan.ts'
import { openAuthorizations } from './withdrawing.ts'

/** Longest time that a fault waits for a target. */
const longestWaitMs = 4000

/** Waits until a fault has a target: unfinished work that it can meet. Resolves with false if none comes within `ms`. */
export function waitForTarget(environment: Environment, fault: Fault, ms = longestWaitMs): Promise<boolean> {
  return within(ms, () => hasTarget(environment, fault).catch(() => false))
}

/** Waits until `condition` holds; resolves with false after `ms`. */
export async function within(ms: number, condition: () => Promise<boolean>): Promise<boolean> {
  for (const began = performance.now(); !(await condition()); await delay(20))
    if (performance.now() - began > ms) return false
  return true
}

async function hasTarget(environment: Environment, fault: Fault): Promise<boolean> {
  switch (fault.what) {
    case 'rpc':
    case 'commit cut':
    case 'github':
      // They are armed and meet the next request or commit.
      return true
    case 'clients gone':
      return environment.asking > 0
    case 'killed':
      return environment.fleet.isServing(fault.slot) && (await isBusy(environment))
    case 'reorganisation':
      return hasOurs(environment, fault.depth)
    case 'mempool dropped':
      return (await environment.node.getTxpoolStatus()).pending > 0
    case 'relayed from outside':
    case 'signatures expired':
      return (await openAuthorizations(environment)).length > 0
    default:
      return isBusy(environment, fault)
  }
}

/** Whether there are unfinished payouts, activations or withdrawals that a fault can affect. */
export async function isBusy({ db, fixture }: Environment, fault?: Fault): Promise<boolean> {
  const payouts = await db
    .selectFrom('payouts')
    .select('submission_id')
    .where('status', '=', 'running')
    .execute()
  // Rewards from the reserve need no approval.
  if (fault?.what === 'approval revoked') {
    const needy = fixture.submissions.filter(({ reward }) => reward > 50_000).map(({ id }) => id)
    return payouts.some(({ submission_id }) => needy.includes(submission_id))
  }
  if (payouts.length > 0) return true
  if (fault?.what === 'paused') return false
  const [activations, relays, refunds] = await Promise.all([
    db.selectFrom('activations').select('project_id').where('status', '=', 'running').execute(),
    db.selectFrom('relays').select('id').where('status', '=', 'running').execute(),
    db.selectFrom('deposits').select('bounty_id').where('status', '=', 'refunding').execute(),
  ])
  return activations.length + relays.length + refunds.length > 0
}

/** Whether one of the newest `depth` blocks holds a transaction of the service. */
async function hasOurs({ node, fixture, since }: Environment, depth: number): Promise<boolean> {
  const operators = new Set(fixture.operatorKeys.map((key) => privateKeyToAccount(key).address.toLowerCase()))
  const head = await node.getBlockNumber()
  const lowest = Math.max(Number(since) + 2, Number(head) - depth + 1)
  for (let number = Number(head); number >= lowest; number--) {
    const block = await node.getBlock({ blockNumber: BigInt(number), includeTransactions: true })
    if (block.transactions.some(({ from }) => operators.has(from.toLowerCase()))) return true
  }
  return false
}
