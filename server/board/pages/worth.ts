import { spotPrice } from '../../money/chain/curve.ts'
import { isRead, type NoReading } from '../../money/chain/patience.ts'
import { toDecimal } from '../../money/chain/units.ts'
import { quoteOf } from '../../money/funding/quote.ts'
import { splitReward } from '../../money/payouts/platform-fee.ts'
import { latestSold, type ProjectFigures } from '../lists.ts'
import { grouped, type Inline } from '../page.ts'
import { fromChain, type OutputOf } from '../reader.ts'
import type { PageRequest, Site } from './definition.ts'
import { type Bounty, eth } from './parts.ts'

type Market = OutputOf<'projects.market'>['market']
type Reward = Pick<Bounty, 'id' | 'project_id' | 'reward_amount'>

/** What the contributor gets of a reward, after the platform fee, in whole tokens. */
export function netOf(reward: number, { feeBps }: Site): string {
  return toDecimal(splitReward(reward, feeBps).net)
}

/** What a project's curve offers, with a quote for what the contributor gets; or why it is not known. */
export async function marketFor(
  { read, site }: PageRequest,
  { project_id, reward_amount }: Reward,
): Promise<Market | NoReading> {
  const found = await fromChain(read('projects.market', { id: project_id, sell: netOf(reward_amount, site) }))
  return isRead(found) ? found.market : found
}

/**
 * What the contributors of bounties could sell their rewards for after the latest known trade, by the id of the bounty. It follows
 * from rows, and from the parameters of curves, which never change, so that lists stay cached.
 */
export async function worthOf(
  { db, site }: PageRequest,
  bounties: readonly Reward[],
): Promise<Map<string, Inline>> {
  const curves = await latestSold(db, [...new Set(bounties.map(({ project_id }) => project_id))])
  const worth = bounties.map(async ({ id, project_id, reward_amount }): Promise<[string, Inline][]> => {
    const { curve_address = null, sold = null } = curves.get(project_id) ?? {}
    if (curve_address === null) return []
    if (sold === null) return [[id, 'sells for nothing yet: no purchase is known']]
    const shape = await site.curve(curve_address)
    if (!isRead(shape)) return []
    const quote = quoteOf({ shape, sold: BigInt(sold) }, splitReward(reward_amount, site.feeBps).net)
    return [[id, ['sells for ', soldNow({ quote }, ' after the fee')]]]
  })
  return new Map((await Promise.all(worth)).flat())
}

/** What a project's curve takes for a token, after the latest known trade, before its fee, in wei; null if it is not known. */
export async function priceOf(
  { site }: PageRequest,
  { curve_address, sold }: Pick<ProjectFigures, 'curve_address' | 'sold'>,
): Promise<bigint | null> {
  const shape = curve_address === null ? 'token_not_deployed' : await site.curve(curve_address)
  return isRead(shape) ? spotPrice(shape, BigInt(sold ?? 0)) : null
}

/** What the quote of a market says. */
export function soldNow(
  { quote: { amount, sellable, eth: worth } }: Pick<Market, 'quote'>,
  now = ' now',
): Inline {
  if (Number(sellable) === 0) return 'nothing yet: no buyer has put in ether'
  if (sellable === amount) return [eth(worth), now]
  return [eth(worth), `${now}: the curve buys only ${grouped(sellable)} of ${grouped(amount)}`]
}
