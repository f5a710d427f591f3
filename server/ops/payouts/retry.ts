import { sql } from 'kysely'
import type { Hash, PublicClient } from 'viem'
import type { Database } from '../../db/client.ts'
import { inTransaction } from '../../db/transaction.ts'
import { endedUnpaid } from '../../lifecycle/statuses.ts'
import { resumeActivation } from '../../money/activation/settle.ts'
import { depthBelow, type Finality } from '../../money/chain/finality.ts'
import { isPaid } from '../../money/payouts/evidence/evidence.ts'
import { getPayout, resumePayout } from '../../money/payouts/store.ts'
import { resumeRefund } from '../../money/refunds/store.ts'
import { resumeRelay } from '../../money/relays/store.ts'
import { hasLiveTransaction } from '../../money/transactions/live.ts'
import { recordAbandoned } from '../../money/transactions/receipts/outcomes.ts'
import { isRelay } from '../../money/transactions/types.ts'
import { type Case, findCase, type TransactionView } from './unresolved.ts'

/** The result of a retry; `done` is whether anything was changed. */
export interface RetryResult {
  done: boolean
  explanation: string
}

/** What a retry needs. */
export interface RetryContext {
  db: Database
  client: PublicClient
  /** When a nonce counts as used. */
  finality: Finality
}

const no = (explanation: string): RetryResult => ({ done: false, explanation })

/**
 * Takes up a case again that waits for an operator, or explains why it may not be. A second transaction is made only if the
 * first is certainly dead: another transaction has used its nonce at the confirmation depth, and the chain has not paid. A
 * case that can still finish by itself is left alone.
 */
export async function retry(context: RetryContext, entityId: string): Promise<RetryResult> {
  const found = await findCase(context.db, entityId)
  if (!found)
    return no(`there is no payout, activation, withdrawal, allowance, deposit or refund of ${entityId}`)
  const stuck = found.transactions.filter(({ status }) => status === 'needs_operator')
  if (stuck.length === 0 && found.status !== 'needs_operator')
    return no(`it is ${found.status} and does not wait for a person`)
  if (found.kind === 'payout' && endedUnpaid(found.entityStatus))
    return no(
      'the review of the submission ended without a payment after its payout had been reported failed; nothing may be sent',
    )
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
  const dead = 'none of its transactions can be mined any more'
  return abandon(
    context.db,
    found,
    stuck,
    isRelay(purposes[found.kind])
      ? `${dead}; its signature is sent again, unless the chain has used it or it has expired`
      : `${dead}; it is made again`,
  )
}

/** Why a transaction may still have an effect; undefined if it is dead. */
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
        : `${hash} is mined and reverted: the service records that within seconds`
  }
  const { counted } = await depthBelow(client, head, finality)
  const blockNumber = BigInt(Math.max(0, counted))
  const used = await client.getTransactionCount({ address: lane as Hash, blockNumber })
  return used > nonce
    ? undefined
    : `nonce ${nonce} of ${lane} is not used up at the confirmation depth: the service goes on sending its bytes`
}

/** The purpose of the transactions of each kind. */
const purposes = {
  payout: 'payout',
  activation: 'deploy',
  withdrawal: 'withdrawal',
  allowance: 'permit',
  deposit: 'deposit',
  refund: 'refund',
} as const

/** What sends each kind again; false where it has ended. */
const resume = {
  payout: resumePayout,
  activation: resumeActivation,
  withdrawal: resumeRelay,
  allowance: resumeRelay,
  deposit: resumeRelay,
  refund: resumeRefund,
}

/** Abandons the dead transactions and starts the case again, unless something has changed meanwhile. */
function abandon(
  db: Database,
  found: Case,
  stuck: TransactionView[],
  explanation: string,
): Promise<RetryResult> {
  const { kind, entityId, transactions } = found
  return inTransaction(db, async (trx) => {
    // The lanes' locks keep the service from recording outcomes meanwhile.
    const lanes = transactions.map(({ lane }) => lane).filter((lane) => lane !== null)
    await sql`select from lanes where address = any(${lanes}) order by address for update`.execute(trx)
    const { rows } = await sql<{ id: number }>`
      select id from transactions where entity_id = ${entityId} and status = 'needs_operator' order by id
      for no key update`.execute(trx)
    if (rows.map(({ id }) => id).join() !== stuck.map(({ id }) => id).join())
      return no('its state has changed meanwhile; run the command again')
    for (const { id } of stuck)
      await recordAbandoned(
        trx,
        id,
        'abandoned by an operator: its nonce was used by a transaction that is not ours',
      )
    const done = (text: string): RetryResult => ({ done: true, explanation: text })
    if (await hasLiveTransaction(trx, purposes[kind], entityId))
      return done('abandoned; the next transaction, which has been waiting for that, continues')
    if (await resume[kind](trx, entityId)) return done(explanation)
    return done(
      `abandoned; ${found.status === 'failed' ? 'it can be asked for again' : 'nothing is left to be sent'}`,
    )
  })
}
