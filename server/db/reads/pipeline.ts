import type { Socket } from 'node:net'
import pg from 'pg'
import { connectionSettings } from '../client.ts'
import { isConfused, isDirect } from '../direct.ts'

/** A statement with its values; one with a name is parsed and planned once a connection. */
export interface Statement {
  name?: string | undefined
  text: string
  values?: readonly unknown[]
}

/** Options of {@link openPipeline}. */
export interface PipelineOptions {
  /** The server ends a statement after this long. */
  statementMs: number
  /** Whether what one turn of the event loop sends leaves in one packet, at its end; default true. */
  gather?: boolean
}

/**
 * One connection on which statements are sent without waiting for the answers of those before them. Each is a
 * transaction of its own, and a slow one delays all behind it: for short, single statements only.
 */
export interface Pipeline {
  /** Whether it takes statements now; never true through a proxy, which may send each to another connection. */
  readonly ready: boolean
  /** Statements sent and not yet answered. */
  readonly unanswered: number
  /** Another one after each reconnection. */
  readonly connection: number
  /** @throws what Postgres throws, and {@link PipelineLost} when the connection broke before the answer. */
  run<Row>(statement: Statement): Promise<Row[]>
  close(): Promise<void>
}

/** The connection is not there, or broke before the answer. The statement may have run. */
export class PipelineLost extends Error {
  override readonly name = 'PipelineLost'
}

/**
 * Statements here read few rows by an index and are planned once, before a page's size and place are known: the planner
 * would take them for a tenth of the table and prepare to read all of it.
 */
export const indexesOnly = `set plan_cache_mode = force_generic_plan; set enable_seqscan = off;
  set enable_bitmapscan = off; set enable_hashjoin = off; set enable_mergejoin = off; set jit = off`

const graceMs = 5_000
const watchMs = 1_000
const shortestPauseMs = 100
const longestPauseMs = 5_000

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
      // Whatever it was, it is tried again; meanwhile the callers have other ways.
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
    get unanswered() {
      return link?.unanswered ?? 0
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
interface Link extends Pick<Pipeline, 'unanswered' | 'run'> {
  /** Connects; false when something in between answers in Postgres' place. */
  open(): Promise<boolean>
  /** Resolves when the connection is gone. */
  lost: Promise<void>
  end(): Promise<void>
  destroy(): void
}

function createLink(url: string, { statementMs, gather: gathers = true }: PipelineOptions): Link {
  const client = new pg.Client({ ...connectionSettings(url, statementMs), pipeline: true })
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection
  let unanswered = 0
  let answeredAt = 0
  let isCorked = false
  let isLost = false
  // pg has no timeout for a connection that falls silent.
  const watch = setInterval(() => {
    if (unanswered > 0 && performance.now() - answeredAt > statementMs + graceMs) stream.destroy()
  }, watchMs)
  watch.unref()
  const lost = new Promise<void>((resolve) => {
    const leave = () => {
      isLost = true
      clearInterval(watch)
      resolve()
    }
    client.once('error', leave).once('end', leave)
    client.on('error', () => undefined)
  })

  function gather(): void {
    if (isCorked) return
    isCorked = true
    stream.cork()
    setImmediate(() => {
      isCorked = false
      stream.uncork()
    })
  }

  function run<Row>({ name, text, values }: Statement): Promise<Row[]> {
    if (unanswered++ === 0) answeredAt = performance.now()
    if (gathers) gather()
    return new Promise((resolve, reject) => {
      const statement = { name, text, values: values as unknown[] }
      client.query(statement as pg.QueryConfig, (error: unknown, result: pg.QueryResult) => {
        unanswered--
        answeredAt = performance.now()
        if (!error) return resolve(result.rows as Row[])
        if (isConfused(error)) stream.destroy()
        reject(
          isLost || !isReceiptOutcome(error) ? new PipelineLost('connection lost', { cause: error }) : error,
        )
      })
    })
  }

  return {
    lost,
    get unanswered() {
      return unanswered
    },
    async open() {
      await client.connect()
      if (!(await isDirect(client, (text) => run({ text })))) return false
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

const endings = ['57P01', '57P02', '57P03', '08006', '08P01']
const codeOf = (error: unknown) => (error instanceof pg.DatabaseError ? (error.code ?? '') : undefined)

/** Whether Postgres answered the statement, rather than ending the connection or being confused about its name. */
function isReceiptOutcome(error: unknown): boolean {
  const code = codeOf(error)
  if (code === undefined) return error instanceof RangeError
  return !endings.includes(code) && !isConfused(error)
}
