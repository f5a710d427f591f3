import type { Logger } from 'pino'
import type { Database } from '../../db/client.ts'
import type { RaiseAlarm } from '../../loops/alarms.ts'
import type { Chain } from '../chain/chain.ts'
import type { Finality } from '../chain/finality.ts'
import type { BlockId } from './store.ts'

/** What the follower of a chain needs. */
export interface FollowContext {
  db: Database
  chain: Chain
  finality: Finality
  /** Age of a block by the chain's own time until which the cursor stays behind it. */
  settleSeconds: number
  alarm: RaiseAlarm
  log: Logger
  memory: {
    /** The head up to which everything was last stored, and the fence of that time. */
    head?: TimedBlock
    fence?: number
    /** The cursor as this process has last read it from the chain. */
    cursor?: TimedBlock | undefined
  }
}

/** A block with its timestamp, in seconds. */
export interface TimedBlock extends BlockId {
  time: bigint
}
