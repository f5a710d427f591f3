import type { z } from 'zod'

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
