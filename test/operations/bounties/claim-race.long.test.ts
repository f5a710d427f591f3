import { testClaimRace } from './claim-race.ts'

testClaimRace(1000)
