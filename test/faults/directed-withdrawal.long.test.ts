import { testDirected } from './directed.ts'
import { moreOfWithdrawals } from './schedules/directed-withdrawals.ts'

testDirected(moreOfWithdrawals)
