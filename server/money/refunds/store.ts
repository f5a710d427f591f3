import { sql } from 'kysely'
import { type Address, encodeFunctionData, type Hash, type Hex } from 'viem'
import type { Database } from '../../db/client.ts'
import { recordActivity } from '../../events/record.ts'
import { lockBounty } from '../../lifecycle/situation.ts'
import { platformWallet } from '../chain/generated/contracts.ts'
import { lockMarginSeconds } from '../chain/slot.ts'
import { toDollars } from '../chain/units.ts'
import { moveOrderIf, noteOnOrder } from '../orders/move.ts'
import { enqueueTransaction } from '../transactions/send/queue.ts'

/** A stored deposit, as its refund sees it. */
export type Deposit = Awaited<ReturnType<typeof listLocked>>[number]

/** How the dollars of a deposit have left the platform wallet. */
export interface End {
  state: 'paid' | 'refunded'
  hash: Hash
}

/** The deposit of a bounty. @throws when there is none */
export const getDeposit = (db: Database, bountyId: string): Promise<Deposit> =>
  selectDeposits(db).where('d.bounty_id', '=', bountyId).executeTakeFirstOrThrow()

/** The deposits of a chain that are locked, as far as this database knows; of a relay the one that it carries. */
export const listLocked = (db: Database, chainId: number, relayId?: string) =>
  selectDeposits(db)
    .where('d.chain_id', '=', chainId)
    .where('d.status', '=', 'locked')
    .$if(relayId !== undefined, (query) => query.where('d.relay_id', '=', relayId as string))
    .execute()

/** Nothing can have been locked for a bounty before it was created. */
function selectDeposits(db: Database) {
  return db
    .selectFrom('deposits as d')
    .innerJoin('bounties as b', 'b.id', 'd.bounty_id')
    .select(['d.bounty_id', 'd.project_id', 'd.chain_id', 'd.amount', 'd.status'])
    .select(['b.created_at as lockable_since', 'b.claimed_by'])
    .select(sql<Address>`d.platform_wallet`.as('platformWallet'))
    .select(sql<Hex>`d.payout_id`.as('payoutId'))
}

/**
 * Condition: a deposit `d` has to go back. The bounty is cancelled or the lock is over, and no payout can still take it. What the
 * chain has refused is tried again ten minutes later.
 */
const isDue = sql<boolean>`(d.status = 'locked'
  and (d.locked_until <= now() + ${sql.lit(lockMarginSeconds)} * interval '1 second'
    or exists (select from bounties where id = d.bounty_id and status = 'cancelled'))
  and (d.error is null or d.updated_at < now() - interval '10 minutes')
  and not exists (select from submissions s join payouts p on p.submission_id = s.id
    where s.bounty_id = d.bounty_id and p.status = 'running'))`

/** Whether deposits of a chain have to go back. */
export const hasDue = (chainId: number) =>
  sql`exists (select from deposits d where d.chain_id = ${chainId} and ${isDue})`

/** Deposits that have to go back, some at a time. */
export const listDue = (db: Database, chainId: number): Promise<Deposit[]> =>
  selectDeposits(db).where('d.chain_id', '=', chainId).where(isDue).limit(50).execute()

/** Begins the refund of a deposit that has to go back, in the caller's transaction; false where it need not any more. */
export async function beginRefund(trx: Database, bountyId: string): Promise<boolean> {
  await lockBounty(trx, bountyId)
  const due = await selectDeposits(trx).where('d.bounty_id', '=', bountyId).where(isDue).executeTakeFirst()
  return due !== undefined && queueRefund(trx, 'refund', bountyId)
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
  const { chain_id: chainId, platformWallet: to, payoutId } = await getDeposit(trx, bountyId)
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
  const { status, project_id, amount, claimed_by } = await getDeposit(trx, bountyId)
  const edge = state === 'paid' ? 'pay' : 'settleRefund'
  const isMoved = await moveOrderIf(trx, 'deposit', edge, bountyId, { end_tx: hash })
  if (!isMoved || state === 'paid' || status === 'refunded') return
  await recordActivity(trx, {
    type: 'bounty.refunded',
    project_id,
    bounty_id: bountyId,
    data: { amount: toDollars(BigInt(amount)), tx_hash: hash },
    audience: claimed_by ? [claimed_by] : [],
  })
}

const refused = {
  error_code: 'dollars_refused',
  error:
    'The chain refuses to return the dollars for now: the coin is paused, or the wallet of the founder is on its block list. ' +
    'They stay where they are, and it is tried again every ten minutes.',
}

/**
 * The dollars are locked still: the chain refuses the refund, which is tried again later, or has reverted it, as where a
 * reorganisation made it before the deposit. That is tried again at once, and shows whether it is refused.
 */
export async function putOffRefund(trx: Database, bountyId: string, isRefused: boolean): Promise<void> {
  await lockBounty(trx, bountyId)
  await moveOrderIf(trx, 'deposit', 'putOff', bountyId, isRefused ? refused : {})
}
