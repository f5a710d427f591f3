/** Where embedded services report progress and warnings; a pino logger and `console` both fit. */
export interface Log {
  info(message: string): void
  warn(message: string): void
}

/** An error that the person at the terminal can fix: `message` is one plain line, no stack needed. */
export class EmbeddedError extends Error {
  override name = 'EmbeddedError'
}

/** The operating system's code of an error (`ENOENT`, …), if it has one. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
