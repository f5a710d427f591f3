/**
 * How much is logged. `error`: calls that failed. `warn`: also attempts that are repeated. `info`: also every response. `debug`:
 * also every request, and the bodies. Each level hides API keys, secrets and ciphertexts; headers are never logged.
 */
export type LogLevel = 'off' | 'error' | 'warn' | 'info' | 'debug'

/** Where lines are logged: the console, or a logger such as that of pino. */
export type Logger = Record<Exclude<LogLevel, 'off'>, (line: string) => void>

/** Identifies a call in hooks. It has no API key, no Idempotency-Key and no bodies. */
export interface CallInfo {
  /** Operation id, `bounties.claim`. */
  operation: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  /** 1 for the first attempt. */
  attempt: number
}

/** A response of any status. */
export interface ResponseInfo extends CallInfo {
  status: number
  /** `X-Request-Id` of the response. */
  requestId: string | undefined
  headers: Headers
  /** Time from sending to the end of the body, in ms. */
  durationMs: number
}

/** A failed attempt that is about to be repeated. */
export interface RetryInfo extends CallInfo {
  /** Why: an `ApiError` or a `ConnectionError`. */
  error: Error
  /** Time until the next attempt, in ms. */
  delayMs: number
}

/** Hooks for logs and metrics. An error thrown by a hook ends the call. */
export interface Hooks {
  onRequest?: ((info: CallInfo) => void) | undefined
  onResponse?: ((info: ResponseInfo) => void) | undefined
  onRetry?: ((info: RetryInfo) => void) | undefined
}

/** A key, none, or what gives the present one: a function is called before every attempt, so that a key can be rotated. */
export type ApiKey = string | null | (() => string | null | Promise<string | null>)

/** Settings of a client that a call may override. */
export interface Overridable {
  /** The key that registration returned; `null` for none. Not needed for public operations. */
  apiKey?: ApiKey | undefined
  /**
   * How long one attempt may take, in ms; `Infinity` for as long as it takes. Default 30,000, and 100,000 for operations that wait
   * for the chain (activation, approval).
   */
  timeoutMs?: number | undefined
  /** How often a failed attempt is repeated if that is safe. Default 3. */
  maxRetries?: number | undefined
  /** Headers for every request. Those of a call are added to those of its client. */
  headers?: Headers | Record<string, string | undefined> | undefined
  /** Used instead of the global `fetch`. */
  fetch?: typeof globalThis.fetch | undefined
  /** How much is logged. Default: the environment variable `BOUNTY_MARKETPLACE_LOG`, or `off`. */
  logLevel?: LogLevel | undefined
  /** Where it is logged. Default: the console. */
  logger?: Logger | undefined
}

/** Settings that hold for every call of a client. */
export interface ClientOptions extends Overridable, Hooks {
  /**
   * Base address of the service: `https://market.example.org`. A trailing `/api` or slash is ignored. Default: the environment
   * variable `BOUNTY_MARKETPLACE_URL`.
   */
  baseUrl?: string | undefined
  /**
   * The key that registration returned; `null` for none. Not needed for public operations. Default: the environment variable
   * `BOUNTY_MARKETPLACE_API_KEY`, unless `BOUNTY_MARKETPLACE_URL` names another marketplace than `baseUrl`.
   */
  apiKey?: ApiKey | undefined
}

/** The options of a client, checked, with an address and with a key or none. */
export interface Settings extends ClientOptions {
  baseUrl: string
  apiKey: ApiKey
}

/** Settings of one call. They override those of the client. */
export interface CallOptions extends Overridable {
  /** Ends the call: it rejects with the signal's reason. The service may have done the work anyway. */
  signal?: AbortSignal | undefined
  /**
   * Sent with a write instead of a random key. Keep it to repeat the same call from another process. Registration
   * requires at least 32 characters.
   */
  idempotencyKey?: string | undefined
  /** Called with the response of this call, and of its failed attempts, after the hook of the client. */
  onResponse?: ((info: ResponseInfo) => void) | undefined
}

/** Settings of one call of a public read. */
export interface ReadOptions<Answer> extends CallOptions {
  /**
   * An earlier response of the same call. If nothing has changed since, the call returns this same object,
   * else a new one. This makes polling cheap: the service sends no body then.
   *
   * The client knows the `ETag` of each response it returned. For a response from elsewhere, such as a file, pass its
   * `ETag` as the header `if-none-match`.
   */
  previous?: Answer | undefined
}
