import { type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import pg from 'pg'
import type { Traces } from './traces.ts'

type Query = (this: unknown, ...args: unknown[]) => unknown

/**
 * A span for each database statement of a request, with its text, in which values are numbered placeholders, and never
 * with the values. Covers every connection of the process. Returns its end.
 */
export function traceStatements(stories: Traces): () => void {
  const client = pg.Client.prototype as unknown as { query: Query }
  const { query } = client
  client.query = function (...args) {
    const text = trace.getActiveSpan() && textOf(args[0])
    const span = text && stories.begin(nameOf(text), spanOf(text))
    if (!span) return query.apply(this, args)
    const callback = args.at(-1)
    if (typeof callback === 'function') {
      const heard = (error: unknown, result: unknown) => {
        end(span, error ?? undefined)
        callback(error, result)
      }
      return query.apply(this, [...args.slice(0, -1), heard])
    }
    const answer = query.apply(this, args) as Promise<unknown>
    answer.then(
      () => end(span),
      (error) => end(span, error),
    )
    return answer
  }
  return () => {
    client.query = query
  }
}

/** Undefined for a cursor or stream, which has no one answer. */
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

/** The words of an error can quote values; its code cannot. */
function end(span: Span, error?: unknown): void {
  if (error !== undefined) {
    const code = (error as { code?: unknown }).code
    span.setAttribute('error.type', typeof code === 'string' ? code : 'error')
    span.setStatus({ code: SpanStatusCode.ERROR })
  }
  span.end()
}
