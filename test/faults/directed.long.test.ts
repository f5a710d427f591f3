import { testDirected } from './directed.ts'
import { directed } from './schedules/directed.ts'

testDirected({ 'all schedules': directed })
