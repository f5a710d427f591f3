import fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitReward } from '../../../server/money/payouts/platform-fee.ts'

const reward = fc.integer({ min: 1, max: 10 ** 12 })

test('the highest fee of the settings is one that the contract accepts, for every reward', () => {
  fc.assert(
    fc.property(reward, fc.integer({ min: 0, max: 2000 }), (tokens, feeBps) => {
      const { net, fee } = splitReward(tokens, feeBps)
      expect(net + fee).toBe(BigInt(tokens) * 10n ** 18n)
      expect(5n * fee).toBeLessThanOrEqual(net + fee)
    }),
    { seed: 1 },
  )
})

test('one basis point more is not', () => {
  fc.assert(
    fc.property(reward, (tokens) => {
      const { net, fee } = splitReward(tokens, 2001)
      expect(5n * fee).toBeGreaterThan(net + fee)
    }),
    { seed: 1 },
  )
})
