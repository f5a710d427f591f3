import { testClaimRace } from './claim-race.ts'

testClaimRace(50)
