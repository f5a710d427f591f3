import { testCrashes } from './crashes.ts'
import { deploysKilled, quickDeploysStopped } from './schedules/crashes.ts'

testCrashes(['an activation', 'one repository and one token'], {
  killed: deploysKilled,
  stopped: quickDeploysStopped,
})
