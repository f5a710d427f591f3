import { readFile, stat } from 'node:fs/promises'
import pg from 'pg'

/** A statement as the server under test ran it. */
export interface CapturedStatement {
  /** Set for a prepared statement. */
  name: string | undefined
  text: string
  /** `{name}` of something the caller knew, `{now}`, `new:` and the prefix of an id, or the value itself. */
  values: (string | null)[]
}

interface LoggedStatement extends Omit<CapturedStatement, 'values'> {
  backend: string
  values: (string | null)[]
}

/**
 * The statements that `request` makes the server run, taken from Postgres' own log, so that running "the same SQL"
 * stays true whatever the server becomes.
 *
 * @param known what the request is about, by name; these values tell its statements from others
 */
export async function captureStatements(options: {
  /** Connection string of the server's database. */
  url: string
  logPath: string
  known: Record<string, string>
  request: () => Promise<unknown>
}): Promise<CapturedStatement[]> {
  const all = await statementsDuring(options.logPath, options.request)
  const values = new Set(Object.values(options.known))
  return transactionsOf(all)
    .filter((each) => each.some((one) => one.values.some((value) => value && values.has(value))))
    .flat()
    .map(({ name, text, values }) => ({
      name,
      text,
      values: values.map((value) => generalize(value, options.known)),
    }))
}

/** In the order in which they began. An engine may use the same connection in between, so its statements are not all of the request. */
function transactionsOf(statements: LoggedStatement[]): LoggedStatement[][] {
  const transactions: LoggedStatement[][] = []
  const running = new Map<string, LoggedStatement[]>()
  for (const statement of statements) {
    const { backend, text } = statement
    const transaction = running.get(backend) ?? []
    if (transaction.length === 0) transactions.push(transaction)
    transaction.push(statement)
    if (/^begin/i.test(text)) running.set(backend, transaction)
    if (/^(commit|rollback)$/i.test(text)) running.delete(backend)
  }
  return transactions
}

/** The statements of all connections that log them, while `work` runs. */
export async function statementsDuring(
  logPath: string,
  work: () => Promise<unknown>,
): Promise<LoggedStatement[]> {
  const { size } = await stat(logPath)
  await work()
  return parseLog((await readFile(logPath)).subarray(size).toString())
}

/** Switches the log of a database's statements on or off, for connections opened from now on. */
export async function logStatements(url: string, on: boolean): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const database = new URL(url).pathname.slice(1)
  await client.query(`alter database ${database} set log_statement = '${on ? 'all' : 'none'}'`)
  await client.end()
}

/** Entries begin with a date; a statement may go on over indented lines. */
function parseLog(log: string): LoggedStatement[] {
  const statements: LoggedStatement[] = []
  for (const entry of log.split(/^(?=\d{4}-\d\d-\d\d )/m)) {
    const [, backend, kind, rest] =
      /^\S+ \S+ \S+ \[(\d+)\] (LOG|DETAIL): +([\s\S]*)$/.exec(entry.trimEnd()) ?? []
    if (!backend || rest === undefined) continue
    const statement = /^(?:statement|execute (\S+)): ([\s\S]*)$/.exec(rest)
    if (kind === 'LOG' && statement) {
      const name = statement[1] === '<unnamed>' ? undefined : statement[1]
      statements.push({ backend, name, text: statement[2] ?? '', values: [] })
    }
    const last = statements.findLast((each) => each.backend === backend)
    if (kind === 'DETAIL' && last && /^parameters:/i.test(rest)) last.values = parseParameters(rest)
  }
  return statements
}

/** `Parameters: $1 = 'it''s', $2 = NULL` */
function parseParameters(text: string): (string | null)[] {
  return [...text.matchAll(/\$\d+ = (?:NULL|'((?:[^']|'')*)')/g)].map(
    ([, value]) => value?.replaceAll("''", "'") ?? null,
  )
}

function generalize(value: string | null, known: Record<string, string>): string | null {
  if (value === null) return null
  const name = Object.keys(known).find((each) => known[each] === value)
  if (name) return `{${name}}`
  if (/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:/.test(value)) return '{now}'
  const prefix = /^([a-z]+_)[0-9a-z]{20}$/.exec(value)?.[1]
  return prefix ? `new:${prefix}` : value
}
