import { defaultTiming } from '../../../server/loops/timing.ts'
import type { Profile } from './profile.ts'

/** The settings of a chain that decide how long a lane has work with a transaction. */
type Depths = Pick<Profile, 'blockSeconds' | 'confirmations' | 'finalityBlocks'>

/** What the lanes of all operator keys do in a second. */
interface LaneLoad {
  /** Lanes that have transactions which are not final: they read the chain twice a second. */
  watching: number
  /** Lanes that have transactions without an outcome: they also look for a new block six times a second. */
  underWay: number
  /** Blocks that they ask for, to see whether transactions are still where they were. */
  checks: number
}

/**
 * The share of the time in which something goes on that begins so many times a second, at random moments, and takes so
 * many seconds; any number may go on at once.
 */
const shareOfTime = (perSecond: number, seconds: number): number => 1 - Math.exp(-perSecond * seconds)

/** Seconds until a transaction counts: the next block, the confirmations, and the look that notices the last one. */
const secondsUnderWay = ({ blockSeconds, confirmations }: Depths): number =>
  blockSeconds * (confirmations - 0.5) + defaultTiming.busyMs / 2000

/** What lanes do for so many transactions a second that come at random moments, as server/money/transactions does it. */
export function laneLoad(transactions: number, lanes: number, depths: Depths): LaneLoad {
  const { blockSeconds, confirmations, finalityBlocks } = depths
  const perLane = transactions / lanes
  const blocksUsed = shareOfTime(perLane, blockSeconds)
  // Blocks whose transactions count are asked for once after each new block, those below that depth at each tick.
  const counted = (blocksUsed * (finalityBlocks - confirmations)) / blockSeconds
  const waiting = (blocksUsed * (confirmations - 1) * 1000) / defaultTiming.idleMs
  return {
    watching: lanes * shareOfTime(perLane, blockSeconds * finalityBlocks),
    underWay: lanes * shareOfTime(perLane, secondsUnderWay(depths)),
    checks: lanes * (counted + waiting),
  }
}
