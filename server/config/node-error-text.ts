import { BaseError } from 'viem'
import { withoutSecrets } from './redact.ts'

/**
 * The text of an error from a node or the database, without the request, address or bytes that libraries add to it; at
 * most 300 characters.
 */
export function nodeErrorText(error: unknown): string {
  const source = error instanceof BaseError ? error.walk() : error
  const text =
    source instanceof BaseError
      ? [source.shortMessage, source.details].filter(Boolean).join(': ')
      : hasMessage(source)
        ? source.message
        : String(source)
  return (
    withoutSecrets(text)
      .replace(/0x[0-9a-fA-F]{130,}/g, '(bytes)')
      // Reverts can hold bytes that look like text, and no text column stores a NUL.
      .replace(/[\p{Cc}\p{Surrogate}]+/gu, ' ')
      .slice(0, 300)
  )
}

/** True for an error, and for the plain object in a node's reply. */
function hasMessage(source: unknown): source is { message: string } {
  return (
    typeof source === 'object' && source !== null && 'message' in source && typeof source.message === 'string'
  )
}
