import { sql } from 'kysely'
import type { Hash, PublicClient } from 'viem'
import { depthBelow, type Finality } from '../../chain/finality.ts'
import type { Database } from '../../db/client.ts'
import { inTransaction } from '../../db/transaction.ts'
import { resumeActivation } from '../../engines/activation/settle.ts'
import { isPaid } from '../../engines/payouts/evidence.ts'
import { getPayout, requeuePayout } from '../../engines/payouts/store.ts'
import { hasLiveTransaction } from '../../engines/transactions/live.ts'
import { recordAbandoned } from '../../engines/transactions/receipt-outcomes.ts'
import { type Case, findCase, type TransactionView } from './unresolved.ts'

/** What the retry of a case came to; `done` says whether anything was changed. */
export interface RetryResult {
  done: boolean
  explanation: string
}

/** What a retry needs to know of the chain. */
export interface RetryContext {
  db: Database
  client: PublicClient
  /** When a nonce counts as used. */
  finality: Finality
}

const no = (explanation: string): RetryResult => ({ done: false, explanation })

/**
 * Takes up again what waits for a person, or says why it must not be. A second transaction is made only where the first
 * is dead for certain: its nonce is used up at the confirmation depth, by none of our own attempts, and the chain has
 * not paid. What can still heal by itself is left alone.
 */
export async function retry(context: RetryContext, entityId: string): Promise<RetryResult> {
  const found = await findCase(context.db, entityId)
  if (!found) return no(`there is no payout or activation of ${entityId}`)
  const stuck = found.transactions.filter(({ status }) => status === 'needs_operator')
  if (stuck.length === 0 && found.status !== 'needs_operator')
    return no(`it is ${found.status} and does not wait for a person`)
  if (found.kind === 'payout' && found.entityStatus === 'rejected')
    return no('the submission was rejected after its payout had been reported failed; nothing may be sent')
  const { client } = context
  const [chainId, head] = await Promise.all([client.getChainId(), client.getBlockNumber().then(Number)])
  if (found.chainId !== null && found.chainId !== chainId)
    return no(`it belongs to chain ${found.chainId}, and this node serves chain ${chainId}`)
  for (const transaction of stuck) {
    const hindrance = await stillAlive(context, transaction, head)
    if (hindrance) return no(hindrance)
  }
  if (found.kind === 'payout' && (await isPaid(client, await getPayout(context.db, entityId), head)))
    return abandon(
      context.db,
      found,
      stuck,
      'the chain has paid it; the service finds that payment and settles it',
    )
  return abandon(context.db, found, stuck, 'nothing of it can be mined any more; it is made again')
}

/** Why a transaction may still have its effect; undefined where it is dead. */
async function stillAlive(
  { client, finality }: RetryContext,
  transaction: TransactionView,
  head: number,
): Promise<string | undefined> {
  const { lane, nonce, attempts } = transaction
  if (lane === null || nonce === null) return 'its transaction has no nonce yet'
  for (const { hash } of attempts) {
    const receipt = await client.request({ method: 'eth_getTransactionReceipt', params: [hash as Hash] })
    if (receipt?.blockHash && receipt.transactionHash === hash)
      return receipt.status === '0x1'
        ? `${hash} is mined: the service settles it, unless it is not what was signed; compare it with "show"`
        : `${hash} is mined and reverted: the service finds that within seconds`
  }
  const { counted } = await depthBelow(client, head, finality)
  const blockNumber = BigInt(Math.max(0, counted))
  const used = await client.getTransactionCount({ address: lane as Hash, blockNumber })
  return used > nonce
    ? undefined
    : `nonce ${nonce} of ${lane} is not used up at the confirmation depth: the service goes on sending its bytes`
}

/** Gives up what is dead and asks again, unless something has moved meanwhile. */
function abandon(
  db: Database,
  { kind, entityId, status, transactions }: Case,
  stuck: TransactionView[],
  explanation: string,
): Promise<RetryResult> {
  return inTransaction(db, async (trx) => {
    // The lanes' locks keep the service from recording anything of them now.
    const lanes = transactions.map(({ lane }) => lane).filter((lane) => lane !== null)
    await sql`select from lanes where address = any(${lanes}) order by address for update`.execute(trx)
    const { rows } = await sql<{ id: number }>`
      select id from transactions where entity_id = ${entityId} and status = 'needs_operator' order by id
      for no key update`.execute(trx)
    if (rows.map(({ id }) => id).join() !== stuck.map(({ id }) => id).join())
      return no('it has moved on meanwhile; look again')
    for (const { id } of stuck)
      await recordAbandoned(
        trx,
        id,
        'given up by a person: its nonce was used by a transaction that is not ours',
      )
    const done = (text: string): RetryResult => ({ done: true, explanation: text })
    if (await hasLiveTransaction(trx, kind === 'payout' ? 'payout' : 'deploy', entityId))
      return done('given up; the next transaction, which has been waiting for that, goes ahead')
    if (status === 'failed') return done('given up; the founder can ask for it again')
    if (kind === 'activation') await resumeActivation(trx, entityId)
    else await askAgain(trx, entityId)
    return done(explanation)
  })
}

async function askAgain(trx: Database, submissionId: string): Promise<void> {
  await requeuePayout(trx, submissionId)
  await trx
    .updateTable('payouts')
    .set({ status: 'running', round: sql`round + 1`, error: null })
    .where('submission_id', '=', submissionId)
    .execute()
}
