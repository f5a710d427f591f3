import { CompiledQuery } from 'kysely'
import type { Database } from './connect.ts'
import { openPipeline, type Pipeline, PipelineLost } from './pipeline.ts'
import type { PreparedStatement } from './prepared.ts'
import { createSnapshots, type Snapshots } from './snapshots.ts'

/** Where short single statements that read are run. */
export interface Reads {
  /** Rows of one statement. */
  run<Row>(statement: PreparedStatement<Row>): Promise<Row[]>
  /** Absent where the database's state as a whole cannot be told: without connections of their own. */
  snapshots: Snapshots | undefined
  close(): Promise<void>
}

const lanes = 2
const readMs = 10_000
const snapshotMs = 5_000

/** Reads over the pool of `db`. */
export function pooledReads(db: Database): Reads {
  return { run: (statement) => runPooled(db, statement), snapshots: undefined, close: async () => undefined }
}

/**
 * Reads over connections of their own to `url`, on which statements do not wait for each other's answers: more than
 * twice as many a second as over a pool. Where that is not possible — through a proxy, or while a connection is being
 * replaced — they go over the pool of `db`.
 */
export function pipelinedReads(url: string, db: Database): Reads {
  const pipelines = Array.from({ length: lanes }, () => openPipeline(url, { statementMs: readMs }))
  const asked = openPipeline(url, { statementMs: snapshotMs, gather: false })
  return {
    async run(statement) {
      const pipeline = shortest(pipelines)
      if (!pipeline) return runPooled(db, statement)
      try {
        return await pipeline.run(statement)
      } catch (error) {
        // A read may run twice.
        if (error instanceof PipelineLost) return runPooled(db, statement)
        throw error
      }
    },
    snapshots: createSnapshots(asked),
    async close() {
      await Promise.all([...pipelines, asked].map((pipeline) => pipeline.close()))
    },
  }
}

function shortest(pipelines: Pipeline[]): Pipeline | undefined {
  let best: Pipeline | undefined
  for (const pipeline of pipelines)
    if (pipeline.ready && (!best || pipeline.unanswered < best.unanswered)) best = pipeline
  return best
}

async function runPooled<Row>(db: Database, { text, values }: PreparedStatement<Row>): Promise<Row[]> {
  return (await db.executeQuery<Row>(CompiledQuery.raw(text, [...values]))).rows
}
