import { hash } from 'node:crypto'
import { type Address, encodeFunctionData, type Hex, isAddressEqual } from 'viem'
import { chainAddress } from '../../chain/address.ts'
import { reachable } from '../../chain/chain.ts'
import { bondingCurve } from '../../chain/generated/contracts.ts'
import { isRevert } from '../../chain/rpc-errors.ts'
import { fromDecimal, toDecimal } from '../../chain/units.ts'
import type { Context } from '../../context.ts'
import type { Database } from '../../db/client.ts'
import { findUse, isExact, isNonceUsed, quoteSale, readWithdrawable } from '../../engines/relays/evidence.ts'
import { gasCeiling } from '../../engines/relays/handler.ts'
import { ServiceError } from '../../errors.ts'
import { listPending, sumPending } from './queries.ts'
import type { Moment, Source } from './relaying.ts'

/** What an agent asks for. */
export interface WithdrawalRequest {
  project_id: string
  /** Whole tokens as a decimal string, or `all`. */
  amount: string
  to: string
  as: 'tokens' | 'eth'
  min_eth?: string | undefined
}

/** The terms that a withdrawal is signed with. */
export interface Draft {
  amount: bigint
  minEth: bigint
  /** False if the chain has made it already: there is nothing left to sign. */
  isSigned: boolean
  /** @throws ServiceError `insufficient_balance`; for the transaction that stores it */
  check(trx: Database): Promise<void>
}

/** Gas that an authorization costs beyond a sale by its own seller. */
const authorizationGas = 80_000n
/** Without `min_eth`, a sale may pay so much less than its quote, in percent. */
const slackPercent = 1n

/** What a request with the same Idempotency-Key must match. */
export function digestOf({ project_id, amount, to, as, min_eth }: WithdrawalRequest): Buffer {
  const base = amount === 'all' ? amount : String(fromDecimal(amount))
  const least = min_eth === undefined ? null : String(fromDecimal(min_eth))
  return hash('sha256', JSON.stringify([project_id, base, to.toLowerCase(), as, least]), 'buffer')
}

/**
 * The terms of a withdrawal, checked against the chain.
 * @throws ServiceError `insufficient_balance`, `nothing_to_sell`, `min_eth_not_met`, `recipient_refused`,
 * `idempotency_key_reused`, `chain_unreachable`
 */
export async function draftWithdrawal(
  ctx: Context & { agent: { id: string } },
  source: Source,
  request: WithdrawalRequest,
  { head, nonce }: Moment & { nonce: Hex },
): Promise<Draft> {
  const { token, curve, wallet, project } = source
  const { client } = source.chain
  const of = { kind: 'withdrawal', token, curve, wallet, nonce } as const
  if (await reachable(() => isNonceUsed(client, of, head)))
    return adopt(
      source,
      request,
      await reachable(() =>
        findUse(client, { ...of, usableSince: searchedSince(project.created_at) }, Number(head)),
      ),
    )

  const own = { agentId: ctx.agent.id, token }
  const { nonces, readAt: since } = await listPending(ctx.services.db, own)
  const [withdrawable, states] = await reachable(() =>
    Promise.all([
      readWithdrawable(client, of, head),
      Promise.all(nonces.map((each) => isNonceUsed(client, { ...of, nonce: each as Hex }, head))),
    ]),
  )
  const used = nonces.filter((_, index) => states[index])
  const available = async (db: Database) => withdrawable - (await sumPending(db, { ...own, since, used }))
  const most = await available(ctx.services.db)
  const terms =
    request.as === 'eth'
      ? await draftSale(source, request, most, head)
      : { amount: request.amount === 'all' ? most : fromDecimal(request.amount), minEth: 0n }
  ensureCovered(terms.amount, most)
  return {
    ...terms,
    isSigned: true,
    check: async (trx) => ensureCovered(terms.amount, await available(trx)),
  }
}

/** A request looks a lost withdrawal up in the blocks of a day; further back its scan could take minutes. */
function searchedSince(createdAt: Date): Date {
  return new Date(Math.max(createdAt.getTime(), Date.now() - 86_400_000))
}

/**
 * The database has lost a withdrawal with this key, and the chain has its use. The withdrawal is stored again as the chain
 * has made it.
 */
