import type { Logger } from 'pino'
import { nodeErrorText } from '../../config/node-error-text.ts'
import type { Database } from '../../db/client.ts'
import { inTransaction } from '../../db/transaction.ts'
import { createAlarms } from '../../loops/alarms.ts'
import { emitStep } from '../../loops/crash-steps.ts'
import { askForWork } from '../../loops/look.ts'
import { createOutageReport } from '../../loops/outage-report.ts'
import { startRounds, type Worker } from '../../loops/rounds.ts'
import type { Timing } from '../../loops/timing.ts'
import type { Chain } from '../chain/chain.ts'
import { depthBelow, type Finality } from '../chain/finality.ts'
import { confirmRelay, failRelay } from './settle.ts'
import { findSettlement, type Settlement } from './settlement.ts'
import { hasRunning, listRunning, type Relay } from './store.ts'

/** What the sweep needs. */
export interface SweepOptions {
  db: Database
  chain: Chain
  finality: Finality
  timing: Pick<Timing, 'restMs' | 'sweepMs'>
  log: Logger
  /** Called with the relay of a deposit whose dollars are locked now. They may have left since, in a database that fell back. */
  onLocked(relayId: string): Promise<void>
}

/**
 * Starts the loop that settles relays: nothing else confirms or fails one. Lanes wake it when they have stored that a
 * transaction counts. What it stores follows from the chain, so any number of processes may run one.
 */
export function startSweep(options: SweepOptions): Worker {
  const { log, timing } = options
  const alarm = createAlarms(log)

  async function settleDue(isStopped: () => boolean): Promise<void> {
    const running = await listRunning(options.db, options.chain.id)
    if (running.length === 0) return
    const { client } = options.chain
    const depth = await depthBelow(client, Number(await client.getBlockNumber()), options.finality)
    const finalTime =
      depth.final < 0 ? 0 : Number((await client.getBlock({ blockNumber: BigInt(depth.final) })).timestamp)
    for (const { relay, isBeingSent } of running) {
      if (isStopped()) return
      if (isBeingSent && relay.validBefore > finalTime) continue
      try {
        const settlement = await findSettlement(client, relay, depth, finalTime)
        if (settlement) await settle(relay, settlement)
      } catch (error) {
        log.warn(
          { entityId: relay.id, reason: nodeErrorText(error) },
          'could not settle a relay; trying again',
        )
      }
    }
  }

  async function settle(relay: Relay, settlement: Settlement): Promise<void> {
    const { id } = relay
    emitStep('settlement found', id)
    const isConfirmed = settlement.status === 'confirmed'
    const settled = await inTransaction(options.db, (trx) =>
      isConfirmed ? confirmRelay(trx, id, settlement) : failRelay(trx, id, settlement.code),
    )
    // Another process was faster, or its transaction is no longer mined.
    if (!settled) return
    emitStep('outcome stored', id)
    const found = isConfirmed ? { hash: settlement.hash } : { code: settlement.code }
    log.info({ entityId: id, ...found }, `a relay is ${settlement.status}`)
    if (isConfirmed && relay.kind === 'deposit') await options.onLocked(id)
    const why =
      'it was reported confirmed, and then the chain took it back until nobody could send it any more'
    if (!isConfirmed && settled.confirmed_at !== null)
      alarm({ kind: 'relay_needs_operator', entityId: id, why })
  }

  const outage = createOutageReport(log, {
    failing: 'could not look for relays to settle; trying again',
    working: 'relays are settled again',
  })
  const isDue = askForWork(options.db, () => hasRunning(options.chain.id), timing.restMs)
  return startRounds((isStopped) => outage.of(settleDue(isStopped)), timing.sweepMs, isDue)
}
