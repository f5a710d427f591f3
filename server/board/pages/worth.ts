import { spotPrice } from '../../money/chain/curve.ts'
import { isRead, type NoReading } from '../../money/chain/patience.ts'
import { fromDecimal, fromDollars, toDecimal, toDollars } from '../../money/chain/units.ts'
import { quoteOf } from '../../money/funding/quote.ts'
import { dollarFeeOf } from '../../money/payouts/dollars.ts'
import { splitReward } from '../../money/payouts/platform-fee.ts'
import { latestSold, type ProjectFigures } from '../lists.ts'
import { type Amount, dollars, grouped, type Inline, tokensNamed } from '../page.ts'
import { fromChain, type OutputOf } from '../reader.ts'
import type { PageRequest, Site } from './definition.ts'
import { type Bounty, eth } from './parts.ts'

type Market = OutputOf<'projects.market'>['market']
type Reward = Pick<Bounty, 'project_id' | 'reward_amount'>

/** Digits that are shown of what can be compared. */
const worthDigits = 2
const priceDigits = 3

/** What the contributor gets of a reward, after the platform fee, in whole tokens. */
export function netOf(reward: number, { feeBps }: Site): string {
  return toDecimal(splitReward(reward, feeBps).net)
}

/** What the contributor gets of the dollars that are locked for a bounty. */
export function netDollars(locked: string, { feeBps }: Site): Amount {
  const units = fromDollars(locked)
  return dollars(toDollars(units - dollarFeeOf(units, feeBps)))
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
 * What the contributors of bounties could sell `net` base units of their tokens for after the latest known trade, by the id of the
 * bounty. It follows from rows, and from the parameters of curves, which never change.
 */
export async function worthOf(
  { db, names, site }: Pick<PageRequest, 'db' | 'names' | 'site'>,
  rewards: readonly { id: string; project_id: string; net: bigint }[],
): Promise<Map<string, Inline>> {
  const projects = [...new Set(rewards.map(({ project_id }) => project_id))]
  const [curves, named] = await Promise.all([latestSold(db, projects), names(projects)])
  const worth = rewards.map(async ({ id, project_id, net }): Promise<[string, Inline][]> => {
    const { curve_address = null, sold } = curves.get(project_id) ?? {}
    if (curve_address === null) return []
    const shape = await site.curve(curve_address)
    if (!isRead(shape)) return []
    const quote = quoteOf({ shape, sold: BigInt(sold ?? 0) }, net)
    return [[id, soldNow({ quote }, named.get(project_id)?.token_symbol ?? 'tokens')]]
  })
  return new Map((await Promise.all(worth)).flat())
}

/** The rewards of bounties, as {@link worthOf} takes them. */
export const rewardsOf = (bounties: readonly (Reward & { id: string })[], { feeBps }: Site) =>
  bounties.map(({ id, project_id, reward_amount }) => ({
    id,
    project_id,
    net: splitReward(reward_amount, feeBps).net,
  }))

/** What a project's curve takes for tokens, after the latest known trade, before its fee; null if that is not known. */
export async function priceOf(
  { site }: PageRequest,
  { curve_address, sold }: Pick<ProjectFigures, 'curve_address' | 'sold'>,
  symbol: string,
): Promise<Inline | null> {
  const shape = curve_address === null ? 'token_not_deployed' : await site.curve(curve_address)
  if (!isRead(shape)) return null
  const lot = lotOf(toDecimal(shape.supply), symbol)
  return [lot.price(toDecimal(spotPrice(shape, BigInt(sold ?? 0)))), lot.per]
}

/** So many tokens of a supply that a price of them is no tiny fraction: what that is called, and its price, from that of one. */
export function lotOf(supply: string, symbol: string) {
  const tokens = Number(supply)
  const [size, name] = tokens < 1e6 ? [1, ''] : tokens < 1e11 ? [1e6, '1M '] : [1e9, '1B ']
  return {
    per: ` per ${name}${tokensNamed(symbol)}`,
    price: (ofOne: string) => eth(toDecimal(fromDecimal(ofOne) * BigInt(size)), priceDigits),
  }
}

/** What the quote of a market says: at most so much, and of how many tokens where the curve buys no more. */
export function soldNow(
  { quote: { amount, sellable, eth: worth } }: Pick<Market, 'quote'>,
  symbol: string,
): Inline {
  if (Number(sellable) === 0) return `nobody buys ${tokensNamed(symbol)} yet`
  if (sellable === amount) return eth(worth, worthDigits)
  return [eth(worth, worthDigits), ` for ${grouped(sellable)} of ${grouped(amount)}`]
}
