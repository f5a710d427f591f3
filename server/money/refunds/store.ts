import { sql } from 'kysely'
import { type Address, encodeFunctionData, type Hex } from 'viem'
import type { Database } from '../../db/client.ts'
import { recordActivity } from '../../events/record.ts'
import { lockBounty } from '../../lifecycle/situation.ts'
import { platformWallet } from '../chain/generated/contracts.ts'
import { lockMarginSeconds, type SlotKey } from '../chain/slot.ts'
import { toDollars } from '../chain/units.ts'
import { moveOrderIf, noteOnOrder } from '../orders/move.ts'
import { enqueueTransaction } from '../transactions/send/queue.ts'
import type { Problem } from '../transactions/types.ts'
import type { End } from './evidence.ts'

/** A stored deposit, as its refund sees it. */
export interface Deposit extends SlotKey {
  bountyId: string
  projectId: string
  chainId: number
  /** Base units of the coin. */
  amount: bigint
  status: 'queued' | 'locked' | 'failed' | 'paid' | 'refunding' | 'refunded'
  /** When the bounty was created: nothing can have been locked for it before. */
  lockableSince: Date
}

/** The deposit of a bounty. @throws when there is none */
export async function getDeposit(db: Database, bountyId: string): Promise<Deposit> {
  const row = await selectDeposits(db).where('d.bounty_id', '=', bountyId).executeTakeFirst()
  if (!row) throw new Error(`bounty ${bountyId} has no deposit`)
  return toDeposit(row)
}

/** The deposits of a chain that are locked, as far as this database knows. */
export async function listLocked(db: Database, chainId: number): Promise<Deposit[]> {
  const rows = await selectDeposits(db)
    .where('d.chain_id', '=', chainId)
    .where('d.status', '=', 'locked')
    .execute()
  return rows.map(toDeposit)
}

function selectDeposits(db: Database) {
  return db
    .selectFrom('deposits as d')
    .innerJoin('bounties as b', 'b.id', 'd.bounty_id')
    .selectAll('d')
    .select('b.created_at as lockable_since')
}

function toDeposit(row: Awaited<ReturnType<ReturnType<typeof selectDeposits>['execute']>>[number]): Deposit {
  return {
    bountyId: row.bounty_id,
    projectId: row.project_id,
    chainId: row.chain_id,
    platformWallet: row.platform_wallet as Address,
    payoutId: row.payout_id as Hex,
    amount: BigInt(row.amount),
    status: row.status,
    lockableSince: row.lockable_since,
  }
}

/**
 * Condition: a deposit `d` has to go back. The bounty is cancelled or the lock is over, and no payout can still take it. What the
 * chain has refused is tried again an hour later.
 */
const isDue = sql<boolean>`(d.status = 'locked'
  and (d.locked_until <= now() + ${sql.lit(lockMarginSeconds)} * interval '1 second'
    or exists (select from bounties b where b.id = d.bounty_id and b.status = 'cancelled'))
  and (d.error is null or d.updated_at < now() - interval '1 hour')
  and not exists (select from submissions s join payouts p on p.submission_id = s.id
    where s.bounty_id = d.bounty_id and p.status = 'running'))`

/** Whether deposits of a chain have to go back. */
export const hasDue = (chainId: number) =>
  sql`exists (select from deposits d where d.chain_id = ${chainId} and ${isDue})`

const mostAtOnce = 50

/** The bounties of deposits that have to go back. */
export async function listDue(db: Database, chainId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('deposits as d')
    .where('d.chain_id', '=', chainId)
    .where(isDue)
    .select('d.bounty_id')
    .limit(mostAtOnce)
    .execute()
  return rows.map(({ bounty_id }) => bounty_id)
}

/** Begins the refund of a deposit that has to go back, in the caller's transaction; false where it need not any more. */
export async function beginRefund(trx: Database, bountyId: string): Promise<boolean> {
  await lockBounty(trx, bountyId)
  const due = trx.selectFrom('deposits as d').where('d.bounty_id', '=', bountyId).where(isDue)
  if (!(await due.select('d.bounty_id').executeTakeFirst())) return false
  return queueRefund(trx, 'refund', bountyId)
}

/**
 * Queues the refund of a deposit whose dollars have left the platform wallet as this database does not know: its transaction
 * is not sent, and finds out what the chain has done.
 */
export const beginRecognition = (trx: Database, bountyId: string) => queueRefund(trx, 'refund', bountyId)

/** Queues another transaction for a refund that has none any more. The platform wallet refunds an id once. */
export const resumeRefund = (trx: Database, bountyId: string) => queueRefund(trx, 'resume', bountyId)

async function queueRefund(trx: Database, edge: 'refund' | 'resume', bountyId: string): Promise<boolean> {
  if (!(await moveOrderIf(trx, 'deposit', edge, bountyId))) return false
  const { chainId, platformWallet: to, payoutId } = await getDeposit(trx, bountyId)
  const data = encodeFunctionData({ abi: platformWallet.abi, functionName: 'refund', args: [payoutId] })
  const transaction_id = await enqueueTransaction(trx, {
    chainId,
    purpose: 'refund',
    entityId: bountyId,
    to,
    data,
  })
  await noteOnOrder(trx, 'deposit', bountyId, { transaction_id })
  return true
}

/** The dollars have left the platform wallet, and that counts. A reorganisation may have preferred another transaction. */
export async function endDeposit(trx: Database, bountyId: string, { state, hash }: End): Promise<void> {
  await lockBounty(trx, bountyId)
  const { status, projectId, amount } = await getDeposit(trx, bountyId)
  const edge = state === 'paid' ? 'pay' : 'settleRefund'
  const isMoved = await moveOrderIf(trx, 'deposit', edge, bountyId, { end_tx: hash })
  if (!isMoved || state === 'paid' || status === 'refunded') return
  await recordActivity(trx, {
    type: 'bounty.refunded',
    project_id: projectId,
    bounty_id: bountyId,
    data: { amount: toDollars(amount), tx_hash: hash },
    audience: await holdersOf(trx, bountyId),
  })
}

/** Who works on a bounty or waits for its review. The founder hears of all that is public. */
async function holdersOf(trx: Database, bountyId: string): Promise<string[]> {
  const bounty = trx.selectFrom('bounties').where('id', '=', bountyId).where('status', '!=', 'done')
  const row = await bounty.where('claimed_by', 'is not', null).select('claimed_by').executeTakeFirst()
  return row?.claimed_by ? [row.claimed_by] : []
}

const refused = {
  error_code: 'dollars_refused',
  error:
    'The chain refuses to return the dollars for now: the coin is paused, or the wallet of the founder is on its block list. ' +
    'They stay where they are, and it is tried again each hour.',
}

/** The chain has refused the refund: the dollars are locked still, and it is tried again later. */
export async function putOffRefund(trx: Database, bountyId: string): Promise<Problem | undefined> {
  await lockBounty(trx, bountyId)
  await moveOrderIf(trx, 'deposit', 'putOff', bountyId, refused)
  return undefined
}
