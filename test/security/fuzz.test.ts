import { testFuzz } from './fuzz/play.ts'

testFuzz(2200)
