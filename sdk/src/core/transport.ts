import { noteEtag, unlessChanged } from './conditional.ts'
import { ApiError, ConnectionError, TimeoutError } from './errors.ts'
import { log } from './log.ts'
import type { CallInfo, CallOptions, Settings } from './options.ts'
import { ApiPromise, noteRequestId, type Received, type WithRequestId } from './promise.ts'
import { type CallInput, checkApiKey, newIdempotencyKey, type Route, urlOf } from './request.ts'
import { parseJson, readable, readBody } from './response.ts'
import { pause, retryDelayMs } from './retry.ts'
import { merged } from './settings.ts'

const usualTimeoutMs = 30_000

type Options = CallOptions & { previous?: object | undefined }

/** The settings of the client, overridden by those of one call. */
type CallSettings = Settings &
  Options & { timeoutMs: number; tag: string; listeners: CallOptions['onResponse'][] }

/** Sends calls: attempts, timeouts, retries, hooks, log. The API key never leaves this class. */
export class Transport {
  readonly #settings: Settings

  constructor(settings: Settings) {
    this.#settings = settings
  }

  /** With the API key: not for printing. */
  get settings(): Settings {
    return this.#settings
  }

  /** Calls an operation. It rejects with an ApiError, a ConnectionError, or the reason of `options.signal`. */
  call<Body>(operation: string, route: Route, input: CallInput, options: Options = {}): ApiPromise<Body> {
    return new ApiPromise(this.#call<Body>(operation, route, input, options))
  }

  async #call<Body>(
    operation: string,
    route: Route,
    input: CallInput,
    options: Options,
  ): Promise<Received<Body>> {
    const settings = this.#settingsOf(operation, input, options)
    const [method, path] = route.split(' ') as [CallInfo['method'], string]
    const url = urlOf(settings.baseUrl, path, input)
    const request = requestOf(method, url, input, settings)
    const mayRetry = patience(settings)
    for (let attempt = 1; ; attempt++) {
      const info: CallInfo = { operation, method, url, attempt }
      try {
        log(settings, 'debug', `${settings.tag} ${method} ${url}, attempt ${attempt}`, input.body)
        return await attemptOnce(info, request, settings)
      } catch (error) {
        if (settings.signal?.aborted) throw error
        const delayMs = mayRetry(error) ? retryDelayMs(error, attempt) : undefined
        if (delayMs === undefined) {
          log(settings, 'error', `${settings.tag} failed: ${error}`)
          throw error
        }
        log(settings, 'warn', `${settings.tag} is tried again in ${Math.round(delayMs)} ms: ${error}`)
        settings.onRetry?.({ ...info, error: error as Error, delayMs })
        await pause(delayMs, settings.signal)
      }
    }
  }

  #settingsOf(operation: string, input: CallInput, options: Options): CallSettings {
    const settings = merged(this.#settings, options)
    checkApiKey(settings.apiKey)
    return {
      ...settings,
      timeoutMs: settings.timeoutMs ?? input.timeoutMs ?? usualTimeoutMs,
      // Tells the lines of calls apart that run at once.
      tag: `[${newIdempotencyKey().slice(0, 6)}] ${operation}`,
      listeners: [this.#settings.onResponse, options.onResponse],
    }
  }
}

/**
 * Decides whether to retry after a failure: up to `maxRetries` times. While the service still works on an earlier
 * attempt of this call, the call is retried for as long as one attempt may take.
 */
function patience({ maxRetries = 3, timeoutMs }: CallSettings): (error: unknown) => boolean {
  let failures = 0
  let busySince: number | undefined
  return (error) => {
    if (maxRetries === 0) return false
    if (error instanceof ApiError && error.code === 'idempotency_in_progress') {
      busySince ??= Date.now()
      return Date.now() - busySince < timeoutMs
    }
    return ++failures <= maxRetries
  }
}

function requestOf(
  method: CallInfo['method'],
  url: string,
  { body }: CallInput,
  { apiKey, headers: given, idempotencyKey, previous }: CallSettings,
): RequestInit {
  const own = { accept: 'application/json', ...given }
  const headers: Record<string, string> = method === 'GET' ? unlessChanged(own, url, previous) : own
  if (apiKey !== null) headers.authorization = `Bearer ${apiKey}`
  // Made once per call: every attempt carries the same one, so a repeated write is done once.
  if (method !== 'GET') headers['idempotency-key'] = idempotencyKey ?? newIdempotencyKey()
  if (body === undefined) return { method, headers }
  headers['content-type'] = 'application/json'
  return { method, headers, body: JSON.stringify(body) }
}

async function attemptOnce<Body>(
  info: CallInfo,
  request: RequestInit,
  settings: CallSettings,
): Promise<Received<Body>> {
  const { signal, timeoutMs, previous, tag } = settings
  const attempt = new AbortController()
  const cancel = () => attempt.abort(signal?.reason)
  const timer = setTimeout(
    () => attempt.abort(new TimeoutError(`${info.operation}: no response within ${timeoutMs} ms`)),
    timeoutMs,
  )
  signal?.addEventListener('abort', cancel, { once: true })
  try {
    signal?.throwIfAborted()
    settings.onRequest?.(info)
    const started = performance.now()
    const { response, text } = await send(info, { ...request, signal: attempt.signal }, settings)
    const durationMs = performance.now() - started
    const { status, headers } = response
    const requestId = headers.get('x-request-id') ?? undefined
    log(settings, 'info', `${tag} ${status} in ${Math.round(durationMs)} ms, ${requestId}`)
    for (const listen of settings.listeners) listen?.({ ...info, status, headers, requestId, durationMs })
    const body = parseJson(text)
    log(settings, 'debug', `${tag} responded`, body)
    const data = status === 304 && previous ? previous : readBody(response, body, settings)
    noteEtag(data, info.url, headers)
    noteRequestId(data, requestId)
    return { data: data as WithRequestId<Body>, response: readable(response, text), requestId }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', cancel)
  }
}

async function send(info: CallInfo, request: RequestInit & { signal: AbortSignal }, { fetch }: CallSettings) {
  // Not called as a method: browsers refuse that.
  const sending = fetch ?? globalThis.fetch
  try {
    const response = await sending(info.url, request)
    return { response, text: await response.text() }
  } catch (cause) {
    if (request.signal.aborted) throw request.signal.reason
    throw new ConnectionError(`${info.operation}: no response from ${new URL(info.url).origin}`, { cause })
  }
}
