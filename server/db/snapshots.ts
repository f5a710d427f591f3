import { setImmediate } from 'node:timers/promises'
import type { Pipeline } from './pipeline.ts'

/**
 * States of the database as a whole. Two equal states hold exactly the same rows: Postgres' snapshot is the set of
 * transactions that are over, and the connection tells apart what a crash of the server might have counted twice.
 */
export interface Snapshots {
  /** The newest state known so far; undefined while none is. Reading after it was known reads that state or a later. */
  readonly seen: string | undefined
  /**
   * A state the database had after this call; undefined when it cannot be told. Calls in one turn of the event
   * loop, and while a question is under way, share the next one: any number of them cost one question a round trip.
   */
  now(): Promise<string | undefined>
}

const question = { name: 'snapshot', text: 'select pg_current_snapshot()::text as snapshot' }

/** Snapshots asked over `pipeline`. */
export function createSnapshots(pipeline: Pipeline): Snapshots {
  let seen: string | undefined
  let underway: Promise<string | undefined> | undefined
  /** Not sent yet, so whoever comes now may share it. */
  let gathering: Promise<string | undefined> | undefined

  async function ask(): Promise<string | undefined> {
    const { connection } = pipeline
    try {
      const [row] = await pipeline.run<{ snapshot: string }>(question)
      seen = row && pipeline.connection === connection ? `${connection}/${row.snapshot}` : undefined
    } catch {
      seen = undefined
    }
    underway = undefined
    return seen
  }

  function send(): Promise<string | undefined> {
    gathering = undefined
    underway = ask()
    return underway
  }

  return {
    get seen() {
      return seen
    },
    now() {
      if (!pipeline.ready) return Promise.resolve(undefined)
      gathering ??= (underway ?? setImmediate()).then(send)
      return gathering
    },
  }
}
