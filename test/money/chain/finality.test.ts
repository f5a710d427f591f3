import type { PublicClient } from 'viem'
import { describe, expect, test } from 'vitest'
import { readConfig } from '../../../server/config/config.ts'
import { depthBelow, depthOf, finalityOf, secondsToFinal } from '../../../server/money/chain/finality.ts'

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

  test('no block counts while the chain is shorter than the confirmations', () => {
    expect(depthOf(2, undefined, finality).counted).toBeLessThan(0)
  })

  test('with one confirmation the newest block counts', () => {
    expect(depthOf(100, undefined, { ...finality, confirmations: 1 }).counted).toBe(100)
  })

  test('nothing is final that does not count', () => {
    expect(depthOf(100, undefined, { ...finality, finalityBlocks: 1 })).toEqual({
      head: 100,
      counted: 96,
      final: 96,
    })
  })
})

describe('depthBelow', () => {
  const base = { confirmations: 5, finalityBlocks: 64 }
  /** A node that knows the number of one tagged block. */
  const node = (tag: string, number: bigint) =>
    ({
      getBlock: async ({ blockTag }: { blockTag: string }) => {
        if (blockTag !== tag) throw new Error(`the node does not know ${blockTag}`)
        return { number }
      },
    }) as unknown as PublicClient

  test('asks the node for the block with the tag', async () => {
    const finality = { ...base, tag: 'safe' as const }
    expect(await depthBelow(node('safe', 80n), 100, finality)).toEqual({ head: 100, counted: 80, final: 37 })
  })

  test('asks nothing without a tag', async () => {
    expect(await depthBelow(node('none', 0n), 100, { ...base, tag: null })).toEqual({
      head: 100,
      counted: 96,
      final: 37,
    })
  })

  test('throws where the node does not know the tag', async () => {
    await expect(depthBelow(node('safe', 80n), 100, { ...base, tag: 'finalized' })).rejects.toThrow(
      'finalized',
    )
  })
})

describe('secondsToFinal', () => {
  /** A chain whose blocks come every so many seconds. */
  const chainOf = (head: number, seconds: number) =>
    ({
      getBlock: async ({ blockNumber = BigInt(head) } = {}) => ({
        number: blockNumber,
        timestamp: BigInt(Math.floor(Number(blockNumber) * seconds)),
      }),
    }) as unknown as PublicClient

  // Block 990 is final when the head is 1,053, so 53 blocks from 1,000.
  test.each([
    [0.25, 14],
    [2, 106],
    [12, 636],
  ])('at a block in %d s it is %d s', async (pace, seconds) => {
    const finality = { confirmations: 5, tag: null, finalityBlocks: 64 }
    expect(await secondsToFinal(chainOf(1000, pace), 990, finality)).toBe(seconds)
  })

  test('a second on a chain of one block', async () => {
    const finality = { confirmations: 1, tag: null, finalityBlocks: 1 }
    expect(await secondsToFinal(chainOf(0, 2), 0, finality)).toBe(1)
  })
})
