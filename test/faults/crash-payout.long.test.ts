import { testCrashes } from './directed.ts'
import { acceptancesKilled, payoutsKilled, payoutsStopped } from './schedules/crashes.ts'

testCrashes(['a payout', 'paid once'], {
  killed: payoutsKilled,
  stopped: payoutsStopped,
  accepted: acceptancesKilled,
})
