import { randomUUID } from 'node:crypto'
import { RepositoryError } from '../../code/host/error.ts'
import { nodeErrorText } from '../../config/node-error-text.ts'
import { LeaseLostError, whileRenewing } from '../../db/lease.ts'
import { askForWork } from '../../loops/look.ts'
import { createOutageReport } from '../../loops/outage-report.ts'
import { startPlaces, type Worker } from '../../loops/rounds.ts'
import type { Timing } from '../../loops/timing.ts'
import { type AdvanceContext, advance } from './advance.ts'
import { type Activation, hasDue, leaseActivations, releaseActivation, renewActivation } from './store.ts'

/** Activations one process works on at a time: they spend their time waiting for the code host. */
const concurrency = 4

/** Starts the loop that takes activations from request to queued deploy. Any number of processes may run one. */
export function startActivations(
  context: AdvanceContext & { timing: Timing; onProgress: () => void },
): Worker {
  const { db, log, timing } = context
  const owner = randomUUID()
  const seconds = timing.activationLeaseSeconds
  const outage = createOutageReport(log, {
    failing: 'could not look for activations; trying again',
    working: 'activations are looked for again',
  })

  async function work(activation: Activation): Promise<void> {
    let pause = 0
    const lease = { seconds, renew: () => renewActivation(db, activation, seconds) }
    try {
      await whileRenewing(lease, () => advance(context, activation))
    } catch (error) {
      if (error instanceof LeaseLostError) return
      const limited = error instanceof RepositoryError ? error.retryAfter : undefined
      pause = Math.max(timing.pauseSeconds, limited ?? 0)
      log.warn(
        { entityId: activation.project_id, reason: nodeErrorText(error) },
        'an activation was interrupted; it will be taken up again',
      )
    }
    await releaseActivation(db, activation, pause).catch(() => undefined)
  }

  return startPlaces({
    places: concurrency,
    lease: (limit) => outage.of(leaseActivations(db, { owner, seconds, limit })),
    run: work,
    onEnd: context.onProgress,
    pauseMs: timing.idleMs,
    isDue: askForWork(db, hasDue, timing.restMs),
  })
}
