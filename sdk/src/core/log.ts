import { MarketplaceError } from './errors.ts'
import type { Logger, LogLevel, Settings } from './options.ts'

const levels: readonly unknown[] = ['off', 'error', 'warn', 'info', 'debug'] satisfies LogLevel[]
/** Names of what is hidden in bodies and queries. The address of a webhook may have a secret in it, too. */
const secretNames = /key|secret|token$|cipher|password|authorization|^url$/i
/** A part of a query, also where an address stands in a text. */
const queryParts = /([?&])([^=&\s]+)=[^&\s",]+/g
/** API keys, access tokens and secrets of webhooks, wherever they stand. */
const secrets = /(bm[kt]|whsec)_[\w+/=%]+/g
const longestBody = 2_000

/** @throws MarketplaceError if there is no such level */
export function checkLogLevel(level: LogLevel = 'off'): LogLevel {
  if (!levels.includes(level)) throw new MarketplaceError(`logLevel must be one of ${levels.join(', ')}`)
  return level
}

/** Logs a line if the level of the client includes `level`. */
export function log(settings: Settings, level: keyof Logger, line: string, body?: unknown): void {
  const { logLevel, logger = console, apiKey } = settings
  if (levels.indexOf(level) > levels.indexOf(logLevel)) return
  const text = body === undefined ? '' : ` ${JSON.stringify(body, hide).slice(0, longestBody)}`
  const shown = (line + text)
    .replace(queryParts, (part, mark, name) => (secretNames.test(name) ? `${mark}${name}=…` : part))
    .replace(secrets, '$1_…')
  logger[level](typeof apiKey === 'string' ? shown.replaceAll(apiKey, '…') : shown)
}

function hide(name: string, value: unknown): unknown {
  return value && secretNames.test(name) ? '…' : value
}
