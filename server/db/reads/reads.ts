import type { Database } from '../client.ts'
import { type PreparedStatement, runOn } from '../prepared.ts'
import { openPipeline, type Pipeline, PipelineLost } from './pipeline.ts'
import { openReplica, type Replica } from './replica.ts'
import { createSnapshots, type Snapshots, type State } from './snapshots.ts'
import { createVersions, type VersionOf, type VersionsOf } from './versions.ts'

/** Where short single statements that read are run. */
export interface Reads {
  /** Rows of one statement. */
  run<Row>(statement: PreparedStatement<Row>): Promise<Row[]>
  /** Absent where the database's state as a whole cannot be told: without connections of their own. */
  snapshots: Snapshots | undefined
  /** Versions of single rows, where {@link Reads.snapshots} are. */
  versions?(versionsOf: VersionsOf): VersionOf
  /** The same, where a replica that has all commits of `state` may answer; absent without a replica. */
  since?(state: State): Reads
  /** For those who watch it. */
  replica?: Pick<Replica, 'outcomes' | 'watch'>
  close(): Promise<void>
}

const readMs = 10_000
const snapshotMs = 5_000

/** Reads over the pool of `db`. */
export function pooledReads(db: Database): Reads {
  return { run: (statement) => runOn(db, statement), snapshots: undefined, close: async () => undefined }
}

/**
 * Reads over connections of their own to `url`, on which statements do not wait for each other's answers: more than
 * twice as many a second as over a pool. Where that is not possible — through a proxy, or while a connection is being
 * replaced — they go over the pool of `db`. `replicaUrl` is that of a streaming replica, if there is one.
 */
export function pipelinedReads(url: string, db: Database, replicaUrl?: string): Reads {
  const first = openPipeline(url, { statementMs: readMs })
  const pipelines = [first, openPipeline(url, { statementMs: readMs })]
  const asked = openPipeline(url, { statementMs: snapshotMs, gather: false })
  const replica = replicaUrl === undefined ? undefined : openReplica(replicaUrl, asked)
  const snapshots = createSnapshots(asked, { withPositions: replica !== undefined })
  const reads: Reads = {
    async run(statement) {
      const pipeline = shortest(pipelines)
      if (!pipeline) return runOn(db, statement)
      try {
        return await pipeline.run(statement)
      } catch (error) {
        // A read may run twice.
        if (error instanceof PipelineLost) return runOn(db, statement)
        throw error
      }
    },
    snapshots,
    versions: (versionsOf) => createVersions(first, versionsOf),
    async close() {
      await Promise.all([...pipelines, asked, ...(replica ? [replica] : [])].map((part) => part.close()))
    },
  }
  return replica ? withReplica(reads, replica, snapshots) : reads
}

function withReplica(reads: Reads, replica: Replica, snapshots: Snapshots): Reads {
  return {
    ...reads,
    // What a replica has to have reached is only known from a state asked for after the request came.
    snapshots: { seen: undefined, now: snapshots.now },
    since: (state) => ({
      ...reads,
      run: async (statement) => (await replica.run(statement, state)) ?? reads.run(statement),
    }),
    replica,
  }
}

function shortest(pipelines: Pipeline[]): Pipeline | undefined {
  let best: Pipeline | undefined
  for (const pipeline of pipelines)
    if (pipeline.ready && (!best || pipeline.unanswered < best.unanswered)) best = pipeline
  return best
}
