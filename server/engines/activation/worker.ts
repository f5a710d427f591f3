import { randomUUID } from 'node:crypto'
import { nodeErrorText } from '../../chain/rpc-errors.ts'
import { workFor } from '../events.ts'
import type { Pace } from '../timing.ts'
import { createBell } from '../transactions/wake-signal.ts'
import type { Worker } from '../transactions/worker.ts'
import { type AdvanceContext, advance } from './advance.ts'
import { type Activation, ActivationLostError, claimActivation, releaseClaim, renewClaim } from './store.ts'

/** Activations one process works on at a time: they spend their time waiting for the code host. */
const concurrency = 4

/** Starts the loop that takes activations from request to queued deploy. Any number of processes may run one. */
export function startActivations(context: AdvanceContext & { pace: Pace; onProgress: () => void }): Worker {
  const { db, log, pace } = context
  const owner = randomUUID()
  const bell = createBell()
  const atWork = new Set<Promise<void>>()
  let stopped = false

  /** One loop asks for all: with nothing to do that is one question a pause. */
  async function dispatch(): Promise<void> {
    const sleep = bell.listen()
    while (!stopped) {
      const activation = atWork.size < concurrency ? await claim() : undefined
      if (activation) begin(activation)
      else if (!stopped) await sleep(pace.idleMs)
    }
  }

  function claim(): Promise<Activation | undefined> {
    return claimActivation(db, owner, pace.claimSeconds).catch((error) => {
      log.warn({ reason: nodeErrorText(error) }, 'could not look for activations; trying again')
      return undefined
    })
  }

  function begin(activation: Activation): void {
    const ended = work(activation).finally(() => {
      atWork.delete(ended)
      bell.ring()
      context.onProgress()
    })
    atWork.add(ended)
  }

  async function work(activation: Activation): Promise<void> {
    let pause = 0
    const renewal = setInterval(
      () => renewClaim(db, activation, pace.claimSeconds).catch(() => undefined),
      pace.claimSeconds * 333,
    )
    try {
      await workFor(activation.projectId, () => advance(context, activation))
    } catch (error) {
      if (error instanceof ActivationLostError) return
      pause = pace.pauseSeconds
      log.warn(
        { project: activation.projectId, reason: nodeErrorText(error) },
        'an activation was interrupted; it will be taken up again',
      )
    } finally {
      clearInterval(renewal)
    }
    await releaseClaim(db, activation, pause).catch(() => undefined)
  }

  const loop = dispatch()
  return {
    nudge: bell.ring,
    async stop() {
      stopped = true
      bell.ring()
      await loop
      await Promise.all(atWork)
    },
  }
}
