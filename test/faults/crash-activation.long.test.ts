import { testCrashes } from './directed.ts'
import { deploysKilled, deploysStopped } from './schedules/crashes.ts'

testCrashes(['an activation', 'one repository and one token'], {
  killed: deploysKilled,
  stopped: deploysStopped,
})
