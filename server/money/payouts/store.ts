import { sql } from 'kysely'
import { type Address, encodeFunctionData, type Hex } from 'viem'
import type { Database } from '../../db/client.ts'
import { chainAddress } from '../chain/address.ts'
import { platformWallet } from '../chain/generated/contracts.ts'
import { beginOrder, moveOrderIf, noteOnOrder } from '../orders/move.ts'
import { enqueueTransaction } from '../transactions/send/queue.ts'
import { type Backing, unknownBacking } from './backing.ts'
import { type Dollars, dollarColumns } from './dollars.ts'
import { permitIsRunning, waitForPermits } from './permits.ts'

/** The terms of a payout's transaction. Amounts are in base units. */
export interface Terms extends Dollars {
  submissionId: string
  payoutId: Hex
  platformWallet: Address
  token: Address
  from: Address
  to: Address
  amount: bigint
  fee: bigint
  chainId: number
}

/** A stored payout. */
export interface Payout extends Terms {
  /** When the bounty was created: nobody can have paid it before. */
  payableSince: Date
  /** Whether a change of the founder's allowance is under way. */
  permitIsRunning: boolean
  /** Whether buyers stand behind it. */
  isBacked: boolean
  /** Whether it was begun so long ago that its review ends where nobody can say whether the chain refuses it. */
  isOverdue: boolean
}

/** The payout of a submission; undefined if it has none. */
export async function findPayout(db: Database, submissionId: string): Promise<Payout | undefined> {
  const row = await db
    .selectFrom('payouts as p')
    .innerJoin('submissions as s', 's.id', 'p.submission_id')
    .innerJoin('bounties as b', 'b.id', 's.bounty_id')
    .selectAll('p')
    .select(['b.created_at as payable_since', permitIsRunning.as('permit_is_running')])
    .select(sql<boolean>`begun_at < now() - interval '10 minutes'`.as('is_overdue'))
    .where('p.submission_id', '=', submissionId)
    .executeTakeFirst()
  return (
    row && {
      submissionId: row.submission_id,
      payoutId: row.payout_id as Hex,
      platformWallet: row.platform_wallet as Address,
      token: row.token as Address,
      from: chainAddress(row.from_address),
      to: chainAddress(row.to_address),
      amount: BigInt(row.amount),
      fee: BigInt(row.fee),
      dollars: BigInt(row.dollars),
      dollarFee: BigInt(row.dollar_fee),
      dollarAddress: row.dollar_address as Address | null,
      chainId: row.chain_id,
      payableSince: row.payable_since,
      permitIsRunning: row.permit_is_running,
      isBacked: row.is_backed,
      isOverdue: row.is_overdue,
    }
  )
}

/** The payout of a submission. @throws when there is none. */
export async function getPayout(db: Database, submissionId: string): Promise<Payout> {
  const payout = await findPayout(db, submissionId)
  if (!payout) throw new Error(`submission ${submissionId} has no payout`)
  return payout
}

/**
 * Whether a signed transaction of this payout may still be mined; until none can, its addresses and amounts are fixed. A
 * reverted transaction is over when its block is final, and an abandoned one is over at once.
 */
export async function mayStillBeMined(trx: Database, submissionId: string): Promise<boolean> {
  const row = await trx
    .selectFrom('transactions')
    .select('id')
    .where('purpose', '=', 'payout')
    .where('entity_id', '=', submissionId)
    .where('nonce', 'is not', null)
    .where('status', '!=', 'abandoned')
    .where((where) => where.not(where.and([where('status', '=', 'reverted'), where('is_final', '=', true)])))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** The call that makes a payout. */
function payCall({ payoutId, token, from, to, amount, fee, dollars, dollarFee }: Terms): Hex {
  const { abi } = platformWallet
  const args = [payoutId, token, from, to, amount, fee] as const
  if (dollars === 0n) return encodeFunctionData({ abi, functionName: 'pay', args })
  return encodeFunctionData({
    abi,
    functionName: 'payWithDollars',
    args: [...args, dollars, dollarFee],
  })
}

/**
 * Stores the payout of a submission that the caller's transaction has moved to `approving`, and its transaction in the queue.
 * A failed payout starts again under its row.
 * @param headSha the commit that the founder has reviewed; default: the newest one known
 */
export async function storePayout(
  trx: Database,
  terms: Terms,
  { headSha = null, backing = unknownBacking }: { headSha?: string | null | undefined; backing?: Backing },
): Promise<void> {
  const { submissionId } = terms
  const payout = {
    payout_id: terms.payoutId,
    chain_id: terms.chainId,
    platform_wallet: terms.platformWallet,
    token: terms.token,
    from_address: terms.from,
    to_address: terms.to,
    amount: terms.amount.toString(),
    fee: terms.fee.toString(),
    ...dollarColumns(terms),
    transaction_id: await queuePayout(trx, terms, backing.is_backed),
    ...backing,
    head_sha: sql<string>`coalesce(${headSha}, (select coalesce(p.head_sha, s.head_sha)
      from submissions s left join pull_requests p on p.url = s.pr_url where s.id = ${submissionId}))`,
  }
  await beginOrder(trx, 'payout', { submission_id: submissionId, ...payout })
}

/** Queues the transaction of a payout, when no permit of its token is being stored any more. Returns its id. */
async function queuePayout(trx: Database, terms: Terms, isBacked: boolean): Promise<number> {
  await sql`select ${waitForPermits(terms.token)}`.execute(trx)
  return enqueueTransaction(trx, {
    chainId: terms.chainId,
    purpose: 'payout',
    entityId: terms.submissionId,
    to: terms.platformWallet,
    data: payCall(terms),
    goesLast: !isBacked,
  })
}

/** Whether a payout that buyers stand behind waits for its turn. */
export async function backedAreQueued(db: Database, chainId: number): Promise<boolean> {
  const queued = await db
    .selectFrom('transactions')
    .where('chain_id', '=', chainId)
    .where('status', '=', 'queued')
    .where('purpose', '=', 'payout')
    .where('goes_last', '=', false)
    .select('id')
    .limit(1)
    .executeTakeFirst()
  return queued !== undefined
}

/** Queues another transaction for a running payout, on the terms that are stored: no process has the key of the earlier one. */
export const requeuePayout = (trx: Database, submissionId: string) => sendAgain(trx, 'requeue', submissionId)

/** The same for one that has no transaction any more, also where it waits for an operator. */
export const resumePayout = (trx: Database, submissionId: string) => sendAgain(trx, 'resume', submissionId)

/** False, and nothing is queued, where the payout has ended. */
async function sendAgain(trx: Database, edge: 'requeue' | 'resume', submissionId: string): Promise<boolean> {
  if (!(await moveOrderIf(trx, 'payout', edge, submissionId))) return false
  const payout = await getPayout(trx, submissionId)
  const transaction_id = await queuePayout(trx, payout, payout.isBacked)
  await noteOnOrder(trx, 'payout', submissionId, { transaction_id })
  return true
}
