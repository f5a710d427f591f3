import { version } from '../generated/version.ts'
import { noteEtag, unlessChanged } from './conditional.ts'
import { ApiError, ConnectionError, MarketplaceError, TimeoutError } from './errors.ts'
import { log } from './log.ts'
import type { ApiKey, CallInfo, CallOptions, Settings } from './options.ts'
import { ApiPromise, type Received, type WithRequestId } from './promise.ts'
import { type CallInput, checkApiKey, newIdempotencyKey, type Route, urlOf } from './request.ts'
import { parseJson, readBody } from './response.ts'
import { limited, pause, retryDelayMs } from './retry.ts'
import { merged } from './settings.ts'

const usualTimeoutMs = 30_000

type Options = CallOptions & { previous?: object | undefined }

/** The settings of the client, overridden by those of one call. */
type CallSettings = Settings &
  Options &
  Pick<CallInput, 'expects'> & {
    headers: Headers
    timeoutMs: number
    tag: string
    listeners: CallOptions['onResponse'][]
  }

type Attempt = Omit<RequestInit, 'headers'> & { headers: Headers }

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
    const called = callSite()
    const received = this.#call<Body>(operation, route, input, options).catch((error: unknown) => {
      if (error instanceof MarketplaceError) error.stack += `\n${called.stack}`
      throw error
    })
    return new ApiPromise(received)
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
    const { apiKey: given } = settings
    const mayRetry = patience(settings)
    for (let attempt = 1; ; attempt++) {
      const info: CallInfo = { operation, method, url, attempt }
      try {
        log(settings, 'debug', `${settings.tag} ${method} ${url}, attempt ${attempt}`, input.body)
        return await attemptOnce(info, request, settings, given)
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
      expects: input.expects,
      timeoutMs: settings.timeoutMs ?? input.timeoutMs ?? usualTimeoutMs,
      // Tells the lines of calls apart that run at once.
      tag: `[${newIdempotencyKey().slice(0, 6)}] ${operation}`,
      listeners: [this.#settings.onResponse, options.onResponse],
    }
  }
}

/** Made when a call begins: its response comes when nothing on the stack is the caller's. */
function callSite(): Error {
  const { stackTraceLimit } = Error as { stackTraceLimit?: number }
  // The frames of a wait or a stream alone are more than the ten that an error has. Not an assignment: the intrinsics may be frozen.
  Reflect.set(Error, 'stackTraceLimit', 50)
  const called = new Error('called')
  Reflect.set(Error, 'stackTraceLimit', stackTraceLimit)
  return called
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
  { headers, idempotencyKey, previous }: CallSettings,
): Attempt {
  const fallback = (name: string, value: string) => headers.has(name) || headers.set(name, value)
  fallback('accept', 'application/json')
  // Browsers send their own, and ask a server of another origin before they send this one.
  const { navigator } = globalThis as { navigator?: { userAgent?: string } }
  if (!navigator?.userAgent?.startsWith('Mozilla/'))
    fallback('user-agent', `bounty-marketplace-sdk/${version}`)
  if (method === 'GET') unlessChanged(headers, url, previous)
  // Made once per call: every attempt carries the same one, so a repeated write is done once.
  else if (idempotencyKey !== undefined) headers.set('idempotency-key', idempotencyKey)
  else fallback('idempotency-key', newIdempotencyKey())
  // The new address might be of somebody who collects keys.
  const request = { method, headers, redirect: 'manual' } as const
  if (body === undefined) return request
  headers.set('content-type', 'application/json')
  return { ...request, body: JSON.stringify(body) }
}

async function currentKey(given: ApiKey): Promise<string | null> {
  return checkApiKey(typeof given === 'function' ? await given() : given)
}

async function attemptOnce<Body>(
  info: CallInfo,
  request: Attempt,
  settings: CallSettings,
  given: ApiKey,
): Promise<Received<Body>> {
  const { timeoutMs, previous, tag } = settings
  const late = () => new TimeoutError(`${info.operation}: no response within ${timeoutMs} ms`)
  return limited(timeoutMs, settings.signal, late, async (signal) => {
    const apiKey = await currentKey(given)
    signal.throwIfAborted()
    settings.apiKey = apiKey
    settings.onRequest?.(info)
    const started = performance.now()
    const sent = Object.fromEntries(request.headers)
    if (apiKey !== null) sent.authorization = `Bearer ${apiKey}`
    const { response, text } = await send(info, { ...request, headers: sent, signal }, settings)
    const durationMs = performance.now() - started
    const { status, headers } = response
    const requestId = headers.get('x-request-id') ?? undefined
    log(settings, 'info', `${tag} ${status} in ${Math.round(durationMs)} ms, ${requestId}`)
    for (const listen of settings.listeners) listen?.({ ...info, status, headers, requestId, durationMs })
    const body = parseJson(text)
    log(settings, 'debug', `${tag} responded`, body)
    const data = status === 304 && previous ? previous : readBody(response, body, settings)
    noteEtag(data, info.url, headers)
    // Neither printed nor copied with the rest. A frozen body goes without.
    Reflect.defineProperty(data, '_request_id', { value: requestId, configurable: true })
    // As it was before its body was read. Responses of some statuses must not have a body, not even an empty one.
    const unread = new Response(text || null, response)
    return { data: data as WithRequestId<Body>, response: unread, requestId }
  })
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
