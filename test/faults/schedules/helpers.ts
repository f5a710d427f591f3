import { setTimeout as delay } from 'node:timers/promises'
import { encodeFunctionData, type PublicClient } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { platformWallet } from '../../../server/chain/generated/contracts.ts'
import { type RetryResult, retry } from '../../../server/ops/payouts/retry.ts'
import { approve, ask, type FounderAnswer, insist } from '../support/founder.ts'
import { history } from '../support/history.ts'
import type { Stage, Staging } from '../support/stage.ts'
import type { Scene } from './run.ts'

/** A schedule that was thought out for one way of failing. */
export interface Directed {
  /** What is done and what must come of it. */
  name: string
  /** How it differs from `calm`. */
  staging?: Partial<Staging>
  act(scene: Scene): Promise<void>
}

/** What a directed schedule does not say: one process, one key, blocks as they are needed. */
export const calm: Staging = {
  berths: [[]],
  restartMs: 50,
  sleepMs: 2500,
  operators: 1,
  confirmations: 1,
  poolSize: 10,
  automine: true,
  blockMs: 150,
}

/** Blocks are made by the test alone. */
export const byHand: Partial<Staging> = { automine: false, blockMs: 1e9 }

/** Founders approve these submissions and insist. `strict`: each answer must be true when it is given. */
export function approveAll({ errand, stage, random }: Scene, submissions: number[], strict = true): void {
  for (const submission of submissions)
    errand((signal, listen) =>
      approve(stage, random, { submission, keyMode: 'same', strict }, listen, signal),
    )
}

/** Founders activate these projects and insist. */
export function activateAll({ errand, stage, random }: Scene, proposals: number[]): void {
  for (const proposal of proposals)
    errand((signal, listen) => {
      const { id, founderKey } = stage.ground.proposals[proposal]!
      const path = `/api/projects/${id}/activate`
      return insist(stage, random, { path, founderKey, keyMode: 'same' }, listen, signal)
    })
}

/** Asks once to approve a submission. */
export function askToApprove(
  { stage, random }: Scene,
  submission: number,
  idempotencyKey?: string,
): Promise<FounderAnswer> {
  const { bountyId, project } = stage.ground.submissions[submission]!
  const { founderKey } = stage.ground.projects[project]!
  return ask(stage, random, { path: `/api/bounties/${bountyId}/approve`, founderKey }, { idempotencyKey })
}

/** How long what a schedule waits for may take, in ms. */
export const patience = { ms: 60_000 }

/** Waits until `condition` holds; fails when it takes longer than `patience`. */
export async function until(what: string, condition: () => Promise<boolean>): Promise<void> {
  for (const began = performance.now(); !(await condition()); await delay(15))
    if (performance.now() - began > patience.ms) throw new Error(`never happened: ${what}`)
}

/** Waits until a payout has this status. */
export function payoutIs(stage: Stage, submission: number, status: string): Promise<void> {
  const { id } = stage.ground.submissions[submission]!
  return until(`payout of submission ${submission} is ${status}`, async () => {
    const query = stage.db.selectFrom('payouts').select('status').where('submission_id', '=', id)
    return (await query.executeTakeFirst())?.status === status
  })
}

/** A violation if anybody was called meanwhile, though all went well in the end. */
export async function nobodyWasCalled(stage: Stage): Promise<void> {
  const calls = (await history(stage.db)).filter(({ edge }) => edge.endsWith('>needs_operator'))
  for (const { relation, id } of calls) stage.violations.push(`a person was called for ${relation} ${id}`)
}

/** Waits until a proposed project is active. */
export function isActive(stage: Stage, proposal: number): Promise<void> {
  const { id } = stage.ground.proposals[proposal]!
  return until(`proposal ${proposal} is active`, async () => {
    const query = stage.db.selectFrom('projects').select('status').where('id', '=', id)
    return (await query.executeTakeFirst())?.status === 'active'
  })
}

/** Waits until so many transactions wait in the node's mempool. */
export function mempoolHas(stage: Stage, wanted: number): Promise<void> {
  return until(`${wanted} transactions in the mempool`, async () => {
    const { pending, queued } = await stage.node.getTxpoolStatus()
    return pending + queued === wanted
  })
}

/** What the operator's command says and does. */
export function asOperator(stage: Stage, entityId: string): Promise<RetryResult> {
  return retry(
    {
      db: stage.db,
      client: stage.node as unknown as PublicClient,
      finality: { confirmations: 1, tag: null, finalityBlocks: 12 },
    },
    entityId,
  )
}

/** Mines one block in which the owner's pause comes before everything else. */
export async function minePause(stage: Stage, isPaused = true): Promise<void> {
  const { node, ground } = stage
  const functionName = isPaused ? 'pause' : 'unpause'
  await node.sendTransaction({
    account: privateKeyToAccount(ground.ownerKey),
    to: ground.platformWallet,
    data: encodeFunctionData({ abi: platformWallet.abi, functionName }),
    gas: 100_000n,
    maxFeePerGas: 10n ** 13n,
    maxPriorityFeePerGas: 10n ** 13n,
  })
  await node.mine({ blocks: 1 })
}

/** Uses up a nonce of the first operator key from outside of the service; mines it. */
export async function steal(stage: Stage, nonce?: number): Promise<number> {
  const thief = privateKeyToAccount(stage.ground.operatorKeys[0]!)
  const next = nonce ?? (await stage.node.getTransactionCount({ address: thief.address }))
  stage.foreign.push({ address: thief.address, nonce: next })
  await stage.node.sendTransaction({
    account: thief,
    to: thief.address,
    nonce: next,
    gas: 21_000n,
    maxFeePerGas: 10n ** 13n,
    maxPriorityFeePerGas: 10n ** 13n,
  })
  await stage.node.mine({ blocks: 1 })
  return next
}
