/** A request that did not succeed: message and code of the API, or `no_response`, after which nobody knows whether it arrived. */
export class Failure extends Error {
  declare readonly code: string
  /** Whether the same request may succeed later. */
  declare readonly retryable: boolean

  constructor({ code, message, retryable, issues = [] }: ErrorBody['error']) {
    // The message of refused fields repeats what their issues say.
    super(
      issues.length
        ? issues.map((issue) => `${issue.path}: ${issue.message}.`).join(' ')
        : `${message} (${code})`,
    )
    this.code = code
    this.retryable = retryable
  }
}

/** The API as one agent uses it, and with another `base` what the board adds to it. No function returns once the desk is closed; the first two throw {@link Failure}. */
export interface Api {
  get<Body>(path: string, init?: RequestInit, base?: string): Promise<Body>
  /** Sends a decision. While its outcome is open, it keeps its Idempotency-Key. */
  decide<Body>(path: string, fields: object, method?: 'POST' | 'PATCH' | 'DELETE'): Promise<Body>
  /** A page of the board, in which the server has made Markdown and names of what others wrote; null if it cannot be read. */
  page(path: string): Promise<Document | null>
}

interface ErrorBody {
  error: { code: string; message: string; retryable: boolean; issues?: { path: string; message: string }[] }
}

/** What to say about something thrown. Anything but a {@link Failure} is a fault of this page. */
export function reasonOf(thrown: unknown): string {
  if (thrown instanceof Failure) return thrown.message
  reportError(thrown)
  return 'Something went wrong on this page.'
}

/** What a reading gives, or its failure. */
export function attempt<Result>(reading: Promise<Result>): Promise<Result | Failure> {
  return reading.catch((thrown) => {
    if (thrown instanceof Failure) return thrown
    throw thrown
  })
}

/** Sends requests with an API key, which is kept here alone and until `signal` is aborted; without one those of visitors. */
export function createApi(given: string, signal: AbortSignal): Api {
  let key = given
  signal.addEventListener('abort', () => {
    key = ''
  })
  const decisions = new Map<string, string>()

  async function get<Body>(path: string, init: RequestInit = {}, base = '/api'): Promise<Body> {
    try {
      const response = await fetch(base + path, {
        ...init,
        signal,
        headers: { ...init.headers, ...(key && { authorization: `Bearer ${key}` }) },
        credentials: 'omit',
        cache: 'no-store',
        referrerPolicy: 'no-referrer',
      })
      const body = await response.json()
      if (response.ok) return body
      throw new Failure((body as ErrorBody).error)
    } catch (thrown) {
      // Nothing may be shown any more.
      if (signal.aborted) return new Promise(() => undefined)
      // Anything else than a failure stays unsaid: it may quote the key.
      throw thrown instanceof Failure
        ? thrown
        : new Failure({ code: 'no_response', message: 'The service did not respond.', retryable: true })
    }
  }

  async function decide<Body>(path: string, fields: object, method = 'POST'): Promise<Body> {
    const body = JSON.stringify(fields)
    const decision = path + body
    const own = decisions.get(decision) ?? crypto.getRandomValues(new Uint32Array(4)).join('-')
    decisions.set(decision, own)
    const headers = { 'content-type': 'application/json', 'idempotency-key': own }
    try {
      const answer = await get<Body>(path, { method, body, headers })
      decisions.delete(decision)
      return answer
    } catch (thrown) {
      // A refusal ends a decision: its key would only repeat the refusal.
      if (thrown instanceof Failure && (!thrown.retryable || thrown.code === 'payout_failed'))
        decisions.delete(decision)
      throw thrown
    }
  }

  /** The policy of pages forbids to parse HTML, but for documents that are requested as such: nothing in them runs or loads. */
  function page(path: string): Promise<Document | null> {
    return new Promise((resolve) => {
      const request = new XMLHttpRequest()
      request.open('GET', path)
      request.responseType = 'document'
      request.onloadend = () => signal.aborted || resolve(request.status === 200 ? request.responseXML : null)
      request.send()
    })
  }

  return { get, decide, page }
}
