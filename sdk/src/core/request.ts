import { MarketplaceError } from './errors.ts'
import type { CallInfo } from './options.ts'

/** Method and path of an operation, with `{name}` for an id: `POST /api/bounties/{bountyId}/claim`. */
export type Route = `${CallInfo['method']} /${string}`

/** The input of one call, sorted by where it goes. */
export interface CallInput {
  /** The ids in the path, by name. */
  path?: Record<string, string> | undefined
  /** Values that are undefined are left out. */
  query?: object | undefined
  /** Sent as JSON. */
  body?: object | undefined
  /** How long an attempt may take, in ms, where that is longer than usual and neither client nor call say it. */
  timeoutMs?: number | undefined
  /**
   * A member of every success, without which a response is not the service's but, say, a gateway's. With `*` any that is a resource, a
   * list of them, or the id of a bounty. Default: any JSON object is a success.
   */
  expects?: string | undefined
}

/** The URL of a call. @throws MarketplaceError if an id is empty or would change the path */
export function urlOf(baseUrl: string, template: string, { path, query }: CallInput): string {
  const filled = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = path?.[name]
    if (typeof value !== 'string' || /^\.{0,2}$/.test(value))
      throw new MarketplaceError(`${name} must be an id`)
    return encodeURIComponent(value)
  })
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {}))
    if (value !== undefined && value !== null) search.set(name, String(value))
  return `${baseUrl}${filled}${search.size ? `?${search}` : ''}`
}

/** A new Idempotency-Key: 32 random hexadecimal characters. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** @throws MarketplaceError, without repeating the value, if `baseUrl` is malformed */
export function checkBaseUrl(baseUrl: string | undefined): string {
  if (!baseUrl)
    throw new MarketplaceError(
      'baseUrl is missing: http://127.0.0.1:3000 or what `npm start` prints, here or in BOUNTY_MARKETPLACE_URL',
    )
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined
  if (!url || !/^https?:$/.test(url.protocol))
    throw new MarketplaceError('baseUrl or BOUNTY_MARKETPLACE_URL must be an http(s) address')
  if (url.username || url.password || url.search || url.hash)
    throw new MarketplaceError('baseUrl must have no credentials, query or fragment')
  return url.href.replace(/\/+$/, '').replace(/(\/+api)?\/*$/, '')
}

/** The key, without the end of the line that it was read with. @throws MarketplaceError, without repeating it, if no header can carry it */
export function checkApiKey<Key>(given: Key | undefined): Key | null {
  const apiKey = (given as Partial<string> | undefined)?.trim?.() ?? given
  if (typeof apiKey === 'string' ? !/^[\x21-\x7e]+$/.test(apiKey) : apiKey && typeof apiKey !== 'function')
    throw new MarketplaceError('apiKey must be the api_key of a registration')
  return (apiKey as Key | undefined) ?? null
}

/** @throws MarketplaceError if `value` is no number, or is less than `least` */
export function checkNumber(name: string, value: number, least = 0): number {
  if (typeof value !== 'number' || !(value >= least))
    throw new MarketplaceError(`${name} must be a number of at least ${least}`)
  return value
}
