import { testUpdateRaces } from './update-races.ts'

testUpdateRaces(12)
