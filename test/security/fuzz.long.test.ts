import { testFuzz } from './fuzz/play.ts'

const { FUZZ_REQUESTS = '200000', FUZZ_SEED } = process.env

testFuzz(Number(FUZZ_REQUESTS), FUZZ_SEED === undefined ? undefined : Number(FUZZ_SEED))
