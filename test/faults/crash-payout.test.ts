import { testCrashes } from './directed.ts'
import { quickPayouts } from './schedules/crashes.ts'

testCrashes(['a payout', 'paid once'], quickPayouts)
