import type { Database } from '../client.ts'
import { type PreparedStatement, runOn } from '../prepared.ts'
import { openPipeline, type Pipeline, PipelineLost } from './pipeline.ts'
import { createSnapshots, type Snapshots } from './snapshots.ts'
import { createVersions, type VersionOf, type VersionsOf } from './versions.ts'

/** Runs short single statements that read. */
export interface Reads {
  /** Rows of one statement. */
  run<Row>(statement: PreparedStatement<Row>): Promise<Row[]>
  /** Absent without connections of their own: then the state of the database cannot be read. */
  snapshots: Snapshots | undefined
  /** Versions of single entities, where {@link Reads.snapshots} are. */
  versions?(versionsOf: VersionsOf): VersionOf
  close(): Promise<void>
}

const readMs = 10_000
const snapshotMs = 5_000

/** Reads over the pool of `db`. */
export function pooledReads(db: Database): Reads {
  return { run: (statement) => runOn(db, statement), snapshots: undefined, close: async () => undefined }
}

/**
 * Reads over connections of their own to `url`, on which statements do not wait for each other's results: more than
 * twice as many a second as over a pool. They use the pool of `db` through a proxy and while a connection is replaced.
 */
export function pipelinedReads(url: string, db: Database): Reads {
  const first = openPipeline(url, { statementMs: readMs })
  const pipelines = [first, openPipeline(url, { statementMs: readMs })]
  const forSnapshots = openPipeline(url, { statementMs: snapshotMs, batch: false })
  return {
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
    snapshots: createSnapshots(forSnapshots),
    versions: (versionsOf) => createVersions(first, versionsOf),
    async close() {
      await Promise.all([...pipelines, forSnapshots].map((part) => part.close()))
    },
  }
}

function shortest(pipelines: Pipeline[]): Pipeline | undefined {
  let best: Pipeline | undefined
  for (const pipeline of pipelines)
    if (pipeline.ready && (!best || pipeline.pending < best.pending)) best = pipeline
  return best
}
