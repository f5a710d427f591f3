import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { Database } from '../db/connect.ts'
import { nodeErrorText } from '../transactions/answers.ts'
import { createBell, type Pace, type Worker } from '../transactions/worker.ts'
import { type AdvanceContext, advance } from './advance.ts'
import { type Activation, ActivationLostError, claimActivation, releaseClaim } from './store.ts'

/** Longer than a code host and a chain may take to answer; after it another process takes the activation over. */
const claimSeconds = 60
/** Pause before an activation that met a dead chain or database is taken up again. */
const pauseSeconds = 2
/** Activations one process works on at a time: they spend their time waiting for the code host. */
const concurrency = 4

/** Starts the loops that take activations from request to queued deploy. Any number of processes may run them. */
export function startActivations(
  context: AdvanceContext & { pace: Pace; onProgress: () => void; db: Database; log: Logger },
): Worker {
  const owner = randomUUID()
  const stopping = new AbortController()
  const bell = createBell(stopping.signal)

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const activation = await claimActivation(context.db, owner, claimSeconds).catch((error) => {
        context.log.warn({ reason: nodeErrorText(error) }, 'could not look for activations; trying again')
        return undefined
      })
      if (activation) await work(activation)
      else await bell.wait(context.pace.idleMs)
    }
  }

  async function work(activation: Activation): Promise<void> {
    let pause = 0
    try {
      await advance(context, activation)
    } catch (error) {
      if (error instanceof ActivationLostError) return
      pause = pauseSeconds
      context.log.warn(
        { project: activation.projectId, reason: nodeErrorText(error) },
        'an activation was interrupted; it will be taken up again',
      )
    }
    await releaseClaim(context.db, activation, pause).catch(() => undefined)
    context.onProgress()
  }

  const loops = Array.from({ length: concurrency }, run)
  return {
    nudge: bell.ring,
    async stop() {
      stopping.abort()
      await Promise.all(loops)
    },
  }
}
