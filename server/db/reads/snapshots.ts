import { setImmediate } from 'node:timers/promises'
import type { Pipeline } from './pipeline.ts'

/** A state of the whole database. Equal objects (by identity) are equal states. */
export interface State {
  /** The transactions that are over. */
  readonly snapshot: string
  /** The connection it was read on, because after a crash the server may reuse transaction numbers. */
  readonly connection: number
}

/** States of the whole database. Equal states hold the same rows: a snapshot is the set of finished transactions. */
export interface Snapshots {
  /** The newest state read so far, if any. A read that begins now returns rows of that state or a later one. */
  readonly seen: State | undefined
  /**
   * A state that the database had after this call; undefined when it cannot be read. Calls in one turn of the event
   * loop, and calls while a statement is running, share the next statement: one for each round trip at most.
   */
  now(): Promise<State | undefined>
}

const snapshotStatement = { name: 'snapshot', text: 'select pg_current_snapshot()::text as snapshot' }

/** Reads snapshots over `pipeline`. */
export function createSnapshots(pipeline: Pipeline): Snapshots {
  let seen: State | undefined
  let running: Promise<State | undefined> | undefined
  /** Not sent yet, so further calls may share it. */
  let next: Promise<State | undefined> | undefined

  async function read(): Promise<State | undefined> {
    const { connection } = pipeline
    try {
      const [row] = await pipeline.run<Pick<State, 'snapshot'>>(snapshotStatement)
      if (!row || pipeline.connection !== connection) seen = undefined
      else if (seen?.snapshot !== row.snapshot || seen.connection !== connection)
        seen = { ...row, connection }
    } catch {
      seen = undefined
    }
    running = undefined
    return seen
  }

  function send(): Promise<State | undefined> {
    next = undefined
    running = read()
    return running
  }

  return {
    get seen() {
      return seen
    },
    now() {
      if (!pipeline.ready) return Promise.resolve(undefined)
      next ??= (running ?? setImmediate()).then(send)
      return next
    },
  }
}
