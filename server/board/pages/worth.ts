import { isRead, type NoReading } from '../../chain/patience.ts'
import { splitReward, toDecimal } from '../../chain/units.ts'
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

/** What the contributors of bounties could sell their rewards for now, by the id of the bounty. */
export async function worthOf(
  request: PageRequest,
  bounties: readonly Reward[],
): Promise<Map<string, Inline>> {
  const worth = bounties.map(async (bounty): Promise<[string, Inline][]> => {
    const market = await marketFor(request, bounty)
    return isRead(market) ? [[bounty.id, ['sells for ', soldNow(market)]]] : []
  })
  return new Map((await Promise.all(worth)).flat())
}

/** What the quote of a market says. */
export function soldNow({ quote: { amount, sellable, eth: worth } }: Market): Inline {
  if (Number(sellable) === 0) return 'nothing yet: no buyer has put in ether'
  if (sellable === amount) return [eth(worth), ' now']
  return [eth(worth), ` now: the curve buys only ${grouped(sellable)} of ${grouped(amount)}`]
}
