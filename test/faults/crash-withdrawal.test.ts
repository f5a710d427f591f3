import { testCrashedWithdrawals } from './crash-withdrawal.ts'

// The other steps are those of a payout; the long test takes them all.
testCrashedWithdrawals(({ name }) => /signature|settlement|intent/.test(name))
