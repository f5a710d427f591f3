import type { Random } from '../seeding/random.ts'

/** What a process of the simulation waits for: it gets the function that lets it go on. */
export type Pause = (resume: () => void) => void
/** A process of the simulation: it yields what it waits for. */
export type Process = Generator<Pause, void, void>

interface Entry {
  time: number
  run: () => void
}

/** Events in the order of their time, in seconds. */
export class Simulation {
  now = 0
  /** A binary heap: the entry at `i` is never later than those at `2i + 1` and `2i + 2`. */
  private readonly heap: Entry[] = []

  at(time: number, run: () => void): void {
    const { heap } = this
    let index = heap.push({ time, run }) - 1
    while (index > 0) {
      const parent = (index - 1) >> 1
      if ((heap[parent] as Entry).time <= time) break
      heap[index] = heap[parent] as Entry
      index = parent
    }
    heap[index] = { time, run }
  }

  /** Lets a process run until it is over. */
  start(process: Process): void {
    const { value, done } = process.next()
    if (!done) value(() => this.start(process))
  }

  /** Waits so many seconds. */
  delay(seconds: number): Pause {
    return (resume) => this.at(this.now + seconds, resume)
  }

  /** Runs all events until `end`. */
  run(end: number): void {
    for (let entry = this.next(); entry && entry.time <= end; entry = this.next()) {
      this.now = entry.time
      entry.run()
    }
  }

  private next(): Entry | undefined {
    const { heap } = this
    const [first] = heap
    const last = heap.pop()
    if (!last || heap.length === 0) return first
    let index = 0
    for (;;) {
      let child = 2 * index + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && (heap[child + 1] as Entry).time < (heap[child] as Entry).time) child++
      if ((heap[child] as Entry).time >= last.time) break
      heap[index] = heap[child] as Entry
      index = child
    }
    heap[index] = last
    return first
  }
}

/** Places that are taken in the order of arrival. It records how long each waited, in seconds. */
export class Station {
  readonly waits: { at: number; seconds: number }[] = []
  private taken = 0
  private readonly queue: { at: number; resume: () => void }[] = []
  private readonly simulation: Simulation
  private readonly places: number

  constructor(simulation: Simulation, places: number) {
    this.simulation = simulation
    this.places = places
  }

  /** Waits for a place. */
  enter(): Pause {
    return (resume) => {
      const at = this.simulation.now
      if (this.taken < this.places) {
        this.taken++
        this.waits.push({ at, seconds: 0 })
        resume()
      } else this.queue.push({ at, resume })
    }
  }

  leave(): void {
    const next = this.queue.shift()
    if (!next) {
      this.taken--
      return
    }
    this.waits.push({ at: next.at, seconds: this.simulation.now - next.at })
    next.resume()
  }

  /** Takes a place for some seconds. */
  *use(seconds: number): Process {
    yield this.enter()
    yield this.simulation.delay(seconds)
    this.leave()
  }
}

/** A budget that fills up at an even rate and holds `burst` at most, as those of a code host. */
export class Budget {
  readonly waits: { at: number; seconds: number }[] = []
  /** When it would be full again. */
  private fullAt = Number.NEGATIVE_INFINITY
  private readonly simulation: Simulation
  private readonly perSecond: number
  private readonly burst: number

  constructor(simulation: Simulation, perSecond: number, burst: number) {
    this.simulation = simulation
    this.perSecond = perSecond
    this.burst = burst
  }

  /** Takes `amount` as soon as it is there, in the order of asking. */
  take(amount: number): Pause {
    return (resume) => {
      const { now } = this.simulation
      this.fullAt = Math.max(this.fullAt, now) + amount / this.perSecond
      const seconds = Math.max(0, this.fullAt - now - this.burst / this.perSecond)
      this.waits.push({ at: now, seconds })
      this.simulation.at(now + seconds, resume)
    }
  }
}

/** Seconds until the next event of a Poisson process. */
export const nextArrival = (random: Random, perSecond: number): number =>
  -Math.log(1 - random.next()) / perSecond
