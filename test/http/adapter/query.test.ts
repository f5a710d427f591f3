import { describe, expect, test } from 'vitest'
import { expectInvalid } from '../../support/errors.ts'
import { sampleOperations } from '../sample-operations.ts'
import { serve } from '../serve.ts'

const served = await serve({ operations: sampleOperations })
const read = (target: string) => served.api('GET', `/api/probes/${target}`)

describe('numbers', () => {
  test('200: plain numbers become numbers only if the schema is a number', async () => {
    const { status, body } = await read('p1?count=7&balance=-5&word=42')
    expect({ status, body }).toEqual({ status: 200, body: { id: 'p1', count: 7, balance: -5, word: '42' } })
  })

  test('200: an absent one is its default', async () => {
    expect((await read('p1')).body).toEqual({ id: 'p1', count: 20 })
  })

  test.each([
    '',
    '%20',
    '07',
    '+7',
    '7.',
    '.5',
    '1e3',
    '0x10',
    '1_000',
    'NaN',
    'Infinity',
    '-0',
    '--1',
    '7%20',
    '١',
    'true',
    'null',
    '7.5',
    '9007199254740993',
  ])('400 validation_failed for count=%s', async (count) => {
    expectInvalid(await read(`p1?count=${count}`), 'count')
  })
})

describe('400 validation_failed', () => {
  test('for a repeated key', async () => {
    expectInvalid(await read('p1?word=a&word=b'), 'word')
    expectInvalid(await read('p1?count=1&count=1'), 'count')
  })

  test('for an unknown key, named in the issue', async () => {
    expectInvalid(await read('p1?limit=1&__proto__=1&toString=1'), '__proto__', 'limit', 'toString')
  })

  test('for a key that the path gives', async () => {
    expectInvalid(await read('p1?id=p2'), 'id')
  })

  test('for an id longer than ids can be', async () => {
    expectInvalid(await read('x'.repeat(201)), 'id')
  })
})

describe('path parameters', () => {
  test.each([
    ['%C3%BC%20x', 'ü x'],
    ['a%2Fb', 'a/b'],
    ['a%252Fb', 'a%2Fb'],
    ['a+b', 'a+b'],
    ['%F0%9F%A6%80', '🦀'],
    ['..%2f..%2fetc', '../../etc'],
    ['a;b=c', 'a;b=c'],
  ])('%s is decoded once', async (encoded, id) => {
    expect((await read(encoded)).body.id).toBe(id)
  })
})

test('an operation without input takes no notice of a query', async () => {
  expect((await served.api('GET', '/api/probes?a=1')).status).toBe(200)
})
