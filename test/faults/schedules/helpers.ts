import { setTimeout as delay } from 'node:timers/promises'
import { encodeFunctionData, type Hex, type PublicClient } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { platformWallet } from '../../../server/money/chain/generated/contracts.ts'
import { type RetryResult, retry } from '../../../server/ops/payouts/retry.ts'
import type { Environment, EnvironmentOptions } from '../support/environment.ts'
import { approve, ask, cancel, type FounderResponse, insist } from '../support/founder.ts'
import { history } from '../support/oracle/history.ts'
import type { Scenario } from './run.ts'

/** A schedule that was thought out for one way of failing. */
export interface Directed {
  /** The faults and the required outcome. */
  name: string
  /** Differences from `defaultOptions`. */
  options?: Partial<EnvironmentOptions>
  act(scenario: Scenario): Promise<void>
}

/** The defaults of a directed schedule: one process, one key, blocks as they are needed. */
export const defaultOptions: EnvironmentOptions = {
  slots: [[]],
  restartMs: 50,
  sleepMs: 2500,
  operators: 1,
  confirmations: 1,
  poolSize: 10,
  automine: true,
  blockMs: 150,
}

/** Blocks are made by the test alone. */
export const byHand: Partial<EnvironmentOptions> = { automine: false, blockMs: 1e9 }

/** Founders approve these submissions until the response is final. `strict`: each response must be true when it arrives. */
export function approveAll(
  { inBackground, environment, random }: Scenario,
  submissions: number[],
  strict = true,
): void {
  for (const submission of submissions)
    inBackground((signal, listen) =>
      approve(environment, random, { submission, keyMode: 'same', strict }, listen, signal),
    )
}

/** Founders cancel these bounties, for which dollars are locked, until the response is final. */
export function cancelAll({ inBackground, environment, random }: Scenario, funded: number[]): void {
  for (const one of funded) inBackground((signal, listen) => cancel(environment, random, one, listen, signal))
}

/** Waits until the dollars of a bounty have gone back, as far as the database knows. */
export function isRefunded({ db, fixture }: Environment, funded: number): Promise<void> {
  const { bountyId } = fixture.funded[funded]!
  return until(`the dollars of bounty ${funded} have gone back`, async () => {
    const query = db.selectFrom('deposits').select('status').where('bounty_id', '=', bountyId)
    return (await query.executeTakeFirst())?.status === 'refunded'
  })
}

/** Founders activate these projects until the response is final. */
export function activateAll({ inBackground, environment, random }: Scenario, proposals: number[]): void {
  for (const proposal of proposals)
    inBackground((signal, listen) => {
      const { id, founderKey } = environment.fixture.proposals[proposal]!
      const path = `/api/projects/${id}/activate`
      return insist(environment, random, { path, founderKey, keyMode: 'same' }, listen, signal)
    })
}

/** Asks once to approve a submission. */
export function askToApprove(
  { environment, random }: Scenario,
  submission: number,
  idempotencyKey?: string,
): Promise<FounderResponse> {
  const { bountyId, project } = environment.fixture.submissions[submission]!
  const { founderKey } = environment.fixture.projects[project]!
  return ask(
    environment,
    random,
    { path: `/api/bounties/${bountyId}/approve`, founderKey },
    { idempotencyKey },
  )
}

/** Longest time that a schedule waits for a condition, in ms. */
export const patience = { ms: 60_000 }

/** Waits until `condition` holds; fails when it takes longer than `patience`. */
export async function until(what: string, condition: () => Promise<boolean>): Promise<void> {
  for (const began = performance.now(); !(await condition()); await delay(15))
    if (performance.now() - began > patience.ms) throw new Error(`never happened: ${what}`)
}

/** Waits until a payout has this status. */
export function payoutIs(environment: Environment, submission: number, status: string): Promise<void> {
  const { id } = environment.fixture.submissions[submission]!
  return until(`payout of submission ${submission} is ${status}`, async () => {
    const query = environment.db.selectFrom('payouts').select('status').where('submission_id', '=', id)
    return (await query.executeTakeFirst())?.status === status
  })
}

/** Waits until the hash that a payout names is that of a transaction on the chain. */
export function payoutNamesMined(environment: Environment, submission: number): Promise<void> {
  const { id } = environment.fixture.submissions[submission]!
  return until(`payout of submission ${submission} names a mined transaction`, async () => {
    const query = environment.db.selectFrom('payouts').select('tx_hash').where('submission_id', '=', id)
    const hash = (await query.executeTakeFirst())?.tx_hash as Hex
    return (await environment.node.getTransactionReceipt({ hash }).catch(() => null)) !== null
  })
}

/** Adds a violation if an operator was called meanwhile, though all ended well. */
export async function noOperatorWasCalled(environment: Environment): Promise<void> {
  const calls = (await history(environment.db)).filter(({ edge }) => edge.endsWith('>needs_operator'))
  for (const { relation, id } of calls)
    environment.violations.push(`an operator was called for ${relation} ${id}`)
}

/** Waits until a proposed project is active. */
export function isActive(environment: Environment, proposal: number): Promise<void> {
  const { id } = environment.fixture.proposals[proposal]!
  return until(`proposal ${proposal} is active`, async () => {
    const query = environment.db.selectFrom('projects').select('status').where('id', '=', id)
    return (await query.executeTakeFirst())?.status === 'active'
  })
}

/** Waits until so many transactions wait in the node's mempool. */
export function mempoolHas(environment: Environment, wanted: number): Promise<void> {
  return until(`${wanted} transactions in the mempool`, async () => {
    const { pending, queued } = await environment.node.getTxpoolStatus()
    return pending + queued === wanted
  })
}

/** Runs the operator's retry command. */
export function asOperator(environment: Environment, entityId: string): Promise<RetryResult> {
  return retry(
    {
      db: environment.db,
      client: environment.node as unknown as PublicClient,
      finality: { confirmations: 1, tag: null, finalityBlocks: 12 },
    },
    entityId,
  )
}

/** Mines one block in which the owner's pause comes before everything else. */
export async function minePause(environment: Environment, isPaused = true): Promise<void> {
  const { node, fixture } = environment
  const functionName = isPaused ? 'pause' : 'unpause'
  await node.sendTransaction({
    account: privateKeyToAccount(fixture.ownerKey),
    to: fixture.platformWallet,
    data: encodeFunctionData({ abi: platformWallet.abi, functionName }),
    gas: 100_000n,
    maxFeePerGas: 10n ** 13n,
    maxPriorityFeePerGas: 10n ** 13n,
  })
  await node.mine({ blocks: 1 })
}

/** Uses up a nonce of the first operator key from outside of the service; mines it. */
export async function spendNonceOutside(environment: Environment, nonce?: number): Promise<number> {
  const account = privateKeyToAccount(environment.fixture.operatorKeys[0]!)
  const next = nonce ?? (await environment.node.getTransactionCount({ address: account.address }))
  environment.foreign.push({ address: account.address, nonce: next })
  await environment.node.sendTransaction({
    account,
    to: account.address,
    nonce: next,
    gas: 21_000n,
    maxFeePerGas: 10n ** 13n,
    maxPriorityFeePerGas: 10n ** 13n,
  })
  await environment.node.mine({ blocks: 1 })
  return next
}
