import pg from 'pg'

/** Counts statements sent to Postgres by this process. Each waits for its response, so each is one round trip. */
export interface StatementCounter {
  /** Statements since the last reset, by kind. */
  counts(): Record<StatementKind, number>
  /** Texts of one kind since the last reset, in order. */
  texts(kind: StatementKind): string[]
  reset(): void
  stop(): void
}

/**
 * `look`: a lane asks what there is to do and renews its lease. `poll`: waiting requests ask for outcomes, other loops for
 * work. Both go on at a pace of their own, one for all that is under way. `work`: everything else.
 */
export type StatementKind = 'look' | 'poll' | 'work'

/** Begins counting, on connections of this application and, if given, to this database alone. */
export function countStatements(applicationName: string, database?: string): StatementCounter {
  const prototype = pg.Client.prototype as unknown as { query: (...parameters: unknown[]) => unknown }
  const original = prototype.query
  let texts: string[] = []
  prototype.query = function (this: object, ...parameters: unknown[]) {
    const { connectionParameters: to } = this as {
      connectionParameters?: { application_name?: string; database?: string }
    }
    const text = textOf(parameters[0])
    const isCounted =
      to?.application_name === applicationName && (database === undefined || to.database === database)
    if (text !== undefined && isCounted) texts.push(text)
    return original.apply(this, parameters)
  }
  return {
    counts() {
      const counts = { look: 0, poll: 0, work: 0 }
      for (const text of texts) counts[kindOf(text)]++
      return counts
    },
    texts: (kind) => texts.filter((text) => kindOf(text) === kind),
    reset() {
      texts = []
    },
    stop() {
      prototype.query = original
    },
  }
}

function textOf(query: unknown): string | undefined {
  if (typeof query === 'string') return query
  const { text } = (query ?? {}) as { text?: unknown }
  return typeof text === 'string' ? text : undefined
}

const polls = [
  // Waiting requests ask what became of their payouts, and log that they still wait.
  /^select asked\.submission_id, payout/,
  /^update "(payouts|activations)" set "served_until" = /,
  // Loops look for activations, and for what keys that are gone have left behind.
  /^update "activations" set fence = /,
  /^select "address" from "lanes" where/,
  /^update "lanes" set "lease_until"/,
]

function kindOf(text: string): StatementKind {
  const statement = text.trimStart()
  if (statement.startsWith('/* load lane state */')) return 'look'
  return polls.some((poll) => poll.test(statement)) ? 'poll' : 'work'
}
