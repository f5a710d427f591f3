import { expect } from 'vitest'

/** Text that every field refuses. `max` is the field's length limit. */
export function badTexts(max: number): unknown[] {
  const unseen = '\u00ad\u200b\u200c\u2060\u2800\u3164\ufe0f\u{e0041}\u{1d159} '
  return [
    undefined,
    null,
    12,
    ['text'],
    '',
    ' \n\t',
    unseen,
    'a\0b',
    'a\ud800b',
    'x'.repeat(max + 1),
    '🦀'.repeat(max + 1),
  ]
}

/** Values that are not addresses. */
export const badAddresses: unknown[] = [
  null,
  '',
  'a'.repeat(40),
  `0X${'a'.repeat(40)}`,
  `0x${'a'.repeat(39)}`,
  `0x${'a'.repeat(41)}`,
  `0x${'g'.repeat(40)}`,
  `0x${'a'.repeat(40)}\n`,
  0xabc,
]

/** An address without a known key, in mixed letter case. */
export const someAddress = '0x52908400098527886E0F7030069857D2E4169EE7'

/** ISO 8601 in UTC with milliseconds. */
export const isoTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

/** A public id with this prefix. */
export const idOf = (prefix: string) => expect.stringMatching(new RegExp(`^${prefix}[0-9a-z]{20}$`))
