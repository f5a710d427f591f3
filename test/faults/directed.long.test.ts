import { testDirected } from './directed.ts'
import { rareDirected } from './schedules/directed.ts'
import { moreOfWithdrawals } from './schedules/directed-withdrawals.ts'

testDirected([...rareDirected, ...moreOfWithdrawals])
