import { describe, expect, test } from 'vitest'
import { runForge } from './forge.ts'

// forge runs once; each of its tests becomes one here, so that the counts are its own. CONTRACT_TESTS=long makes
// ten times as many calls, from another seed each time.
const campaign = process.env.CONTRACT_TESTS === 'long' ? 10 : 1
const calls = 25_600 * campaign
const report = await runForge({
  environment: {
    FOUNDRY_INVARIANT_RUNS: String(256 * campaign),
    FOUNDRY_FUZZ_RUNS: String(512 * campaign),
    ...(campaign > 1 ? { FOUNDRY_FUZZ_SEED: String(Date.now()) } : {}),
  },
})

for (const contract of new Set(report.map((result) => result.contract))) {
  describe(contract, () => {
    for (const result of report.filter((candidate) => candidate.contract === contract)) {
      test(result.name, () => {
        expect(result.passed, result.reason).toBe(true)
        if (result.kind === 'invariant') expect(result.calls).toBeGreaterThanOrEqual(calls)
      })
    }
  })
}

test('forge ran the unit, fuzz and invariant tests', () => {
  const count = (kind: string) => report.filter((result) => result.kind === kind).length
  expect(count('unit')).toBeGreaterThan(50)
  expect(count('fuzz')).toBeGreaterThan(10)
  expect(count('invariant')).toBe(15)
})
