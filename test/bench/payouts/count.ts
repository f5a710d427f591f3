import pg from 'pg'

/** Counts statements sent to Postgres by this process. Each waits for its answer, so each is one round trip. */
export interface StatementCounter {
  /** Statements since the last reset, by kind. */
  counts(): Record<StatementKind, number>
  /** Texts since the last reset, in order. */
  texts(): string[]
  reset(): void
  stop(): void
}

/**
 * `look`: a lane asks what there is to do and renews its lease. `poll`: waiting requests ask for outcomes, and loops for
 * activations. `work`: everything else.
 */
export type StatementKind = 'look' | 'poll' | 'work'

/** Begins counting, on connections of `applicationName` alone. */
export function countStatements(applicationName: string): StatementCounter {
  const prototype = pg.Client.prototype as unknown as { query: (...parameters: unknown[]) => unknown }
  const original = prototype.query
  let texts: string[] = []
  prototype.query = function (this: object, ...parameters: unknown[]) {
    const { connectionParameters } = this as { connectionParameters?: { application_name?: string } }
    const text = textOf(parameters[0])
    if (text !== undefined && connectionParameters?.application_name === applicationName) texts.push(text)
    return original.apply(this, parameters)
  }
  return {
    counts() {
      const counts = { look: 0, poll: 0, work: 0 }
      for (const text of texts) counts[kindOf(text)]++
      return counts
    },
    texts: () => texts,
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

function kindOf(text: string): StatementKind {
  if (/^\s*\/\* look \*\//.test(text)) return 'look'
  const isPoll =
    /^update "activations" set "lease_owner"/.test(text) ||
    /^select "payouts"\.\*, .* in \(/.test(text) ||
    /set served_until = /.test(text) ||
    /from "lanes" where .*"lease_until" </.test(text) ||
    /^update "lanes" set "lease_until"/.test(text)
  return isPoll ? 'poll' : 'work'
}
