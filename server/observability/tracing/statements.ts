import { type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import pg from 'pg'
import type { Traces } from './traces.ts'

type Query = (this: unknown, ...args: unknown[]) => unknown

/**
 * Adds a span for each database statement, with its text but never its values: the text has numbered placeholders for
 * them. Covers every connection of the process. Returns a function that ends this.
 */
export function traceStatements(traces: Traces): () => void {
  const client = pg.Client.prototype as unknown as { query: Query }
  const { query } = client
  client.query = function (...args) {
    const text = trace.getActiveSpan() && textOf(args[0])
    const span = text && traces.begin(nameOf(text), spanOf(text))
    if (!span) return query.apply(this, args)
    const callback = args.at(-1)
    if (typeof callback === 'function') {
      const onResult = (error: unknown, result: unknown) => {
        end(span, error ?? undefined)
        callback(error, result)
      }
      return query.apply(this, [...args.slice(0, -1), onResult])
    }
    const result = query.apply(this, args) as Promise<unknown>
    result.then(
      () => end(span),
      (error) => end(span, error),
    )
    return result
  }
  return () => {
    client.query = query
  }
}

/** Undefined for a cursor or stream, which has no single result. */
function textOf(statement: unknown): string | undefined {
  if (typeof statement === 'string') return statement
  const { text, submit } = (statement ?? {}) as { text?: unknown; submit?: unknown }
  return typeof text === 'string' && !submit ? text : undefined
}

function nameOf(text: string): string {
  const [verb = 'statement'] = /\w+/.exec(text) ?? []
  const [, table] = /\b(?:from|into|update)\s+"?([a-z_]\w*)"?/i.exec(text) ?? []
  return table ? `${verb.toUpperCase()} ${table}` : verb.toUpperCase()
}

function spanOf(text: string) {
  return { kind: SpanKind.CLIENT, attributes: { 'db.system.name': 'postgresql', 'db.query.text': text } }
}

/** Records the error's code, since its message can quote values. */
function end(span: Span, error?: unknown): void {
  if (error !== undefined) {
    const code = (error as { code?: unknown }).code
    span.setAttribute('error.type', typeof code === 'string' ? code : 'error')
    span.setStatus({ code: SpanStatusCode.ERROR })
  }
  span.end()
}
