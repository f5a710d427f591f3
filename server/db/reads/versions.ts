import DataLoader from 'dataloader'
import { sql } from 'kysely'
import type { PreparedStatement } from '../prepared.ts'
import type { Pipeline } from './pipeline.ts'

/** A statement that tells the versions of what has these ids; nothing of an id that is not there. */
export type VersionsOf = (input: { ids: readonly string[] }) => PreparedStatement<{
  id: string
  /** Another text once any row it stands for was written. */
  version: string
}>

/**
 * The version of what has this id, asked for after this call; undefined when it cannot be told. Calls in one turn of
 * the event loop share one statement.
 */
export type VersionOf = (id: string) => Promise<string | undefined>

/** The version of the row at hand: Postgres gives each a place and the number of the transaction that wrote it. */
export const rowVersion = sql<string>`concat(xmin, ctid)`

/** Versions asked over `pipeline`. Of two connections they are never equal: a crash in between may repeat numbers. */
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
