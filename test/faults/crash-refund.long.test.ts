import { testCrashes } from './directed.ts'
import { refundsKilled, refundsStopped } from './schedules/crashes.ts'

testCrashes(['a refund', 'made once'], { killed: refundsKilled, stopped: refundsStopped })
