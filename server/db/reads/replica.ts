import { setTimeout as delay } from 'node:timers/promises'
import type { PreparedStatement } from '../prepared.ts'
import { openPipeline, type Pipeline } from './pipeline.ts'
import { standbyProblem } from './replica-identity.ts'
import type { State } from './snapshots.ts'

/** Who answered a read that a replica might have: it, or the primary because it had not caught up or did not answer. */
export type Outcome = 'replica' | 'lagged' | 'down'

/** A streaming replica that may answer what it has caught up with. */
export interface Replica {
  /** Rows of one statement that reads, as of `state` or later; undefined where the primary has to be asked. */
  run<Row>(statement: PreparedStatement<Row>, state: State): Promise<Row[] | undefined>
  /** Calls of {@link Replica.run} so far. */
  readonly outcomes: Readonly<Record<Outcome, number>>
  /** Tells at every change what keeps the replica from serving; undefined when it serves. */
  watch(tell: (problem: string | undefined) => void): void
  close(): Promise<void>
}

/** One connection, and for which connections of both servers it is known to lead to a standby of the primary. */
interface Lane {
  pipeline: Pipeline
  knownFor: string | undefined
  problem: string | undefined
}

const lanes = 2
const statementMs = 2_000
/** Longest a read waits for the replica before the primary is asked. */
const answerMs = 500
/** Pauses after which a replica that is behind is asked again; most commits are there by then. */
const catchUpMs = [0, 2, 4, 8]
/** While it does not serve, one read in this time tries it; all others go to the primary at once. */
const retryMs = 100
const lookMs = 500
const startMs = 3_000
/** How long it has to be behind, or silent, before that is said. */
const sayAfterMs = 5_000

/*
 * A commit is acknowledged after its record is in the write-ahead log and after it is visible to snapshots, so
 * what the primary's snapshot shows lies before the insert position read with it, flushed or not. A standby moves
 * its replay position on after it has applied a record, which for a commit includes taking the transaction off those
 * that run: a snapshot taken after the position was read shows it. That takes two statements, since the snapshot of
 * one is older than whatever it calculates; on one connection the second begins after the first has ended. A server
 * that was promoted keeps its last replay position for ever, hence the question whether it is still in recovery.
 */
const reached = {
  name: 'replayed',
  text: 'select pg_is_in_recovery() and pg_last_wal_replay_lsn() >= $1::pg_lsn as yes',
}

/** Connects to the replica at `url` and stays connected. `primary` is the connection that states are asked on. */
export function openReplica(url: string, primary: Pipeline): Replica {
  const open: Lane[] = Array.from({ length: lanes }, () => ({
    pipeline: openPipeline(url, { statementMs }),
    knownFor: undefined,
    problem: undefined,
  }))
  const outcomes: Record<Outcome, number> = { replica: 0, lagged: 0, down: 0 }
  let resting: { as: Outcome; since: number; until: number } | undefined

  function choose(state: State): Lane | undefined {
    let best: Lane | undefined
    for (const lane of open) {
      const { pipeline, knownFor } = lane
      const isKnown = pipeline.ready && knownFor === pairOf(state.connection, pipeline)
      if (isKnown && (!best || pipeline.unanswered < best.pipeline.unanswered)) best = lane
    }
    return best
  }

  function note(outcome: Outcome): void {
    outcomes[outcome]++
    const now = performance.now()
    if (outcome === 'replica') resting = undefined
    else resting = { as: outcome, since: resting?.since ?? now, until: now + retryMs }
  }

  async function run<Row>(statement: PreparedStatement<Row>, state: State): Promise<Row[] | undefined> {
    const now = performance.now()
    if (resting && now < resting.until) {
      outcomes[resting.as]++
      return undefined
    }
    if (resting) resting.until = now + retryMs
    const lane = choose(state)
    const answer: Row[] | Outcome =
      lane && state.position !== undefined
        ? await inTime(() => ask(lane, statement, state.position as string))
        : 'down'
    if (typeof answer === 'string') return void note(answer)
    note('replica')
    return answer
  }

  const watching = watchSigners(open, primary, () => resting)
  return {
    run,
    outcomes,
    watch: watching.watch,
    async close() {
      watching.stop()
      await Promise.all(open.map(({ pipeline }) => pipeline.close()))
    },
  }
}

/** Rows where the replica has reached `position`; never throws, since the primary can be asked whatever it was. */
async function ask<Row>(
  { pipeline }: Lane,
  statement: PreparedStatement<Row>,
  position: string,
): Promise<Row[] | Outcome> {
  const { connection } = pipeline
  try {
    for (const pause of catchUpMs) {
      if (pause > 0) await delay(pause)
      if (pipeline.connection !== connection) return 'down'
      const [[is], rows] = await Promise.all([
        pipeline.run<{ yes: boolean | null }>({ ...reached, values: [position] }),
        pipeline.run<Row>(statement),
      ])
      if (is?.yes) return rows
    }
    return 'lagged'
  } catch {
    return 'down'
  }
}

async function inTime<Row>(work: () => Promise<Row[] | Outcome>): Promise<Row[] | Outcome> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<Outcome>((resolve) => {
    timer = setTimeout(resolve, answerMs, 'down')
  })
  const answer = await Promise.race([work(), late])
  clearTimeout(timer)
  return answer
}

const pairOf = (primary: number, { connection }: Pipeline) => `${primary}/${connection}`

/** Finds out to what new connections lead, and tells when the replica begins or ceases to serve. */
function watchSigners(
  open: Lane[],
  primary: Pipeline,
  resting: () => { as: Outcome; since: number } | undefined,
): { watch: Replica['watch']; stop(): void } {
  const startedAt = performance.now()
  const tells: ((problem: string | undefined) => void)[] = []
  let told: { problem: string | undefined } | undefined
  let isLooking = false

  async function identifyLane(lane: Lane): Promise<void> {
    const { pipeline } = lane
    const pair = pairOf(primary.connection, pipeline)
    if (!pipeline.ready) lane.problem = 'it cannot be reached, or only through a proxy'
    else if (!primary.ready) lane.problem = 'the primary cannot be asked, or only through a proxy'
    else if (lane.knownFor !== pair) {
      lane.problem = await standbyProblem(primary, pipeline)
      // Which connections the answers came over is only certain where both are still the same.
      const isCertain = pair === pairOf(primary.connection, pipeline)
      lane.knownFor = isCertain && lane.problem === undefined ? pair : undefined
    }
  }

  function problem(): string | undefined {
    if (open.every((lane) => lane.problem !== undefined)) return open[0]?.problem
    const rest = resting()
    if (!rest || performance.now() - rest.since < sayAfterMs) return undefined
    return rest.as === 'lagged' ? 'it has not caught up for some time' : 'it does not answer in time'
  }

  async function look(): Promise<void> {
    await Promise.all(open.map(identifyLane))
    const now = problem()
    if (!told && now !== undefined && performance.now() - startedAt < startMs) return
    if (!told && now === undefined && open.every(({ knownFor }) => knownFor === undefined)) return
    if (told && told.problem === now) return
    told = { problem: now }
    for (const tell of tells) tell(now)
  }

  const timer = setInterval(() => {
    if (isLooking) return
    isLooking = true
    void look().finally(() => {
      isLooking = false
    })
  }, lookMs)
  timer.unref()
  return {
    watch(tell) {
      tells.push(tell)
      if (told) tell(told.problem)
    },
    stop: () => clearInterval(timer),
  }
}
