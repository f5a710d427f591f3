import { testCrashes } from './crashes.ts'
import { quickPayouts } from './schedules/crashes.ts'

testCrashes(['a payout', 'paid once'], quickPayouts)
