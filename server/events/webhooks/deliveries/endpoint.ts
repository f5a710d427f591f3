import http, { type ClientRequest, type IncomingMessage } from 'node:http'
import https, { type RequestOptions } from 'node:https'
import manifest from '../../../../package.json' with { type: 'json' }
import {
  AddressRefusedError,
  askNameServers,
  checkedLookup,
  isAddress,
  isLoopback,
  isPublic,
  type Lookup,
  NameNotResolvedError,
  UnknownNameError,
  withoutBrackets,
} from './addresses.ts'

/** Why an attempt failed. `gone` is status 410, after which the receiver wants nothing more. */
export const failureCategories = [
  'dns',
  'address_refused',
  'connection',
  'tls',
  'timeout',
  'redirect',
  'status',
  'gone',
] as const

/** One of {@link failureCategories}. */
export type FailureCategory = (typeof failureCategories)[number]

/** What came of an attempt. */
export interface AttemptResult {
  /** Null for a success: any status 2xx. */
  failure: FailureCategory | null
  /** Status of the response; null if none came. */
  status: number | null
  durationMs: number
  /** What the response asked to wait, at most a day. */
  retryAfterSeconds: number | null
}

/** What came of an attempt whose response is read. */
export interface ChallengeResult extends AttemptResult {
  /** At most 4 KiB of the response, after a success. */
  text?: string
  /** The name servers say that the host has no address. */
  isUnknownHost?: boolean
}

/** A body of JSON, and headers in addition to those of every request. */
export interface Message {
  headers: Record<string, string>
  body: string
}

/** Sends to the URLs of webhooks, and to nothing that is not public. */
export interface Endpoints {
  /** What is wrong with a URL, as far as that can be seen without resolving its name. */
  refusal(url: string): string | undefined
  /**
   * Posts a message; never throws for what the receiver does.
   * @throws the reason of `signal` if that ends the attempt
   */
  deliver(url: string, message: Message & { signal?: AbortSignal }): Promise<AttemptResult>
  /** Posts a message and reads the response. */
  challenge(url: string, message: Message): Promise<ChallengeResult>
}

/** What tests and operators choose. */
export interface EndpointOptions {
  /** Whether this machine may be reached, with http and on any port. */
  allowLoopback: boolean
  /** Default: {@link askNameServers}. */
  lookup?: Lookup
  /** Longest time of an attempt, from the name to the headers of the response; default 15 seconds. */
  timeoutMs?: number
}

const mostChallengeBytes = 4096
/** Responses of status 1xx before the response. */
const mostInformation = 10
const longestRetryAfter = 86_400
const everyHeader = {
  'content-type': 'application/json',
  'user-agent': `${manifest.name}/${manifest.version} (webhooks)`,
}

/**
 * Creates the client of webhooks. It makes a connection for each attempt, so each one resolves the name anew; it follows
 * no redirect and knows no proxy. It is node's own client: loading the package undici would replace the agent of every
 * `fetch` in the process.
 */
export function createEndpoints(options: EndpointOptions): Endpoints {
  const { allowLoopback, lookup = askNameServers, timeoutMs = 15_000 } = options
  const connection = {
    method: 'POST',
    agent: false,
    lookup: checkedLookup(lookup),
    // The lookup hands over all addresses, as it is asked to with this option.
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: 2000,
    rejectUnauthorized: true,
  } as const
  const refusal = (url: string) => refusalOf(url, allowLoopback)

  async function attempt(
    url: string,
    { headers, body, signal }: Message & { signal?: AbortSignal },
    mostBytes = 0,
  ): Promise<ChallengeResult> {
    signal?.throwIfAborted()
    const started = performance.now()
    const end = new AbortController()
    const stop = () => end.abort()
    const timer = setTimeout(stop, timeoutMs)
    signal?.addEventListener('abort', stop, { once: true })
    try {
      if (refusal(url)) throw new AddressRefusedError()
      const options = { ...connection, signal: end.signal, headers: { ...everyHeader, ...headers } }
      const result = await exchange(url, options, body, mostBytes)
      return { ...result, ...durationSince(started) }
    } catch (error) {
      signal?.throwIfAborted()
      const failure = end.signal.aborted ? 'timeout' : categoryOf(error)
      const isUnknownHost = error instanceof UnknownNameError
      return { failure, isUnknownHost, status: null, retryAfterSeconds: null, ...durationSince(started) }
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
    }
  }

  return {
    refusal,
    deliver: (url, message) => attempt(url, message),
    challenge: (url, message) => attempt(url, message, mostChallengeBytes),
  }
}

