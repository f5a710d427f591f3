import { expect } from 'vitest'

/** Text that every field refuses, with the reason. `max` is the field's length limit. */
export function badTexts(max: number): [string, unknown][] {
  return [
    ['missing', undefined],
    ['null', null],
    ['a number', 12],
    ['a list', ['text']],
    ['empty', ''],
    ['blank', ' \n\t'],
    ['of characters that show nothing', '\u00ad\u200b\u200c\u2060\u2800\u3164\ufe0f\u{e0041}\u{1d159} '],
    ['with NUL', 'a\0b'],
    ['with a lone surrogate', 'a\ud800b'],
    ['one character too long', 'x'.repeat(max + 1)],
    ['one astral character too long', '🦀'.repeat(max + 1)],
  ]
}

/** Values that are not addresses, with the reason. */
export const badAddresses: [string, unknown][] = [
  ['null', null],
  ['empty', ''],
  ['without 0x', 'a'.repeat(40)],
  ['with 0X', `0X${'a'.repeat(40)}`],
  ['39 digits', `0x${'a'.repeat(39)}`],
  ['41 digits', `0x${'a'.repeat(41)}`],
  ['a letter that is not a hex digit', `0x${'g'.repeat(40)}`],
  ['with a line break', `0x${'a'.repeat(40)}\n`],
  ['a number', 0xabc],
]

/** An address without a known key, in mixed letter case. */
export const someAddress = '0x52908400098527886E0F7030069857D2E4169EE7'

/** ISO 8601 in UTC with milliseconds. */
export const isoTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

/** A public id with this prefix. */
export const idOf = (prefix: string) => expect.stringMatching(new RegExp(`^${prefix}[0-9a-z]{20}$`))
