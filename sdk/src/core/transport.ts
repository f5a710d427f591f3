import { operations } from '../generated/operations.ts'
import { ConnectionError, TimeoutError } from './errors.ts'
import type { CallInfo, CallOptions, ClientOptions } from './options.ts'
import {
  type CallInput,
  checkApiKey,
  checkBaseUrl,
  newIdempotencyKey,
  type OperationInfo,
  urlOf,
} from './request.ts'
import { readAnswer } from './response.ts'
import { pause, retryDelayMs } from './retry.ts'

export type OperationId = keyof typeof operations

/** Sends calls: attempts, timeouts, retries, hooks. The API key stays in here. */
export class Transport {
  readonly #options: ClientOptions
  readonly #baseUrl: string

  constructor(options: ClientOptions) {
    this.#baseUrl = checkBaseUrl(options.baseUrl)
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

  /** Carries an operation out. @throws ApiError, ConnectionError, or the reason of `options.signal`. */
  async call(id: OperationId, input: CallInput, options: CallOptions = {}): Promise<unknown> {
    const operation: OperationInfo = operations[id]
    const { method } = operation
    const url = urlOf(this.#baseUrl, operation.path, input)
    const request = this.#request(operation, input, options)
    const maxRetries = options.maxRetries ?? this.#options.maxRetries ?? 3
    for (let attempt = 1; ; attempt++) {
      const info: CallInfo = { operation: id, method, url, attempt }
      try {
        return await this.#attempt(info, request, operation, options)
      } catch (error) {
        const delayMs = attempt <= maxRetries ? retryDelayMs(error, attempt) : undefined
        if (delayMs === undefined || options.signal?.aborted) throw error
        this.#options.onRetry?.({ ...info, error: error as Error, delayMs })
        await pause(delayMs, options.signal)
      }
    }
  }

  #request({ method }: OperationInfo, { body }: CallInput, options: CallOptions): RequestInit {
    const headers: Record<string, string> = {
      accept: 'application/json',
      ...this.#options.headers,
      ...options.headers,
    }
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
    { slow }: OperationInfo,
    options: CallOptions,
  ): Promise<unknown> {
    const timeoutMs = options.timeoutMs ?? this.#options.timeoutMs ?? (slow ? 100_000 : 30_000)
    const attempt = new AbortController()
    const cancel = () => attempt.abort(options.signal?.reason)
    const timer = setTimeout(
      () => attempt.abort(new TimeoutError(`${info.operation}: no answer within ${timeoutMs} ms`)),
      timeoutMs,
    )
    options.signal?.addEventListener('abort', cancel, { once: true })
    try {
      options.signal?.throwIfAborted()
      this.#options.onRequest?.(info)
      const started = performance.now()
      const { response, text } = await this.#send(info, request, attempt.signal)
      const { status, headers } = response
      const answer = {
        ...info,
        status,
        headers,
        requestId: headers.get('x-request-id') ?? undefined,
        durationMs: performance.now() - started,
      }
      this.#options.onResponse?.(answer)
      options.onResponse?.(answer)
      return readAnswer(response, text)
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
      throw new ConnectionError(`${info.operation}: no answer from ${new URL(info.url).origin}`, { cause })
    }
  }
}
