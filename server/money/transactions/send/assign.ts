import type { Address, Hex } from 'viem'
import { nodeErrorText } from '../../../config/node-error-text.ts'
import { emitStep } from '../../../loops/crash-steps.ts'
import { readDataFee } from '../../chain/data-fee.ts'
import { isPast, type LaneState, logOnError, type Tick } from '../lane/context.ts'
import { reconcile } from '../lane/reconcile.ts'
import type { Fees, LaneTransaction } from '../types.ts'
import { prepareAll, putOff, type Sendable } from './prepare.ts'
import { type Assignment, nextInQueue, roomFor, storeAssignments } from './queue.ts'
import { broadcast, firstOffer, type SigningTick, signAttempt } from './send.ts'

/** Why a queued transaction waits while the operator key cannot pay its gas. */
export const gasBalanceLow = 'the operator key has too little ETH for gas'

/** Gives out nonces, after every nonce that the chain has used is accounted for. Returns how many it gave out. */
export async function assignAfterReconciling(
  tick: Tick,
  state: LaneState,
  unmined: LaneTransaction[],
): Promise<number> {
  if (tick.view.minedNonce <= state.nextNonce) return assignQueued(tick, state, unmined)
  const { memory, limits } = tick
  if (!isPast(memory.reconciledAt, limits.receiptCheckSeconds * 1000)) return 0
  memory.reconciledAt = performance.now()
  let nextNonce: number | undefined
  await logOnError(
    tick,
    'could not account for nonces that the chain has used; nothing is sent until that succeeds',
    async () => {
      nextNonce = await reconcile(tick, state.nextNonce)
    },
  )
  return nextNonce === undefined ? 0 : assignQueued(tick, { ...state, nextNonce }, unmined)
}

/** Gives nonces to queued transactions while the lane has room. Returns how many got one. */
async function assignQueued(
  tick: Tick,
  { nextNonce, queued }: LaneState,
  unmined: LaneTransaction[],
): Promise<number> {
  const { account } = tick
  const room = roomFor(unmined)
  const wanted = nextInQueue(queued, unmined)
  if (wanted.length === 0 || !account) return 0
  const sendable = (await prepareAll(tick, wanted)).slice(0, room)
  if (sendable.length === 0) return 0
  let fees: Fees
  let affordable: Sendable[]
  try {
    fees = await tick.suggestFees()
    affordable = await withinGasBalance(tick, sendable, unmined, fees)
  } catch (error) {
    const reason = nodeErrorText(error)
    for (const { transaction } of sendable) await putOff(tick, transaction, reason)
    return 0
  }
  return assign({ ...tick, account }, { sendable: affordable, nonce: nextNonce, fees })
}

/** The transactions that the key can pay for; the others are put off. */
async function withinGasBalance(
  tick: Tick,
  sendable: Sendable[],
  unmined: LaneTransaction[],
  fees: Fees,
): Promise<Sendable[]> {
  let balance = await freeGasBalance(tick, unmined)
  const affordable: Sendable[] = []
  for (const one of sendable) {
    const price = await highestPrice(tick, one.transaction, one.gasLimit, fees)
    if (price > balance) {
      tick.alarm({ kind: 'gas_balance_low', lane: tick.address.toLowerCase(), why: gasBalanceLow })
      await putOff(tick, one.transaction, gasBalanceLow)
    } else {
      balance -= price
      affordable.push(one)
    }
  }
  return affordable
}

/** The key's balance in wei, less the highest price of everything that is under way. */
async function freeGasBalance(tick: Tick, unmined: LaneTransaction[]): Promise<bigint> {
  let balance = await tick.chain.client.getBalance({ address: tick.address })
  for (const transaction of unmined) {
    const fees = transaction.attempts.at(-1)
    if (fees) balance -= await highestPrice(tick, transaction, transaction.gasLimit, fees)
  }
  return balance
}

/** The most that a transaction can cost, in wei. The fee for data may grow by an eighth with each block of L1: by three of them. */
async function highestPrice(
  { chain }: Tick,
  { to, data }: { to: Address; data: Hex },
  gas: bigint,
  { maxFeePerGas }: Fees,
): Promise<bigint> {
  const dataFee = await readDataFee(chain.client, { to, data }, gas)
  return gas * maxFeePerGas + (dataFee * 3n) / 2n
}

/**
 * Signs, stores everything at once, and only then sends. Where another lane has taken some of it meanwhile, the others
 * are signed anew, because nonces have to be consecutive.
 */
async function assign(
  tick: SigningTick,
  { sendable, nonce, fees }: { sendable: Sendable[]; nonce: number; fees: Fees },
): Promise<number> {
  if (sendable.length === 0) return 0
  const assignments: Assignment[] = []
  for (const [index, { transaction, gasLimit }] of sendable.entries()) {
    const own = { ...transaction, gasLimit, nonce: nonce + index }
    assignments.push({ ...own, attempt: await signAttempt(tick, own, fees) })
    emitStep('attempt signed', transaction.entityId)
  }
  const free = await storeAssignments(tick.db, tick.lease, assignments)
  if (free.size < sendable.length) {
    const left = sendable.filter(({ transaction }) => free.has(transaction.id))
    return assign(tick, { sendable: left, nonce, fees })
  }
  for (const { id, entityId, nonce: given, attempt } of assignments) {
    emitStep('attempt stored', entityId)
    tick.log.info(
      { transaction: id, entityId, nonce: given, hash: attempt.hash },
      'a transaction got its nonce',
    )
  }
  const offers = assignments.map(({ entityId, attempt }) => firstOffer(entityId, attempt))
  await broadcast(tick, offers)
  return sendable.length
}
