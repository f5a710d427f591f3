import { testFuzz } from './fuzz/play.ts'

testFuzz(3000)
