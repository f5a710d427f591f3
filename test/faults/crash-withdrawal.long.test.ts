import { testCrashedWithdrawals } from './crash-withdrawal.ts'

testCrashedWithdrawals(() => true)
