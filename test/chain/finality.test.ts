import { describe, expect, test } from 'vitest'
import { depthOf, finalityOf } from '../../server/chain/finality.ts'
import { readConfig } from '../../server/config/config.ts'

const settings = (own: Record<string, string> = {}) => readConfig(own)

describe('finalityOf', () => {
  test.each([31_337, 1337])(
    'one confirmation on the development chain %d, which may mine only on demand',
    (id) => {
      expect(finalityOf(settings(), id).confirmations).toBe(1)
    },
  )

  test.each([1, 8453, 84_532])('five confirmations on chain %d', (id) => {
    expect(finalityOf(settings(), id).confirmations).toBe(5)
  })

  test('as many confirmations as an operator sets, on any chain', () => {
    for (const id of [31_337, 8453])
      expect(finalityOf(settings({ CONFIRMATIONS: '3' }), id).confirmations).toBe(3)
  })
})

describe('depthOf', () => {
  const finality = { confirmations: 5, tag: null, finalityBlocks: 64 }

  test('a block counts when it and those above it are as many as the confirmations', () => {
    expect(depthOf(100, undefined, finality)).toEqual({ head: 100, counted: 96, final: 37 })
  })

  test('a block counts no earlier than the one that carries the tag', () => {
    expect(depthOf(100, 90, finality)).toEqual({ head: 100, counted: 90, final: 37 })
    expect(depthOf(100, 20, finality)).toEqual({ head: 100, counted: 20, final: 20 })
  })
})
