import { createWakeSignal, type WakeSignal } from './wake-signal.ts'

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
  isDue?: IsDue
}

/** Whether there may be work for a loop. */
type IsDue = () => Promise<boolean>

/** Starts a loop that leases work for its free places: after a pause, when it is woken, and when a piece of work ends. */
export function startPlaces<Work>({ places, lease, run, onEnd, pauseMs, isDue }: Places<Work>): Worker {
  const atWork = new Set<Promise<void>>()
  const loop = startRounds(fillPlaces, pauseMs, isDue)

  async function fillPlaces(): Promise<void> {
    const free = places - atWork.size
    for (const work of (free > 0 && (await lease(free))) || []) {
      const ended = run(work).finally(() => {
        atWork.delete(ended)
        loop.wake()
        onEnd()
      })
      atWork.add(ended)
    }
  }

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
 * @param isDue asked after a pause: another one follows where there is no work. Default: a round follows each pause
 */
export function startRounds(round: Round, pauseMs: number, isDue?: IsDue): Worker {
  const wakeSignal = createWakeSignal()
  let stopped = false

  async function run(): Promise<void> {
    const sleep = wakeSignal.createSleep()
    while (!stopped) {
      const isMore = await round(() => stopped)
      if (stopped || isMore === true) continue
      await (isDue ? untilWork(sleep, pauseMs, isDue) : sleep(pauseMs))
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

/** Sleeps until a loop is woken or, after a pause, there is work. Such pauses end together, so that all loops ask together. */
export async function untilWork(
  sleep: ReturnType<WakeSignal['createSleep']>,
  pauseMs: number,
  isDue: IsDue,
): Promise<void> {
  let isWoken: boolean
  do isWoken = await sleep(pauseMs - (performance.now() % pauseMs))
  while (!isWoken && !(await isDue()))
}