const durationSince = (started: number) => ({ durationMs: Math.round(performance.now() - started) })

/** One request and its response, of which it reads no more than `mostBytes` of the body. */
async function exchange(url: string, options: RequestOptions, body: string, mostBytes: number) {
  const { request } = new URL(url).protocol === 'https:' ? https : http
  const sent = request(url, options)
  try {
    const response = await headersOf(sent, body)
    const result = resultOf(response)
    return result.failure === null && mostBytes > 0
      ? { ...result, text: await startOf(response, mostBytes) }
      : result
  } finally {
    sent.destroy()
  }
}

function refusalOf(text: string, allowLoopback: boolean): string | undefined {
  // Parsing drops white space and control characters.
  if (/[\s\p{Cc}]/u.test(text) || !URL.canParse(text)) return 'it is not a URL'
  // Parsing writes every form of an address (decimal, octal, shortened) in the usual one.
  const { protocol, port, username, password, hostname, hash } = new URL(text)
  if (protocol !== 'https:' && protocol !== 'http:') return 'it does not begin with https://'
  if (username || password) return 'it holds a user name or a password'
  if (hash || text.includes('#')) return 'it has a fragment'
  if (isLoopback(hostname)) return allowLoopback ? undefined : 'its host is not public'
  if (protocol !== 'https:') return 'it does not begin with https://'
  if (port) return 'its port is not 443'
  if (isAddress(hostname) && !isPublic(withoutBrackets(hostname))) return 'its host is not public'
  return undefined
}

/** Sends the body and resolves as soon as the headers of the response are there. */
function headersOf(request: ClientRequest, body: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    // Errors after the headers have no other listener and mean nothing.
    request.on('error', reject)
    request.on('response', (response) => {
      response.on('error', () => undefined)
      resolve(response)
    })
    let informed = 0
    request.on('information', () => {
      if (++informed > mostInformation) request.destroy(new Error('there is no end of status 1xx'))
    })
    // A server may switch protocols although nobody asked it to.
    request.on('upgrade', (_response, socket) => {
      socket.destroy()
      reject(new Error('the response is not of HTTP'))
    })
    request.end(body)
  })
}

async function startOf(response: IncomingMessage, mostBytes: number): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes >= mostBytes) break
  }
  return Buffer.concat(chunks).subarray(0, mostBytes).toString('utf8')
}

function resultOf({ statusCode: status = 0, headers }: IncomingMessage) {
  return { failure: failureOf(status), status, retryAfterSeconds: secondsOf(headers['retry-after']) }
}

function failureOf(status: number): FailureCategory | null {
  if (status >= 200 && status < 300) return null
  if (status >= 300 && status < 400) return 'redirect'
  return status === 410 ? 'gone' : 'status'
}

/** Seconds that a Retry-After header asks for, as a number or a date. */
function secondsOf(retryAfter: string | undefined): number | null {
  if (!retryAfter) return null
  const seconds = /^\d+$/.test(retryAfter)
    ? Number(retryAfter)
    : Math.ceil((Date.parse(retryAfter) - Date.now()) / 1000)
  return Number.isNaN(seconds) ? null : Math.min(Math.max(seconds, 0), longestRetryAfter)
}

const tlsErrors =
  /^(EPROTO|ERR_(TLS|SSL)_|CERT_|CRL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_|INVALID_(CA|PURPOSE)|PATH_LENGTH_)/

function categoryOf(error: unknown): FailureCategory {
  if (error instanceof NameNotResolvedError) return 'dns'
  if (error instanceof AddressRefusedError) return 'address_refused'
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'ETIMEDOUT') return 'timeout'
  return tlsErrors.test(code) ? 'tls' : 'connection'
}
