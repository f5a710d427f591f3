import type { Address } from 'viem'
import type { Chain } from '../../../money/chain/chain.ts'
import { isRead, withinPatience } from '../../../money/chain/patience.ts'
import type { RecentReadings } from '../../../money/chain/recent.ts'
import { toBaseUnits, toDecimal } from '../../../money/chain/units.ts'
import { readRecentFunds, spendable } from '../../../money/funding/funding.ts'
import { quoteOf } from '../../../money/funding/quote.ts'
import { splitReward } from '../../../money/payouts/platform-fee.ts'
import type { Services } from '../../../services.ts'
import type { BountyToClaim } from './queries.ts'

/** Longest time a response waits for the chain, in ms. */
const patienceMs = 3000

/** What a bounty would pay, whether it would be paid, and what that is worth; null where the chain does not respond in time. */
export async function readWorth({ chain: connection, config, recent }: Services, bounty: BountyToClaim) {
  const { chain } = connection
  const isOff = !config.PAYOUTS_ENABLED || connection.state === 'not_configured' || bounty.status === 'done'
  const contracts = { curve: bounty.curve_address as Address, token: bounty.token_address as Address }
  const [payable, market] = await Promise.all([
    isOff ? false : chain && inTime(isCovered(chain, recent, bounty)),
    chain && inTime(recent.market(chain, contracts)),
  ])
  const { net } = splitReward(bounty.reward_amount, config.PLATFORM_FEE_BPS)
  return { net: toDecimal(net), payable, value_eth: market && quoteOf(market, net).eth }
}

/** Whether the founder can pay this reward after all that was claimed before it, and the platform wallet pays. */
async function isCovered(chain: Chain, recent: RecentReadings, bounty: BountyToClaim): Promise<boolean> {
  const { reward_amount, committed_before } = bounty
  const funds = await readRecentFunds(chain, recent, bounty)
  return !funds.isPaused && spendable(funds) >= toBaseUnits(BigInt(committed_before) + BigInt(reward_amount))
}

async function inTime<Result>(reading: Promise<Result>): Promise<Result | null> {
  const read = await withinPatience(reading, patienceMs)
  return isRead(read) ? read : null
}
