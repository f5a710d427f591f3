import { setImmediate } from 'node:timers/promises'
import type { Pipeline } from './pipeline.ts'

/** A state of the database as a whole. The same object is the same state. */
export interface State {
  /** The transactions that are over. */
  readonly snapshot: string
  /** The connection it was asked on: tells apart what a crash of the server might have counted twice. */
  readonly connection: number
  /** A position in the write-ahead log before which all its commits lie, where replicas want to know. */
  readonly position?: string
}

/**
 * States of the database as a whole. Two equal states hold exactly the same rows: Postgres' snapshot is the set of
 * transactions that are over.
 */
export interface Snapshots {
  /** The newest state known so far; undefined while none is. Reading after it was known reads that state or a later. */
  readonly seen: State | undefined
  /**
   * A state the database had after this call; undefined when it cannot be told. Calls in one turn of the event
   * loop, and while a question is under way, share the next one: any number of them cost one question a round trip.
   */
  now(): Promise<State | undefined>
}

const question = { name: 'snapshot', text: 'select pg_current_snapshot()::text as snapshot' }
const positionQuestion = {
  name: 'position',
  text: `${question.text}, pg_current_wal_insert_lsn()::text as position`,
}

/** Snapshots asked over `pipeline`, `withPositions` also where their commits lie in the write-ahead log. */
export function createSnapshots(pipeline: Pipeline, { withPositions = false } = {}): Snapshots {
  const asked = withPositions ? positionQuestion : question
  let seen: State | undefined
  let underway: Promise<State | undefined> | undefined
  /** Not sent yet, so whoever comes now may share it. */
  let gathering: Promise<State | undefined> | undefined

  async function ask(): Promise<State | undefined> {
    const { connection } = pipeline
    try {
      const [row] = await pipeline.run<Pick<State, 'snapshot' | 'position'>>(asked)
      if (!row || pipeline.connection !== connection) seen = undefined
      // While the snapshot is the same nothing was committed, and the position first seen with it goes on being late
      // enough: log that no commit wrote keeps no replica from answering.
      else if (seen?.snapshot !== row.snapshot || seen.connection !== connection)
        seen = { ...row, connection }
    } catch {
      seen = undefined
    }
    underway = undefined
    return seen
  }

  function send(): Promise<State | undefined> {
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
