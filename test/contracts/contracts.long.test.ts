import { testContracts } from './forge-tests.ts'

const seed = process.env.FOUNDRY_FUZZ_SEED ?? `0x${Date.now().toString(16)}`

await testContracts({ fuzzRuns: 5120, invariantRuns: 2560, seed })
