import { testCrashes } from './directed.ts'
import { withdrawalsKilled, withdrawalsStopped } from './schedules/crashes.ts'

testCrashes(['a withdrawal', 'made once'], { killed: withdrawalsKilled, stopped: withdrawalsStopped })