function adopt(
  { chain }: Source,
  request: WithdrawalRequest,
  use: Awaited<ReturnType<typeof findUse>>,
): Draft {
  if (!use)
    throw new ServiceError(
      'idempotency_key_reused',
      `This Idempotency-Key was used on chain ${chain.id} before, for a withdrawal that the service has no record of. Look at ` +
        "the wallet's transfers, and use a new key.",
    )
  const { effect } = use
  const amount = request.amount === 'all' ? effect?.amount : fromDecimal(request.amount)
  const wanted = { asEth: request.as === 'eth', recipient: chainAddress(request.to), amount: amount ?? 0n }
  if (!isExact(wanted, effect))
    throw new ServiceError(
      'idempotency_key_reused',
      `This Idempotency-Key was used for another withdrawal, or the wallet's key has cancelled it, on chain ${chain.id} in ` +
        `transaction ${use.hash}. Use a new key.`,
    )
  return { amount: wanted.amount, minEth: 0n, isSigned: false, check: async () => undefined }
}

function ensureCovered(amount: bigint, available: bigint): void {
  if (amount > 0n && amount <= available) return
  const shown = toDecimal(available > 0n ? available : 0n)
  throw new ServiceError(
    'insufficient_balance',
    `${shown} tokens can be withdrawn now: the balance of the managed wallet, minus the rest of a founder's bounty ` +
      'reserve and withdrawals that are under way.',
  )
}

/** Checks a sale against the curve and the recipient. No signature leaves the process for that. */
async function draftSale(
  { chain: { client }, curve, wallet }: Source,
  request: WithdrawalRequest,
  most: bigint,
  blockNumber: bigint,
): Promise<{ amount: bigint; minEth: bigint }> {
  const sold = await reachable(() =>
    client.readContract({ abi: bondingCurve.abi, address: curve, functionName: 'sold', blockNumber }),
  )
  const amount = request.amount === 'all' ? (most < sold ? most : sold) : fromDecimal(request.amount)
  if (sold > 0n || request.amount !== 'all') ensureCovered(amount, most)
  const quote = amount > sold ? 0n : await reachable(() => quoteSale(client, curve, amount, blockNumber))
  if (quote === 0n)
    throw new ServiceError(
      'nothing_to_sell',
      sold === 0n
        ? 'The curve pays nothing now: nobody has bought, and a reward has no ETH of its own behind it. Withdraw it as tokens, ' +
            'or wait for buyers.'
        : `The curve pays nothing for ${toDecimal(amount)} tokens now: it buys back at most the ` +
            `${toDecimal(sold)} that buyers hold. Withdraw fewer, withdraw them as tokens, or wait for buyers.`,
    )
  const minEth =
    request.min_eth === undefined ? quote - (quote * slackPercent) / 100n : fromDecimal(request.min_eth)
  if (quote < minEth)
    throw new ServiceError(
      'min_eth_not_met',
      `The curve pays ${toDecimal(quote)} ETH for this amount now, less than min_eth.`,
    )
  const sale = [amount, minEth, chainAddress(request.to), BigInt(Number.MAX_SAFE_INTEGER)] as const
  const data = encodeFunctionData({ abi: bondingCurve.abi, functionName: 'sell', args: sale })
  await ensureReceivable(() => client.estimateGas({ account: wallet, to: curve, data, blockNumber }))
  return { amount, minEth }
}

/** @throws ServiceError `recipient_refused`, `chain_unreachable` */
async function ensureReceivable(estimate: () => Promise<bigint>): Promise<void> {
  const gas = await reachable(() =>
    estimate().catch((error) => {
      if (isRevert(error)) return undefined
      throw error
    }),
  )
  if (gas === undefined || gas + authorizationGas > gasCeiling) throw new ServiceError('recipient_refused')
}

/** @throws ServiceError `validation_failed` for a withdrawal that would change nothing, or a limit that means nothing */
export function refuseUseless({ to, as, min_eth }: WithdrawalRequest, wallet: Address): void {
  const issue = (path: string, message: string) =>
    new ServiceError('validation_failed', `${path}: ${message}.`, { issues: [{ path, message }] })
  if (as === 'eth') return
  if (min_eth !== undefined) throw issue('min_eth', 'belongs to withdrawals as eth')
  if (isAddressEqual(chainAddress(to), wallet)) throw issue('to', 'is the managed wallet itself')
}
