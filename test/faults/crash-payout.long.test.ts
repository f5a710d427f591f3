import { testCrashes } from './directed.ts'
import { payoutsKilled, payoutsStopped } from './schedules/crashes.ts'

testCrashes(['a payout', 'paid once'], { killed: payoutsKilled, stopped: payoutsStopped })
