import { randomUUID } from 'node:crypto'
import { nodeErrorText } from '../../chain/rpc-errors.ts'
import { LeaseLostError, whileRenewing } from '../../db/lease.ts'
import { traceWork } from '../events.ts'
import { createOutageReport } from '../outage-report.ts'
import type { Timing } from '../timing.ts'
import type { Worker } from '../transactions/worker.ts'
import { createWakeSignal } from '../wake-signal.ts'
import { type AdvanceContext, advance } from './advance.ts'
import { type Activation, leaseActivation, releaseActivation, renewActivation } from './store.ts'

/** Activations one process works on at a time: they spend their time waiting for the code host. */
const concurrency = 4

/** Starts the loop that takes activations from request to queued deploy. Any number of processes may run one. */
export function startActivations(
  context: AdvanceContext & { timing: Timing; onProgress: () => void },
): Worker {
  const { db, log, timing } = context
  const owner = randomUUID()
  const wakeSignal = createWakeSignal()
  const atWork = new Set<Promise<void>>()
  const outage = createOutageReport(log, {
    failing: 'could not look for activations; trying again',
    working: 'activations are looked for again',
  })
  let stopped = false

  /** One loop asks for all: with nothing to do that is one question a pause. */
  async function dispatch(): Promise<void> {
    const sleep = wakeSignal.createSleep()
    while (!stopped) {
      const activation = atWork.size < concurrency ? await leaseNext() : undefined
      if (activation) begin(activation)
      else if (!stopped) await sleep(timing.idleMs)
    }
  }

  function leaseNext(): Promise<Activation | undefined> {
    return outage.of(leaseActivation(db, owner, timing.activationLeaseSeconds))
  }

  function begin(activation: Activation): void {
    const ended = work(activation).finally(() => {
      atWork.delete(ended)
      wakeSignal.wake()
      context.onProgress()
    })
    atWork.add(ended)
  }

  async function work(activation: Activation): Promise<void> {
    let pause = 0
    const seconds = timing.activationLeaseSeconds
    const lease = { seconds, renew: () => renewActivation(db, activation, seconds) }
    try {
      await whileRenewing(lease, () => traceWork(activation.projectId, () => advance(context, activation)))
    } catch (error) {
      if (error instanceof LeaseLostError) return
      pause = timing.pauseSeconds
      log.warn(
        { entityId: activation.projectId, reason: nodeErrorText(error) },
        'an activation was interrupted; it will be taken up again',
      )
    }
    await releaseActivation(db, activation, pause).catch(() => undefined)
  }

  const loop = dispatch()
  return {
    wake: wakeSignal.wake,
    async stop() {
      stopped = true
      wakeSignal.wake()
      await loop
      await Promise.all(atWork)
    },
  }
}
