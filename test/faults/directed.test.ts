import { testDirected } from './directed.ts'
import { firstAgainst } from './schedules/mutants.ts'

testDirected({ 'against missing protections': firstAgainst })
