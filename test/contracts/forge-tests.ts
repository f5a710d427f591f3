import { describe, expect, test } from 'vitest'
import { runForge } from './forge.ts'

/** Runs forge once and declares a vitest test for each of its tests. */
export async function testContracts({ fuzzRuns, invariantRuns, seed }: Campaign): Promise<void> {
  const report = await runForge({
    environment: {
      FOUNDRY_FUZZ_RUNS: String(fuzzRuns),
      FOUNDRY_INVARIANT_RUNS: String(invariantRuns),
      FOUNDRY_INVARIANT_DEPTH: String(depth),
      FOUNDRY_FUZZ_SEED: seed,
    },
  })

  for (const contract of new Set(report.map((result) => result.contract))) {
    describe(contract, () => {
      for (const result of report.filter((candidate) => candidate.contract === contract)) {
        test(result.name, () => {
          expect(result.passed, `seed ${seed}\n${result.reason}`).toBe(true)
          if (result.kind === 'invariant') expect(result.calls).toBeGreaterThanOrEqual(invariantRuns * depth)
        })
      }
    })
  }

  test('forge ran the unit, fuzz and invariant tests', () => {
    const count = (kind: string) => report.filter((result) => result.kind === kind).length
    expect(count('unit')).toBeGreaterThan(50)
    expect(count('fuzz')).toBeGreaterThan(10)
    expect(count('invariant')).toBe(21)
  })
}

/** How many runs forge does. */
interface Campaign {
  /** Runs of each fuzzed test. */
  fuzzRuns: number
  /** Runs of each invariant, with {@link depth} calls each. */
  invariantRuns: number
  seed: string
}

const depth = 100
