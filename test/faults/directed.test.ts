import { testDirected } from './directed.ts'
import { firstAgainst } from './schedules/mutants.ts'

testDirected(firstAgainst)
