import fc from 'fast-check'

/** Values that parsers, databases and comparisons trip over. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    '',
    ' ',
    '\0',
    '\ud800',
    '\u202e\ufeff',
    "' or 1=1; --",
    '%',
    '_',
    '\\',
    '../../etc/passwd',
    '{{7*7}}',
    '<script>alert(1)</script>',
    'x'.repeat(5001),
    '🦀'.repeat(201),
    'constructor',
    '__proto__',
    0,
    -1,
    1.5,
    1e308,
    -0,
    2 ** 53,
    2 ** 63,
    9_007_199_254_740_991,
    '12',
    '1e3',
    '0x10',
    [],
    {},
    [[]],
    { toString: 1 },
    `0x${'0'.repeat(40)}`,
    `0x${'g'.repeat(40)}`,
    'http://169.254.169.254/latest/meta-data',
    'https://github.com/a/b/pull/1',
    'file:///etc/passwd',
    '2026-01-31T12:00:00.000Z',
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.jsonValue({ maxDepth: 3 }),
)

/** Bodies that are no JSON objects, or not only. */
export const hostileBody: fc.Arbitrary<string | Buffer> = fc.oneof(
  fc.constantFrom<string | Buffer>(
    '',
    '{',
    'null',
    '[]',
    '"text"',
    '12',
    '{"name":"a","name":"b"}',
    '{"__proto__":{"name":"a"},"name":"b"}',
    '{"constructor":{"prototype":{"name":1}}}',
    '{"name":"\\ud800"}',
    '{"name":"a\\u0000b"}',
    '{"reward_amount":1e999,"title":"a","description":"b"}',
    '{"reward_amount":-0,"title":"a","description":"b"}',
    '{"name":"a"}garbage',
    `${'{"a":'.repeat(200)}1${'}'.repeat(200)}`,
    `{"name":${'['.repeat(3000)}`,
    `{"name":"${'x'.repeat(70_000)}"}`,
    Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
  ),
  fc.string({ maxLength: 60 }),
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
)

/** What may stand in one segment of a path, percent-encoded or deliberately not. */
export const hostileSegment: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    'nothing',
    '%00',
    '%2e%2e',
    '..',
    '.',
    '%2F',
    '%2f..%2f',
    '%ff',
    '%',
    '%zz',
    '%C0%AE',
    '%F0%9F%A6%80',
    "'",
    'a;b=c',
    '%0d%0aX-Injected:%201',
    'x'.repeat(201),
    'x'.repeat(5000),
    '{id}',
    ':id',
    '*',
  ),
  fc.string({ unit: 'binary', maxLength: 30 }).map(encoded),
)

/** Percent-encodes what can be encoded; lone surrogates become U+FFFD as browsers do it. */
export function encoded(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'))
}

/** Values of headers that node's own client lets through. */
export const hostileHeader: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom('', ' ', 'a b', 'ü', 'x'.repeat(300), '*', '"', 'W/"', "';--", '\t', '\x80\xff'),
  fc.string({
    unit: fc
      .integer({ min: 0x20, max: 0xff })
      .map((code) => String.fromCharCode(code === 0x7f ? 0x80 : code)),
    maxLength: 40,
  }),
)
