import { testCrashes } from './crashes.ts'
import { payoutsKilled, quickPayoutsStopped } from './schedules/crashes.ts'

testCrashes(['a payout', 'paid once'], { killed: payoutsKilled, stopped: quickPayoutsStopped })
