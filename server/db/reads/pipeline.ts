import pg from 'pg'
import { Client, connectionSettings, prepareConnection, socketOf } from '../client.ts'
import { hasStaleStatements, isDirectConnection } from '../direct-connection.ts'

/** A statement with its values. With a name, each connection parses and plans it once. */
export interface Statement {
  name?: string | undefined
  text: string
  values?: readonly unknown[]
}

/** Options of {@link openPipeline}. */
export interface PipelineOptions {
  /** The server ends a statement after this long. */
  statementMs: number
  /** Whether all statements of one turn of the event loop are sent in one packet; default true. */
  batch?: boolean
}

/**
 * One connection that sends statements without waiting for the results of earlier ones. Each statement is a transaction
 * of its own. A slow one delays all later ones, so it is for short statements only.
 */
export interface Pipeline {
  /** Whether it accepts statements now. Never true through a proxy, which may send each over another connection. */
  readonly ready: boolean
  /** Statements sent whose results have not arrived. */
  readonly pending: number
  /** Number of the connection; grows with each reconnection. */
  readonly connection: number
  /** @throws errors of Postgres, and {@link PipelineLost} when the connection broke before the result. */
  run<Row>(statement: Statement): Promise<Row[]>
  close(): Promise<void>
}

/** There is no connection, or it broke before the result. The statement may have run. */
export class PipelineLost extends Error {
  override readonly name = 'PipelineLost'
}

/**
 * The statements read few rows by an index. They are planned once, before size and offset of a page are known. The planner
 * would assume a tenth of the table and choose to read all of it.
 */
export const indexesOnly = `set plan_cache_mode = force_generic_plan; set enable_seqscan = off;
  set enable_bitmapscan = off; set enable_hashjoin = off; set enable_mergejoin = off; set jit = off`

const graceMs = 5_000
const watchMs = 1_000
const shortestPauseMs = 100
const longestPauseMs = 2_000

/** Opens a pipeline to `url` and keeps it open: a connection that breaks or falls silent is replaced. */
export function openPipeline(url: string, options: PipelineOptions): Pipeline {
  let link: Link | undefined
  let connections = 0
  let pauseMs = shortestPauseMs
  let timer: NodeJS.Timeout | undefined
  let closed = false

  async function connect(): Promise<void> {
    const next = createLink(url, options)
    try {
      const isDirect = await next.open()
      if (closed || !isDirect) return await next.end()
      connections++
      link = next
      pauseMs = shortestPauseMs
      await next.lost
    } catch {
      // Every failure is followed by another attempt. Callers use the pool meanwhile.
    }
    link = undefined
    next.destroy()
    if (closed) return
    timer = setTimeout(start, pauseMs)
    timer.unref()
    pauseMs = Math.min(pauseMs * 2, longestPauseMs)
  }
  let connecting = Promise.resolve()
  const start = () => {
    connecting = connect()
  }
  start()
  return {
    get ready() {
      return link !== undefined
    },
    get pending() {
      return link?.pending ?? 0
    },
    get connection() {
      return connections
    },
    run: (statement) => link?.run(statement) ?? Promise.reject(new PipelineLost('not connected')),
    async close() {
      closed = true
      clearTimeout(timer)
      const open = link
      await open?.end()
      if (!open) await connecting
    },
  }
}

/** One connection, from its opening to its loss. */
interface Link extends Pick<Pipeline, 'pending' | 'run'> {
  /** Connects; false through a proxy. */
  open(): Promise<boolean>
  /** Resolves when the connection is gone. */
  lost: Promise<void>
  end(): Promise<void>
  destroy(): void
}

function createLink(url: string, { statementMs, batch = true }: PipelineOptions): Link {
  const client = new Client({ ...connectionSettings(url, statementMs), pipeline: true })
  const stream = socketOf(client)
  const sendWithThisTurn = createCork(stream)
  let pending = 0
  let lastResultAt = 0
  let isLost = false
  // pg has no timeout for a connection that stops responding.
  const watch = setInterval(() => {
    if (pending > 0 && performance.now() - lastResultAt > statementMs + graceMs) stream.destroy()
  }, watchMs)
  watch.unref()
  const lost = new Promise<void>((resolve) => {
    const leave = () => {
      isLost = true
      clearInterval(watch)
      resolve()
    }
    client.once('error', leave).once('end', leave)
  })

  function run<Row>({ name, text, values }: Statement): Promise<Row[]> {
    if (pending++ === 0) lastResultAt = performance.now()
    if (batch) sendWithThisTurn()
    return new Promise((resolve, reject) => {
      const statement = { name, text, values: values as unknown[] }
      client.query(statement as pg.QueryConfig, (error: unknown, result: pg.QueryResult) => {
        pending--
        lastResultAt = performance.now()
        if (!error) return resolve(result.rows as Row[])
        if (hasStaleStatements(error)) stream.destroy()
        reject(isLost || !isResult(error) ? new PipelineLost('connection lost', { cause: error }) : error)
      })
    })
  }

  return {
    lost,
    get pending() {
      return pending
    },
    async open() {
      await client.connect()
      await prepareConnection(client)
      if (!(await isDirectConnection(client, (text) => run({ text })))) return false
      await run({ text: indexesOnly })
      return true
    },
    run,
    end: () => client.end(),
    destroy() {
      clearInterval(watch)
      stream.destroy()
    },
  }
}

/** Returns a function that holds back what is written until the end of this turn of the event loop. */
function createCork(stream: ReturnType<typeof socketOf>): () => void {
  let isCorked = false
  return () => {
    if (isCorked) return
    isCorked = true
    stream.cork()
    setImmediate(() => {
      isCorked = false
      stream.uncork()
    })
  }
}

const connectionEnded = ['57P01', '57P02', '57P03', '08006', '08P01']
const codeOf = (error: unknown) => (error instanceof pg.DatabaseError ? (error.code ?? '') : undefined)

/** Whether an error is the statement's result, and not the end of the connection or a stale prepared statement. */
function isResult(error: unknown): boolean {
  const code = codeOf(error)
  if (code === undefined) return error instanceof RangeError
  return !connectionEnded.includes(code) && !hasStaleStatements(error)
}
