import { setTimeout as delay } from 'node:timers/promises'
import { within } from '../../config/time-limit.ts'
import type { PreparedStatement } from '../prepared.ts'
import { openPipeline, type Pipeline } from './pipeline.ts'
import { standbyProblem } from './replica-identity.ts'
import type { State } from './snapshots.ts'

/** Which server served a read: the replica, or the primary because the replica lagged behind or did not respond. */
export type Outcome = 'replica' | 'lagged' | 'down'

/** A streaming replica that serves reads of states it has replayed. */
export interface Replica {
  /** Rows of one read as of `state` or later; undefined when the primary has to serve it. */
  run<Row>(statement: PreparedStatement<Row>, state: State): Promise<Row[] | undefined>
  /** Calls of {@link Replica.run} so far. */
  readonly outcomes: Readonly<Record<Outcome, number>>
  /** Notifies at every change why the replica does not serve; undefined when it serves. */
  watch(notify: (problem: string | undefined) => void): void
  close(): Promise<void>
}

/** A connection to the replica. */
interface ReplicaConnection {
  pipeline: Pipeline
  /** The pair of connections for which it was found to lead to a standby of the primary. */
  verifiedFor: string | undefined
  problem: string | undefined
  /** Why the last server that it led to is no standby of the primary; such a connection is given up. */
  refused: string | undefined
}

/** A failure of the replica, and until when reads go to the primary at once. */
interface Backoff {
  outcome: Outcome
  since: number
  until: number
}

const connectionCount = 2
const statementMs = 2_000
/** A read waits this long for the replica, and then goes to the primary. */
const longestReadMs = 500
/** Pauses before further attempts on a replica that lags behind; it replays most commits in this time. */
const catchUpMs = [0, 2, 4, 8]
/** After a failure one read in this time tries the replica; all others go to the primary at once. */
const retryMs = 100
const checkMs = 500
const startMs = 3_000
/** It is reported as lagging or down after this time. */
const reportAfterMs = 5_000

/*
 * The primary writes a commit's log record before the commit becomes visible to snapshots. So all commits in a snapshot
 * lie before the insert position read with it, flushed or not. A standby moves its replay position after it has applied
 * a record, so a snapshot taken after the position was read shows the commit. This takes two statements, because the
 * snapshot of a statement is older than its results; on one connection the second begins after the first has ended. A
 * promoted server keeps its last replay position forever, so the statement also checks that it is still in recovery.
 */
const reached = {
  name: 'replayed',
  text: 'select pg_is_in_recovery() and pg_last_wal_replay_lsn() >= $1::pg_lsn as yes',
}

/** Connects to the replica at `url` and stays connected. `primary` is the connection on which states are read. */
export function openReplica(url: string, primary: Pipeline): Replica {
  const connections: ReplicaConnection[] = Array.from({ length: connectionCount }, () => ({
    pipeline: openPipeline(url, { statementMs, mayBeStandby: true }),
    verifiedFor: undefined,
    problem: undefined,
    refused: undefined,
  }))
  const outcomes: Record<Outcome, number> = { replica: 0, lagged: 0, down: 0 }
  let backoff: Backoff | undefined

  function choose(state: State): ReplicaConnection | undefined {
    let best: ReplicaConnection | undefined
    for (const connection of connections) {
      const { pipeline, verifiedFor } = connection
      const isVerified = pipeline.ready && verifiedFor === pairOf(state.connection, pipeline)
      if (isVerified && (!best || pipeline.pending < best.pipeline.pending)) best = connection
    }
    return best
  }

  function count(outcome: Outcome): void {
    outcomes[outcome]++
    const now = performance.now()
    if (outcome === 'replica') backoff = undefined
    else backoff = { outcome, since: backoff?.since ?? now, until: now + retryMs }
  }

  async function run<Row>(statement: PreparedStatement<Row>, state: State): Promise<Row[] | undefined> {
    const now = performance.now()
    if (backoff && now < backoff.until) {
      outcomes[backoff.outcome]++
      return undefined
    }
    if (backoff) backoff.until = now + retryMs
    const connection = choose(state)
    const result: Row[] | Outcome =
      connection && state.position !== undefined
        ? await within(longestReadMs, read(connection, statement, state.position), () => 'down' as const)
        : 'down'
    if (typeof result === 'string') return void count(result)
    count('replica')
    return result
  }

  const watching = watchConnections(connections, primary, () => backoff)
  return {
    run,
    outcomes,
    watch: watching.watch,
    async close() {
      watching.stop()
      await Promise.all(connections.map(({ pipeline }) => pipeline.close()))
    },
  }
}

/** Rows if the replica has reached `position`. Never throws, because the primary can serve the read after any failure. */
async function read<Row>(
  { pipeline }: ReplicaConnection,
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

const pairOf = (primary: number, { connection }: Pipeline) => `${primary}/${connection}`

/** Verifies to which server new connections lead, and notifies when the replica begins or ceases to serve. */
function watchConnections(
  connections: ReplicaConnection[],
  primary: Pipeline,
  backoff: () => Backoff | undefined,
): { watch: Replica['watch']; stop(): void } {
  const startedAt = performance.now()
  const listeners: ((problem: string | undefined) => void)[] = []
  let reported: { problem: string | undefined } | undefined
  let isChecking = false

  async function verify(connection: ReplicaConnection): Promise<void> {
    const { pipeline } = connection
    const pair = pairOf(primary.connection, pipeline)
    if (!pipeline.ready)
      connection.problem = connection.refused ?? 'it cannot be reached, or only through a proxy'
    else if (!primary.ready) connection.problem = 'the primary cannot be reached, or only through a proxy'
    else if (connection.verifiedFor !== pair) {
      connection.problem = await standbyProblem(primary, pipeline)
      // The results belong to this pair only if neither connection was lost or replaced meanwhile.
      const isCertain = primary.ready && pipeline.ready && pair === pairOf(primary.connection, pipeline)
      connection.verifiedFor = isCertain && connection.problem === undefined ? pair : undefined
      if (isCertain) connection.refused = connection.problem
      if (isCertain && connection.problem !== undefined) pipeline.reconnect()
    }
  }

  function problem(): string | undefined {
    if (connections.every((each) => each.problem !== undefined)) return connections[0]?.problem
    const failing = backoff()
    if (!failing || performance.now() - failing.since < reportAfterMs) return undefined
    return failing.outcome === 'lagged' ? 'it lags behind the primary' : 'it does not respond in time'
  }

  async function check(): Promise<void> {
    await Promise.all(connections.map(verify))
    const now = problem()
    if (!reported && now !== undefined && performance.now() - startedAt < startMs) return
    if (!reported && now === undefined && connections.every(({ verifiedFor }) => verifiedFor === undefined))
      return
    if (reported && reported.problem === now) return
    reported = { problem: now }
    for (const notify of listeners) notify(now)
  }

  const timer = setInterval(() => {
    if (isChecking) return
    isChecking = true
    void check().finally(() => {
      isChecking = false
    })
  }, checkMs)
  timer.unref()
  return {
    watch(notify) {
      listeners.push(notify)
      if (reported) notify(reported.problem)
    },
    stop: () => clearInterval(timer),
  }
}
