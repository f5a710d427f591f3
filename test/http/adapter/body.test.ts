import { describe, expect, test } from 'vitest'
import { expectError, expectInvalid } from '../../support/errors.ts'
import { sampleOperations } from '../sample-operations.ts'
import { serve } from '../serve.ts'

const served = await serve({ operations: sampleOperations })
const ada = await served.agent()

async function send(
  body: string | Buffer | undefined,
  headers: Record<string, string> = {},
  path = '/api/probes/p1',
) {
  const response = await fetch(served.baseUrl + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${ada.key}`, 'content-type': 'application/json', ...headers },
    body: body as never,
  })
  return { status: response.status, body: JSON.parse(await response.text()), headers: response.headers }
}

test('201 for a JSON object, and its values come through as they are', async () => {
  const { status, body } = await send('{"count":3,"note":"ünï 🦀","nested":{"a":[1,null,true,"x"]}}')
  expect(status).toBe(201)
  expect(body).toEqual({ id: 'p1', count: 3, note: 'ünï 🦀', nested: { a: [1, null, true, 'x'] } })
})

test.each([
  ['with a charset', 'application/json; charset=utf-8'],
  ['in capitals', 'APPLICATION/JSON'],
])('201 for a content type %s', async (_name, type) => {
  expect((await send('{"count":3}', { 'content-type': type })).status).toBe(201)
})

test('201 for a body that starts with a byte order mark', async () => {
  expect((await send('\ufeff{"count":3}')).status).toBe(201)
})

describe('400 invalid_json', () => {
  const refused: [string, string | Buffer][] = [
    ['half an object', '{"count":3'],
    ['single quotes', "{'count':3}"],
    ['a trailing comma', '{"count":3,}'],
    ['NaN', '{"count":NaN}'],
    ['two objects', '{"count":3}{"count":3}'],
    ['white space only', '  '],
    ['null', 'null'],
    ['a list', '[{"count":3}]'],
    ['a string', '"count"'],
    ['a number', '3'],
    ['bytes that are no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ['UTF-16', Buffer.from('{"count":3}', 'utf16le')],
    ['a key twice', '{"count":3,"count":4}'],
    ['a key twice, spelled differently', '{"count":3,"\\u0063ount":4}'],
    ['a key twice inside', '{"count":3,"nested":[{"a":1,"a":1}]}'],
    ['__proto__', '{"count":3,"__proto__":{"admin":true}}'],
    ['__proto__ spelled with escapes', '{"count":3,"\\u005f_proto__":{"admin":true}}'],
    ['constructor.prototype', '{"count":3,"constructor":{"prototype":{"admin":true}}}'],
    ['33 levels', `{"count":3,"nested":${'['.repeat(32)}${']'.repeat(32)}}`],
    ['30,000 levels of lists', `{"count":3,"nested":${'['.repeat(30_000)}${']'.repeat(30_000)}}`],
    ['10,000 levels of objects', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`],
  ]
  test.each(refused)('for %s', async (_name, body) => {
    expectError(await send(body), 'invalid_json')
  })
})

test('201 for 32 levels, and for brackets and colons that stand in strings', async () => {
  const nested = `${'['.repeat(31)}":\\"{[:"${']'.repeat(31)}`
  expect((await send(`{"count":3,"nested":${nested}}`)).status).toBe(201)
})

describe('nothing in a body is coerced', () => {
  test.each([['"12"'], ['null'], ['true'], ['[12]'], ['1.5'], ['1e999'], ['9007199254740993'], ['{}']])(
    '400 validation_failed for a count of %s',
    async (count) => {
      expectInvalid(await send(`{"count":${count}}`), 'count')
    },
  )

  test('null leaves out an optional field; a required one is missing, in the words for one that is not there', async () => {
    expect((await send('{"count":3,"note":null}')).body).toEqual({ id: 'p1', count: 3 })
    const missing = (await send('{}')).body.error.issues
    expect((await send('{"count":null}')).body.error.issues).toEqual(missing)
  })

  test('400 validation_failed after any number of valid requests', async () => {
    await send('{"count":3}')
    expectInvalid(await send('{"count":"3"}'), 'count')
  })
})

describe('400 validation_failed', () => {
  test('names every field that is wrong, missing or unknown', async () => {
    expectInvalid(await send('{"note":5,"amount":1,"x":1}'), 'amount', 'count', 'note', 'x')
  })

  test('for a field that the path gives', async () => {
    expectInvalid(await send('{"count":3,"id":"p2"}'), 'id')
  })

  test('for a query on an operation that takes none', async () => {
    expectInvalid(await send('{"count":3}', {}, '/api/probes/p1?count=4'), 'count')
  })

  test('for a body without its required fields, and for no body at all', async () => {
    expectInvalid(await send('{}'), 'count')
    expectInvalid(await send(undefined), 'count')
    expectInvalid(await send(''), 'count')
  })

  test('for any field of an operation without input', async () => {
    expectInvalid(await send('{"a":1}', {}, '/api/probes/p1/touch'), 'a')
  })

  test('lists at most 20 issues, however many keys are unknown', async () => {
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`key${n}${'x'.repeat(30)}`, n]))
    const { body } = await send(JSON.stringify({ count: 3, ...many }))
    expect(body.error.issues).toHaveLength(20)
  })
})

describe('an operation without a body', () => {
  const path = '/api/probes/p1/touch'
  test('200 without content type, with an empty body, and with an empty object', async () => {
    const { status } = await served.api('POST', path, { key: ada.key })
    expect(status).toBe(200)
    expect((await send('', {}, path)).status).toBe(200)
    expect((await send('{}', {}, path)).status).toBe(200)
  })
})

describe('415 unsupported_media_type', () => {
  test.each([
    ['text/plain', {}],
    ['application/x-www-form-urlencoded', {}],
    ['multipart/form-data; boundary=x', {}],
    ['application/jsonx', {}],
    ['application/merge-patch+json', {}],
    ['json', {}],
    [';;;', {}],
    ['application/json', { 'content-encoding': 'gzip' }],
  ])('for %s %o', async (type, headers) => {
    expectError(await send('{"count":3}', { 'content-type': type, ...headers }), 'unsupported_media_type')
  })

  test('for a body without a type', async () => {
    const answers = await served.raw(
      `POST /api/probes/p1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ada.key}\r\nContent-Length: 11\r\nConnection: close\r\n\r\n{"count":3}`,
    )
    expect(answers.map(({ status }) => status)).toEqual([415])
  })
})

describe('413 payload_too_large', () => {
  const padded = (bytes: number) => `{"count":3,"note":"${'x'.repeat(bytes - 21)}"}`
  test('for one byte more than 64 KiB, not for 64 KiB', async () => {
    expect((await send(padded(64 * 1024))).status).toBe(201)
    expectError(await send(padded(64 * 1024 + 1)), 'payload_too_large')
  })

  test('for a body of unknown length that grows past 64 KiB', async () => {
    const chunk = `8000\r\n${'x'.repeat(0x8000)}\r\n`
    const answers = await served.raw(
      `POST /api/probes/p1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ada.key}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${chunk.repeat(3)}0\r\n\r\n`,
    )
    expect(answers.map(({ status }) => status)).toEqual([413])
    expect(JSON.parse(answers[0]!.text).error.code).toBe('payload_too_large')
  })
})

test('401 before the body is read', async () => {
  expectError(await send('{broken', { authorization: 'Bearer nobody' }), 'unauthorized')
  expectError(await send('x'.repeat(100_000), { authorization: 'Bearer nobody' }), 'unauthorized')
})
