import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createExampleMarket } from '../support.ts'
import type { KillAt } from './killed.ts'
import { afterFirst, liveTogether } from './lifecycle.ts'

/** A kill after so many requests; see {@link KillAt}. */
interface Kill {
  gap: number
  when: 'before' | 'after' | number
}

const when = fc.oneof(fc.constantFrom('before' as const, 'after' as const), fc.integer({ min: 0, max: 400 }))
const kills = fc.infiniteStream<Kill>(fc.record({ gap: fc.integer({ min: 1, max: 12 }), when }))

test('agents that are killed after each kind of write finish the lifecycle, and do nothing twice', async () => {
  const market = await createExampleMarket()
  const lives = await liveTogether(market, {
    founder: afterFirst(['POST /api/projects/{id}/bounties', 'POST /api/bounties/{id}/approve']),
    contributor: afterFirst(['POST /api/bounties/{id}/claim', 'POST /api/bounties/{id}/submit']),
  })
  expect(lives.founder.kills).toBe(2)
  expect(lives.contributor.kills).toBe(2)
  await market.close()
})

test('agents that are killed at random finish the lifecycle, and do nothing twice', async () => {
  let all = 0
  await fc.assert(
    fc.asyncProperty(kills, kills, async (ofFounder, ofContributor) => {
      const market = await createExampleMarket()
      const lives = await liveTogether(market, {
        founder: everySoOften(ofFounder, 30),
        contributor: everySoOften(ofContributor, 30),
      })
      all += lives.founder.kills + lives.contributor.kills
      await market.close()
    }),
    { numRuns: 5, endOnFailure: true },
  )
  expect(all).toBeGreaterThan(50)
}, 900_000)

/** @param most how many kills at most, so that the agent ends at all */
function everySoOften(plan: fc.Stream<Kill>, most: number): KillAt {
  let left = most
  let next = plan.next().value
  let seen = 0
  return () => {
    if (left === 0 || ++seen < next.gap) return undefined
    const { when } = next
    left--
    seen = 0
    next = plan.next().value
    return when
  }
}
