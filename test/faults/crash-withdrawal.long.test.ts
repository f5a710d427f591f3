import { testCrashedWithdrawals } from './crash-withdrawal.ts'
import { withdrawalsKilled, withdrawalsStopped } from './schedules/crashes.ts'

testCrashedWithdrawals({ killed: withdrawalsKilled, stopped: withdrawalsStopped })
