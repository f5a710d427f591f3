import { testRounds } from './play.ts'
import {
  leaderCutOff,
  leaderKilled,
  leaderPaused,
  leaderPausedAsLeader,
  postgresKilled,
  proxyKilled,
  serverKilled,
  switchedOver,
} from './schedules/faults.ts'
import { at } from './schedules/rounds.ts'

/** Before a nonce is stored; stored and not sent; sent and not recorded; mined and not recorded; its outcome stored. */
const ofPayout = [
  'attempt signed',
  'attempt stored',
  'attempt sent',
  'receipt seen',
  'outcome stored',
] as const

const outcome =
  'nothing acknowledged is lost, everything is paid once, and writes are back within five seconds'

testRounds({ synchronous: true }, 'HAProxy', {
  [`the leader is killed: ${outcome}`]: at(
    leaderKilled,
    'attempt signed',
    'attempt stored',
    'attempt sent',
    'outcome stored',
  ),
  [`the leader's Postgres is killed: ${outcome}`]: at(
    postgresKilled,
    'intent stored',
    ...ofPayout,
    'repository created',
  ),
  [`the leader is paused, demoted and wakes: ${outcome}`]: [
    ...at(leaderPaused, 'attempt stored', 'outcome stored'),
    ...at(leaderPausedAsLeader, 'attempt sent'),
  ],
  [`an operator switches over: ${outcome}`]: at(switchedOver, ...ofPayout, 'deploy queued'),
  [`the leader is cut off from etcd and stays leader: ${outcome}`]: at(
    leaderCutOff,
    'attempt stored',
    'receipt seen',
  ),
  [`a server is killed: ${outcome}`]: at(serverKilled, ...ofPayout, 'answer ready', 'repository created'),
  [`HAProxy is killed: ${outcome}`]: at(proxyKilled, 'attempt stored', 'attempt sent', 'receipt seen'),
})
