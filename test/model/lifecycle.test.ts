import { testSequences } from './sequences.ts'

testSequences(2)
