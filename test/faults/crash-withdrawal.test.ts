import { testCrashes } from './crashes.ts'
import { quickWithdrawals } from './schedules/crashes.ts'

testCrashes(['a withdrawal', 'made once'], quickWithdrawals)
