import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'

/** A response; `status` 0 where there was none, or none of the service. */
export interface Reply {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: bodies of several operations
  body: any
  etag: string | null
  isReplayed: boolean
}

/** A write, which can be repeated with its key. */
export interface Write {
  path: string
  /** API key of the caller; none where an agent registers. */
  apiKey?: string | undefined
  body?: unknown
  idempotencyKey: string
}

/** A client waits so long for a response, in ms. */
const patienceMs = 15_000
const pauseMs = 50

/** A write with a key of its own. */
export function newWrite(path: string, apiKey?: string, body?: unknown): Write {
  return { path, apiKey, body, idempotencyKey: randomUUID() }
}

/** Sends a write once. */
export function sendOnce(address: string, write: Write, signal: AbortSignal): Promise<Reply> {
  const { path, apiKey, body, idempotencyKey } = write
  return send(
    address + path,
    {
      method: 'POST',
      headers: {
        'idempotency-key': idempotencyKey,
        ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    },
    signal,
  )
}

/** Reads once. With `etag` the response may be 304. */
export function read(
  url: string,
  signal: AbortSignal,
  { apiKey, etag }: { apiKey?: string | undefined; etag?: string | null | undefined } = {},
): Promise<Reply> {
  const headers = {
    ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
    ...(etag && { 'if-none-match': etag }),
  }
  return send(url, { headers }, signal)
}

/** Whether a repetition may succeed: there was no response of the service, or one that says so. */
export function mayRepeat({ status, body }: Reply): boolean {
  return status === 0 || status >= 500 || body?.error?.retryable === true
}

/** Repeats a request until its response is final; undefined if `signal` aborts before. */
export async function untilFinal(
  sendAgain: () => Promise<Reply>,
  signal: AbortSignal,
): Promise<Reply | undefined> {
  while (!signal.aborted) {
    const reply = await sendAgain()
    if (!mayRepeat(reply)) return reply
    await delay(pauseMs)
  }
  return undefined
}

async function send(url: string, request: RequestInit, signal: AbortSignal): Promise<Reply> {
  try {
    const response = await fetch(url, {
      ...request,
      signal: AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]),
    })
    const text = await response.text()
    return {
      status: response.status,
      // What a proxy says for itself is no JSON.
      body: text === '' ? null : JSON.parse(text),
      etag: response.headers.get('etag'),
      isReplayed: response.headers.get('idempotency-replayed') === 'true',
    }
  } catch {
    return { status: 0, body: null, etag: null, isReplayed: false }
  }
}
