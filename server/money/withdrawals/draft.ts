import { type Address, encodeFunctionData, type Hex } from 'viem'
import { ServiceError } from '../../errors.ts'
import { chainAddress } from '../chain/address.ts'
import { type Chain, reachable } from '../chain/chain.ts'
import { bondingCurve } from '../chain/generated/contracts.ts'
import { isRevert } from '../chain/rpc-errors.ts'
import { dollarDecimals, fromDecimal, toDecimal } from '../chain/units.ts'
import { findUse, type Use } from '../relays/evidence.ts'
import { gasCeiling } from '../relays/handler.ts'
import { isNonceUsed, type PendingWithdrawal, quoteSale, readHolding, readSold } from '../relays/holdings.ts'
import type { Source } from '../relays/source.ts'
import type { WithdrawalRequest } from './request.ts'

/** The terms that a withdrawal is signed with. */
export interface Draft {
  amount: bigint
  minEth: bigint
  /** Base units that are left in the wallet to withdraw. */
  room: bigint
}

/** What a draft is checked against. */
export interface DraftState {
  nonce: Hex
  /** The newest block, read after the pending withdrawals. */
  head: bigint
  pending: readonly PendingWithdrawal[]
}

/** Gas that an authorization costs beyond a sale by its own seller. */
const authorizationGas = 80_000n
/** Without `min_eth`, a sale may pay so much less than its quote, in percent. */
const slackPercent = 1n

/**
 * The terms of a withdrawal, checked against the chain.
 * @throws ServiceError `insufficient_balance`, `nothing_to_sell`, `min_eth_not_met`, `recipient_refused`,
 * `idempotency_key_reused`, `chain_unreachable`
 */
export async function draftWithdrawal(
  source: Source,
  request: WithdrawalRequest,
  { nonce, head, pending }: DraftState,
): Promise<Draft> {
  const { client } = source.chain
  const { token, curve, wallet, project } = source
  const of = { kind: 'withdrawal', token, curve, wallet, nonce } as const
  const [isUsed, { withdrawable }, sold] = await reachable(() =>
    Promise.all([
      isNonceUsed(client, of, head),
      readHolding(client, source, head, pending),
      request.as === 'eth' && curve ? readSold(client, curve, head) : null,
    ]),
  )
  if (isUsed) {
    const search = { ...of, usableSince: searchedSince(project?.created_at ?? new Date(0)) }
    throw lostWithdrawal(source.chain, await reachable(() => findUse(client, search, Number(head))))
  }
  if (curve && sold !== null) {
    const terms = await draftSale({ ...source, curve }, request, { withdrawable, sold, head })
    ensureCovered(source, terms.amount, withdrawable)
    return { ...terms, room: withdrawable - terms.amount }
  }
  const amount = request.amount === 'all' ? withdrawable : fromDecimal(request.amount, decimalsOf(source))
  ensureCovered(source, amount, withdrawable)
  return { amount, minEth: 0n, room: withdrawable - amount }
}

/** A request looks a lost withdrawal up in the blocks of a day; further back its scan could take minutes. */
function searchedSince(createdAt: Date): Date {
  return new Date(Math.max(createdAt.getTime(), Date.now() - 86_400_000))
}

/** The database has lost a withdrawal with this key, and the chain has its use. */
function lostWithdrawal({ id }: Chain, use: Use | undefined): ServiceError {
  return new ServiceError(
    'idempotency_key_reused',
    use
      ? `This Idempotency-Key was used for a withdrawal that the service has no record of, or the wallet's key has cancelled it, ` +
          `on chain ${id} in transaction ${use.hash}. Use a new key if you want to withdraw again.`
      : `This Idempotency-Key was used on chain ${id} before, for a withdrawal that the service has no record of. Look at the ` +
          "wallet's transfers, and use a new key.",
  )
}

const decimalsOf = ({ dollar }: Source) => (dollar ? dollarDecimals : undefined)

function ensureCovered(source: Source, amount: bigint, available: bigint): void {
  if (amount > 0n && amount <= available) return
  const shown = toDecimal(available > 0n ? available : 0n, decimalsOf(source))
  throw new ServiceError(
    'insufficient_balance',
    source.dollar
      ? `${shown} dollars can be withdrawn now: the balance of the managed wallet, minus what is under way.`
      : `${shown} tokens can be withdrawn now: the balance of the managed wallet, minus the rest of a founder's bounty reserve.`,
  )
}

/** Checks a sale against the curve and the recipient. No signature leaves the process for that. */
async function draftSale(
  source: Source & { curve: Address },
  request: WithdrawalRequest,
  { withdrawable, sold, head }: { withdrawable: bigint; sold: bigint; head: bigint },
): Promise<{ amount: bigint; minEth: bigint }> {
  const { curve, wallet } = source
  const { client } = source.chain
  const most = withdrawable < sold ? withdrawable : sold
  const amount = request.amount === 'all' ? most : fromDecimal(request.amount)
  if (sold > 0n || request.amount !== 'all') ensureCovered(source, amount, withdrawable)
  if (amount > sold || sold === 0n) throw nothingToSell(amount, sold)
  // The gas does not depend on the least payment, so both are asked for at once.
  const sale = [amount, 0n, chainAddress(request.to), BigInt(Number.MAX_SAFE_INTEGER)] as const
  const data = encodeFunctionData({ abi: bondingCurve.abi, functionName: 'sell', args: sale })
  const call = { account: wallet, to: curve, data, blockNumber: head }
  const [quote, gas] = await reachable(() =>
    Promise.all([quoteSale(client, curve, amount, head), client.estimateGas(call).catch(nullIfReverted)]),
  )
  if (quote === 0n) throw nothingToSell(amount, sold)
  const minEth =
    request.min_eth === undefined ? quote - (quote * slackPercent) / 100n : fromDecimal(request.min_eth)
  if (quote < minEth)
    throw new ServiceError(
      'min_eth_not_met',
      `The curve pays ${toDecimal(quote)} ETH for this amount now, less than min_eth.`,
    )
  if (gas === null || gas + authorizationGas > gasCeiling) throw new ServiceError('recipient_refused')
  return { amount, minEth }
}

function nullIfReverted(error: unknown): null {
  if (isRevert(error)) return null
  throw error
}

function nothingToSell(amount: bigint, sold: bigint): ServiceError {
  return new ServiceError(
    'nothing_to_sell',
    sold === 0n
      ? 'The curve pays nothing now: nobody has bought, and a reward has no ETH of its own behind it. Withdraw it as tokens, ' +
          'or wait for buyers.'
      : `The curve pays nothing for ${toDecimal(amount)} tokens now: it buys back at most the ` +
          `${toDecimal(sold)} that buyers hold. Withdraw fewer, withdraw them as tokens, or wait for buyers.`,
  )
}
