import { testCrashes } from './crashes.ts'
import { quickDeploys } from './schedules/crashes.ts'

testCrashes(['an activation', 'one repository and one token'], quickDeploys)
