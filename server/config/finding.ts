import type { z } from 'zod'

/** A finding about the configuration. `wrong` keeps the service from working, `warn` only a part of it. */
export interface Finding {
  level: 'ok' | 'warn' | 'wrong'
  /** The setting it is about. */
  about: string
  text: string
  /** The line of a start, where it differs. */
  atStart?: string
}

export const ok = (about: string, text: string): Finding => ({ level: 'ok', about, text })
export const warn = (about: string, text: string): Finding => ({ level: 'warn', about, text })
export const wrong = (about: string, text: string): Finding => ({ level: 'wrong', about, text })

/** A finding as a line of a start. */
export const lineAtStart = ({ about, text, atStart }: Finding) => atStart ?? `setting ${about}: ${text}`

/** What is wrong with a value, as the rest of a sentence that begins with the name of the setting. It never repeats the value. */
export function inWords(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.join(', ')}`
  if (issue.code === 'invalid_format' && issue.format === 'url')
    return 'must be an address that begins with http:// or https://'
  const unit = 'origin' in issue && issue.origin === 'string' ? ' characters long' : ''
  if (issue.code === 'too_small') return `must be at least ${issue.minimum}${unit}`
  if (issue.code === 'too_big') return `must be at most ${issue.maximum}${unit}`
  return undefined
}
