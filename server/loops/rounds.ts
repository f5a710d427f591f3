import { createWakeSignal } from './wake-signal.ts'

/** A loop that works until it is stopped. */
export interface Worker {
  /** Resolves when every lane has had its first tick, successful or not. */
  firstTick?: Promise<unknown>
  /** Starts the next round at once, because new work was stored. */
  wake(): void
  /** Ends the loop after the tick it is in, and releases its leases. */
  stop(): Promise<void>
}

/** Gets whether the loop is to end, for rounds of many steps. Resolves with true if there is more to do at once. */
type Round = (isStopped: () => boolean) => Promise<unknown>

/** What {@link startPlaces} runs. */
interface Places<Work> {
  /** How much work may run at once. */
  places: number
  /** Leases up to `limit` pieces of work; undefined where that failed, which it reports itself. */
  lease(limit: number): Promise<Work[] | undefined>
  /** Does one piece. Reports its own errors. */
  run(work: Work): Promise<void>
  /** Called when a piece has ended and its place is free. */
  onEnd(): void
  /** Between two searches for work, in ms. */
  pauseMs: number
}

/** Starts a loop that leases work for its free places: after a pause, when it is woken, and when a piece of work ends. */
export function startPlaces<Work>({ places, lease, run, onEnd, pauseMs }: Places<Work>): Worker {
  const atWork = new Set<Promise<void>>()
  const loop = startRounds(async () => {
    const free = places - atWork.size
    for (const work of (free > 0 && (await lease(free))) || []) {
      const ended = run(work).finally(() => {
        atWork.delete(ended)
        loop.wake()
        onEnd()
      })
      atWork.add(ended)
    }
  }, pauseMs)
  return {
    wake: loop.wake,
    async stop() {
      await loop.stop()
      await Promise.all(atWork)
    },
  }
}

/**
 * Starts a loop: it repeats `round`, with a pause unless there is more to do or it is woken, until it is stopped. A round
 * reports its own errors.
 * @param pauseMs between two rounds, in ms
 */
export function startRounds(round: Round, pauseMs: number): Worker {
  const wakeSignal = createWakeSignal()
  let stopped = false

  async function run(): Promise<void> {
    const sleep = wakeSignal.createSleep()
    while (!stopped) {
      const isMore = await round(() => stopped)
      if (!stopped && isMore !== true) await sleep(pauseMs)
    }
  }

  const loop = run()
  return {
    wake: wakeSignal.wake,
    async stop() {
      stopped = true
      wakeSignal.wake()
      await loop
    },
  }
}
