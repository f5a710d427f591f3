import DataLoader from 'dataloader'
import { sql } from 'kysely'
import type { PreparedStatement } from '../prepared.ts'
import type { Pipeline } from './pipeline.ts'

/** A statement that returns the version of each entity with one of these ids; no row for an unknown id. */
export type VersionsOf = (input: { ids: readonly string[] }) => PreparedStatement<{
  id: string
  /** Changes whenever a row of the entity is written. */
  version: string
}>

/** Reads the version that an entity has after the call; undefined when it cannot be read. Calls in one turn share a statement. */
export type VersionOf = (id: string) => Promise<string | undefined>

/** Version of a row: the number of the transaction that wrote it, and its place in the table. */
export const rowVersion = sql<string>`concat(xmin, ctid)`

/** Reads versions over `pipeline`. Those of two connections differ, because a crash in between may repeat numbers. */
export function createVersions(pipeline: Pipeline, versionsOf: VersionsOf): VersionOf {
  const loader = new DataLoader<string, string | undefined>(
    async (ids) => {
      const { connection } = pipeline
      const rows = await pipeline.run<{ id: string; version: string }>(versionsOf({ ids }))
      const versions = new Map(rows.map(({ id, version }) => [id, `${connection} ${version}`]))
      return ids.map((id) => (pipeline.connection === connection ? versions.get(id) : undefined))
    },
    { cache: false, maxBatchSize: 100 },
  )
  return (id) => loader.load(id).catch(() => undefined)
}
