import pLimit from 'p-limit'
import type { Logger } from 'pino'
import type { Database } from '../../db/client.ts'
import { inTransaction } from '../../db/transaction.ts'
import { emitStep } from '../../loops/crash-steps.ts'
import { askForWork } from '../../loops/look.ts'
import { createOutageReport } from '../../loops/outage-report.ts'
import { startRounds, type Worker } from '../../loops/rounds.ts'
import type { Timing } from '../../loops/timing.ts'
import type { Chain } from '../chain/chain.ts'
import { readSlot } from '../chain/slot.ts'
import { beginRecognition, beginRefund, type Deposit, hasDue, listDue, listLocked } from './store.ts'

/** What the sweep of refunds needs. */
export interface RefundsOptions {
  db: Database
  chain: Pick<Chain, 'id'>
  timing: Pick<Timing, 'restMs' | 'sweepMs'>
  log: Logger
  /** Called when refunds were queued. */
  onQueued(): void
}

/**
 * Starts the loop that queues the refunds of deposits that have to go back. Any number of processes may run it: a refund
 * begins by the move of its deposit, which only one of them makes.
 */
export function startRefunds({ db, chain, timing, log, onQueued }: RefundsOptions): Worker {
  async function queueDue(isStopped: () => boolean): Promise<void> {
    for (const { bounty_id: bountyId } of await listDue(db, chain.id)) {
      if (isStopped()) return
      if (!(await inTransaction(db, (trx) => beginRefund(trx, bountyId)))) continue
      emitStep('intent stored', bountyId)
      log.info({ entityId: bountyId }, 'the dollars of a bounty go back to its founder')
      onQueued()
    }
  }

  const outage = createOutageReport(log, {
    failing: 'could not look for dollars to return; trying again',
    working: 'dollars are returned again',
  })
  const isDue = askForWork(db, () => hasDue(chain.id), timing.restMs)
  return startRounds((isStopped) => outage.of(queueDue(isStopped)), timing.sweepMs, isDue)
}

/** Slots that are read at once. */
const slotsAtOnce = 10

/**
 * Finds deposits that are locked as far as this database knows, and whose dollars have left the platform wallet, as after
 * the restore of a backup. Their refund is queued, and finds out what the chain has done.
 * @param relayId looks at the deposit of this relay alone
 */
export async function recognizeRefunds(
  db: Database,
  chain: Chain,
  log: Logger,
  relayId?: string,
): Promise<void> {
  const limit = pLimit(slotsAtOnce)
  const recognize = async (deposit: Deposit): Promise<void> => {
    const { state } = await readSlot(chain.client, deposit)
    if (state !== 'refunded' && state !== 'paid') return
    await inTransaction(db, (trx) => beginRecognition(trx, deposit.bounty_id))
    log.warn({ entityId: deposit.bounty_id, state }, 'dollars have left that this database has as locked')
  }
  await limit.map(await listLocked(db, chain.id, relayId), recognize)
}
