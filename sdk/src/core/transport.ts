import { operations } from '../generated/operations.ts'
import { noteEtag, unlessChanged } from './conditional.ts'
import { ApiError, ConnectionError, TimeoutError } from './errors.ts'
import type { CallInfo, CallOptions, ClientOptions } from './options.ts'
import {
  type CallInput,
  checkApiKey,
  checkBaseUrl,
  newIdempotencyKey,
  type OperationInfo,
  urlOf,
} from './request.ts'
import { readBody } from './response.ts'
import { pause, retryDelayMs } from './retry.ts'

export type OperationId = keyof typeof operations

const usualTimeoutMs = 30_000

type Options = CallOptions & { previous?: object | undefined }

/** Sends calls: attempts, timeouts, retries, hooks. The API key never leaves this class. */
export class Transport {
  readonly #options: ClientOptions
  readonly #baseUrl: string

  constructor(options: ClientOptions) {
    this.#baseUrl = checkBaseUrl(options?.baseUrl)
    checkApiKey(options.apiKey)
    this.#options = { ...options }
  }

  get baseUrl(): string {
    return this.#baseUrl
  }

  /** The same settings with another key. */
  withApiKey(apiKey: string): ClientOptions {
    return { ...this.#options, apiKey }
  }

  /** Calls an operation. @throws ApiError, ConnectionError, or the reason of `options.signal`. */
  async call(id: OperationId, input: CallInput, options: Options = {}): Promise<unknown> {
    const operation: OperationInfo = operations[id]
    const { method } = operation
    const url = urlOf(this.#baseUrl, operation.path, input)
    const request = this.#request(operation, url, input, options)
    const mayRetry = this.#patience(operation, options)
    for (let attempt = 1; ; attempt++) {
      const info: CallInfo = { operation: id, method, url, attempt }
      try {
        return await this.#attempt(info, request, this.#timeoutMs(operation, options), options)
      } catch (error) {
        const delayMs = mayRetry(error) ? retryDelayMs(error, attempt) : undefined
        if (delayMs === undefined || options.signal?.aborted) throw error
        this.#options.onRetry?.({ ...info, error: error as Error, delayMs })
        await pause(delayMs, options.signal)
      }
    }
  }

  /**
   * Decides whether to retry after a failure: up to `maxRetries` times. While the service still works on an earlier
   * attempt of this call, the call is retried for as long as one attempt may take.
   */
  #patience(operation: OperationInfo, options: CallOptions): (error: unknown) => boolean {
    const most = options.maxRetries ?? this.#options.maxRetries ?? 3
    let failures = 0
    let busySince: number | undefined
    return (error) => {
      if (most === 0) return false
      if (error instanceof ApiError && error.code === 'idempotency_in_progress') {
        busySince ??= Date.now()
        return Date.now() - busySince < this.#timeoutMs(operation, options)
      }
      return ++failures <= most
    }
  }

  #timeoutMs(operation: OperationInfo, options: CallOptions): number {
    return options.timeoutMs ?? this.#options.timeoutMs ?? operation.timeoutMs ?? usualTimeoutMs
  }

  #request({ method }: OperationInfo, url: string, { body }: CallInput, options: Options): RequestInit {
    const own: Record<string, string> = {
      accept: 'application/json',
      ...this.#options.headers,
      ...options.headers,
    }
    const headers = method === 'GET' ? unlessChanged(own, url, options.previous) : own
    if (this.#options.apiKey !== undefined) headers.authorization = `Bearer ${this.#options.apiKey}`
    // Made once per call: every attempt carries the same one, so a repeated write is done once.
    if (method !== 'GET') headers['idempotency-key'] = options.idempotencyKey ?? newIdempotencyKey()
    if (body === undefined) return { method, headers }
    headers['content-type'] = 'application/json'
    return { method, headers, body: JSON.stringify(body) }
  }

  async #attempt(
    info: CallInfo,
    request: RequestInit,
    timeoutMs: number,
    options: Options,
  ): Promise<unknown> {
    const attempt = new AbortController()
    const cancel = () => attempt.abort(options.signal?.reason)
    const timer = setTimeout(
      () => attempt.abort(new TimeoutError(`${info.operation}: no response within ${timeoutMs} ms`)),
      timeoutMs,
    )
    options.signal?.addEventListener('abort', cancel, { once: true })
    try {
      options.signal?.throwIfAborted()
      this.#options.onRequest?.(info)
      const started = performance.now()
      const { response, text } = await this.#send(info, request, attempt.signal)
      const { status, headers } = response
      const received = {
        ...info,
        status,
        headers,
        requestId: headers.get('x-request-id') ?? undefined,
        durationMs: performance.now() - started,
      }
      this.#options.onResponse?.(received)
      options.onResponse?.(received)
      const body = status === 304 && options.previous ? options.previous : readBody(response, text)
      noteEtag(body, info.url, headers)
      return body
    } finally {
      clearTimeout(timer)
      options.signal?.removeEventListener('abort', cancel)
    }
  }

  async #send(info: CallInfo, request: RequestInit, signal: AbortSignal) {
    const send = this.#options.fetch ?? globalThis.fetch
    try {
      const response = await send(info.url, { ...request, signal })
      return { response, text: await response.text() }
    } catch (cause) {
      if (signal.aborted) throw signal.reason
      throw new ConnectionError(`${info.operation}: no response from ${new URL(info.url).origin}`, { cause })
    }
  }
}
