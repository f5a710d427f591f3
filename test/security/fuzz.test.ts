import { testFuzz } from './fuzz/play.ts'

testFuzz(2000)
