import { testContracts } from './forge-tests.ts'

await testContracts({ fuzzRuns: 64, invariantRuns: 32, seed: '0x1' })
