import { testCrashedWithdrawals } from './crash-withdrawal.ts'
import { quickWithdrawals } from './schedules/crashes.ts'

testCrashedWithdrawals(quickWithdrawals)
