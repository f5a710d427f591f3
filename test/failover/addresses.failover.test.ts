import { testRounds } from './play.ts'
import {
  leaderCutOffAndReplaced,
  leaderKilled,
  leaderPaused,
  postgresKilled,
  switchedOver,
} from './schedules/faults.ts'
import { at } from './schedules/rounds.ts'

// Without failsafe mode, so that a leader without etcd is replaced.
testRounds({ synchronous: true, patroni: { failsafe_mode: false } }, 'all nodes', {
  'servers with the addresses of all nodes find the new leader by themselves': [
    ...at(postgresKilled, 'receipt seen'),
    ...at(leaderKilled, 'attempt sent'),
    ...at(switchedOver, 'attempt signed'),
    ...at(leaderCutOffAndReplaced, 'attempt stored'),
    ...at(leaderPaused, 'outcome stored'),
  ],
})
