import type { IncomingMessage, ServerResponse } from 'node:http'
import type pg from 'pg'
import { newId } from '../../../server/ids.ts'
import type { CapturedStatement } from '../harness/capture.ts'

const prefixes = { act_: 'activity', bnt_: 'bounty', sub_: 'submission', req_: 'request' } as const

/** Runs captured statements one after the other on one connection, with the values of this request. */
export async function runCaptured(
  pool: pg.Pool,
  statements: CapturedStatement[],
  known: Record<string, string>,
): Promise<void> {
  const client = await pool.connect()
  try {
    for (const { name, text, values } of statements) {
      const filled = values.map((value) => fill(value, known))
      const result = await client.query(filled.length > 0 ? { name, text, values: filled } : text)
      if (/^(update|insert)/i.test(text) && result.rowCount !== 1) throw new Error(`${text}: changed no row`)
    }
  } finally {
    client.release()
  }
}

function fill(value: string | null, known: Record<string, string>): string | null {
  if (value === null) return null
  if (value === '{now}') return new Date().toISOString()
  if (value.startsWith('new:'))
    return known[value] ?? newId(prefixes[value.slice(4) as keyof typeof prefixes])
  return value.startsWith('{') && value.endsWith('}') && value !== '{}'
    ? (known[value.slice(1, -1)] ?? value)
    : value
}

/** Body of a request. */
export async function read(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
}

/** A request listener that sends what `handle` resolves to as JSON. */
export function respondingWith(
  handle: (request: IncomingMessage) => Promise<{ status: number; body: unknown }>,
) {
  return (request: IncomingMessage, response: ServerResponse) => {
    handle(request).then(
      ({ status, body }) => {
        const text = JSON.stringify(body)
        const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }
        response.writeHead(status, headers).end(text)
      },
      (error) => response.writeHead(500).end(String(error)),
    )
  }
}
