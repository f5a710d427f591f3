import { type DestinationStream, type Logger, pino } from 'pino'
import type { Config } from '../config/config.ts'
import { describeError, withoutIssued, withoutSecrets } from '../config/redact.ts'
import { secretSettings } from '../config/secrets.ts'
import { within } from '../config/time-limit.ts'

/** Shorter values also occur in ordinary words. */
const shortestSecret = 8

/**
 * Lines wait for others, because a system call for each costs a tenth of a request. A process that is killed loses at most
 * these milliseconds of them. While nobody reads the output, lines beyond `maxLength` are dropped.
 */
const buffering = { minLength: 8192, periodicFlush: 250, maxLength: 8 * 1024 * 1024 }
const longestFlushMs = 1000

/**
 * The log: one JSON object a line, on standard output or `destination`. It redacts whatever is logged: addresses in errors,
 * values of secret settings, API keys and secrets of webhooks.
 */
export function createLog(
  config: Pick<Config, 'LOG_LEVEL' | (typeof secretSettings)[number]>,
  destination?: DestinationStream,
): Logger {
  const secrets = secretValues(config)
  const options = {
    level: config.LOG_LEVEL,
    formatters: { level: (label: string) => ({ level: label }) },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: {
      err: (error: unknown) => (error instanceof Error ? describeError(error) : error),
      reason: (reason: unknown) => (typeof reason === 'string' ? withoutSecrets(reason) : reason),
    },
    hooks: { streamWrite: (line: string) => withoutValues(line, secrets) },
  }
  return pino(options, destination ?? standardOutput())
}

function standardOutput(): DestinationStream {
  const output = pino.destination({ dest: process.stdout.fd, sync: false, ...buffering })
  // An output that fails, such as a full disk, gets no more lines: at its exit the process would retry them forever.
  output.on('error', () => Object.assign(output, { write: () => true, flushSync: () => undefined }))
  return output
}

/** Resolves when the lines so far are written, or after a second if nobody reads them. */
export async function flushLog(log: Logger): Promise<void> {
  const flushed = new Promise<void>((resolve) => log.flush(() => resolve()))
  await within(longestFlushMs, flushed, () => undefined)
}

/** Secrets as they would stand in a line of JSON, the longest first. */
function secretValues(config: Parameters<typeof createLog>[0]): string[] {
  return secretSettings
    .flatMap((name) => config[name] ?? [])
    .flatMap((value) => [value, ...passwordOf(value)])
    .filter((value) => value.length >= shortestSecret)
    .map((value) => JSON.stringify(value).slice(1, -1))
    .sort((a, b) => b.length - a.length)
}

function passwordOf(value: string): string[] {
  return URL.canParse(value) ? [decodeURIComponent(new URL(value).password)].filter(Boolean) : []
}

function withoutValues(line: string, secrets: string[]): string {
  let clean = withoutIssued(line)
  for (const secret of secrets) if (clean.includes(secret)) clean = clean.replaceAll(secret, '[secret]')
  return clean
}
