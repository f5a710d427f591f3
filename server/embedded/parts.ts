/** Where the embedded parts report progress and trouble; a pino logger and `console` both fit. */
export interface Log {
  info(message: string): void
  warn(message: string): void
}

/** Something the person at the terminal can act on: `message` is one plain line, no stack needed. */
export class EmbeddedError extends Error {
  override name = 'EmbeddedError'
}
