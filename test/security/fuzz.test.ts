import { testFuzz } from './fuzz/play.ts'

testFuzz(1200)
