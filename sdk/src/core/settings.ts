import { checkLogLevel } from './log.ts'
import type { CallOptions, ClientOptions, Settings } from './options.ts'
import { checkApiKey, checkBaseUrl, checkNumber } from './request.ts'

/** What the environment sets; nothing where there is none, as in browsers. */
export function environment(): ClientOptions {
  return {
    baseUrl: variable('BOUNTY_MARKETPLACE_URL'),
    apiKey: variable('BOUNTY_MARKETPLACE_API_KEY'),
    logLevel: variable('BOUNTY_MARKETPLACE_LOG') as ClientOptions['logLevel'],
  }
}

/**
 * `settings` with `changes`. Key and headers belong to one marketplace: they are not sent to another address.
 * @throws MarketplaceError if there is no `baseUrl`, or if one of the options is malformed
 */
export function derived(settings: ClientOptions, changes: ClientOptions): Settings {
  const { logLevel, ...options } = merged(settings, changes)
  const baseUrl = checkBaseUrl(options.baseUrl)
  const isMoved = settings.baseUrl !== undefined && isOther(settings.baseUrl, baseUrl)
  const apiKey = checkApiKey(isMoved ? changes.apiKey : options.apiKey)
  const headers = isMoved ? mergedHeaders(changes.headers) : options.headers
  return { ...options, baseUrl, apiKey, headers, logLevel: checkLogLevel(logLevel) }
}

/** Whether an address that may be malformed, because nothing is sent to it, leads elsewhere than `baseUrl`. */
function isOther(address: string | undefined, baseUrl: string): boolean {
  try {
    return checkBaseUrl(address) !== baseUrl
  } catch {
    return true
  }
}

/**
 * `settings` with what `changes` set. Headers are added to those that are there.
 * @throws MarketplaceError if one of the limits is no number
 */
export function merged<Base extends ClientOptions, Changes extends ClientOptions | CallOptions>(
  settings: Base,
  changes: Changes,
): Base & Changes & { headers: Headers } {
  const { timeoutMs = 1, maxRetries = 0 } = changes
  checkNumber('timeoutMs', timeoutMs, 1)
  checkNumber('maxRetries', maxRetries)
  const set = Object.entries(changes).filter(([, value]) => value !== undefined)
  const headers = mergedHeaders(settings.headers, changes.headers)
  return { ...settings, ...(Object.fromEntries(set) as Changes), headers }
}

/** Later ones replace earlier ones of the same name, however that is written. */
function mergedHeaders(...sources: ClientOptions['headers'][]): Headers {
  const headers = new Headers()
  for (const source of sources)
    for (const [name, value] of source instanceof Headers ? source : Object.entries(source ?? {}))
      if (value !== undefined) headers.set(name, value)
  return headers
}

function variable(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } }
  try {
    return process?.env?.[name]?.trim() || undefined
  } catch {
    // Deno refuses it to a program that was not allowed to read it.
    return undefined
  }
}
