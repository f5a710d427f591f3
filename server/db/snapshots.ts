import type { Pipeline } from './pipeline.ts'

/**
 * States of the database as a whole. Two equal states hold exactly the same rows: Postgres' snapshot is the set of
 * transactions that are over, and the connection tells apart what a crash of the server might have counted twice.
 */
export interface Snapshots {
  /** The newest state known so far; undefined while none is. Reading after it was known reads that state or a later. */
  readonly seen: string | undefined
  /**
   * A state the database had after this call; undefined when it cannot be told. Calls while one question is under way
   * share the next one, so that any number of them cost one question a round trip.
   */
  now(): Promise<string | undefined>
}

const question = { name: 'snapshot', text: 'select pg_current_snapshot()::text as snapshot' }

/** Snapshots asked over `pipeline`. */
export function createSnapshots(pipeline: Pipeline): Snapshots {
  let asking: Promise<string | undefined> | undefined
  let following: Promise<string | undefined> | undefined
  let seen: string | undefined

  async function ask(): Promise<string | undefined> {
    const { connection } = pipeline
    try {
      const [row] = await pipeline.run<{ snapshot: string }>(question)
      seen = row && pipeline.connection === connection ? `${connection}/${row.snapshot}` : undefined
    } catch {
      seen = undefined
    }
    return seen
  }

  function begin(): Promise<string | undefined> {
    following = undefined
    asking = ask()
    const current = asking
    void current.then(() => {
      if (asking === current) asking = undefined
    })
    return current
  }

  return {
    get seen() {
      return seen
    },
    now() {
      if (!pipeline.ready) return Promise.resolve(undefined)
      if (!asking) return begin()
      following ??= asking.then(begin)
      return following
    },
  }
}
