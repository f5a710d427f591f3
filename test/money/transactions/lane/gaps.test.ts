import { expect, test } from 'vitest'
import { findGaps } from '../../../../server/money/transactions/tick/gaps.ts'

const watched = (...nonces: number[]) => nonces.map((nonce) => ({ nonce }))

test('no gap where every unused nonce has its transaction', () => {
  expect(findGaps({ minedNonce: 5 }, 8, watched(5, 6, 7))).toEqual([])
})

test('nonces that were given out and that no transaction has are gaps', () => {
  expect(findGaps({ minedNonce: 5 }, 9, watched(6, 8))).toEqual([5, 7])
})

test('used nonces are no gaps, and nor is the next one', () => {
  expect(findGaps({ minedNonce: 5 }, 5, watched())).toEqual([])
  expect(findGaps({ minedNonce: 5 }, 6, watched(3, 5))).toEqual([])
})

test('no gap where the chain is ahead of the database', () => {
  expect(findGaps({ minedNonce: 9 }, 5, watched())).toEqual([])
})

test('at most sixteen gaps, the lowest, whatever nonce a node reports', () => {
  expect(findGaps({ minedNonce: 2 }, 1_000_000, watched())).toEqual([
    2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17,
  ])
})
