import { testDirected } from './directed.ts'
import { quickDirected } from './schedules/directed.ts'

testDirected(quickDirected)
