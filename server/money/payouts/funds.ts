import type { Address } from 'viem'
import type { Config } from '../../config/config.ts'
import { ServiceError } from '../../errors.ts'
import type { Situation } from '../../lifecycle/situation.ts'
import type { Chain, Funds } from '../chain/chain.ts'
import type { ChainConnection } from '../chain/connection.ts'
import { payoutIdOf } from '../chain/on-chain-ids.ts'
import { toBaseUnits, toWholeTokens } from '../chain/units.ts'
import { lockedDollars } from './dollars.ts'

/**
 * The token and the wallet that pay a bounty, and its dollars, if the founder and the service can pay it now.
 * @throws ServiceError `token_not_deployed`, `payouts_disabled`, `insufficient_funds`, `dollars_lock_over`,
 *   `chain_not_configured`, `chain_unreachable`
 */
export async function requireFunds(
  connection: ChainConnection,
  config: Pick<Config, 'PAYOUTS_ENABLED' | 'PLATFORM_FEE_BPS'>,
  { id, project_id, reward_amount, token_address, curve_address, founder_wallet }: Situation,
) {
  // Every project with bounties has them.
  if (!token_address || !curve_address || !founder_wallet) throw new ServiceError('token_not_deployed')
  if (!config.PAYOUTS_ENABLED) throw new ServiceError('payouts_disabled')
  const token = token_address as Address
  const from = founder_wallet as Address
  const chain = connection.require()
  const [paused, { balance, allowance }, dollars] = await Promise.all([
    chain.isPaused(),
    chain.funds(token, from),
    lockedDollars(chain, payoutIdOf(chain.id, id), config.PLATFORM_FEE_BPS),
  ])
  if (paused) throw new ServiceError('payouts_disabled')
  const reward = toBaseUnits(reward_amount)
  if (balance < reward || allowance < reward) {
    const onCurve = await leftOnCurve(chain, token, curve_address as Address)
    throw new ServiceError(
      'insufficient_funds',
      "The founder's token balance or allowance does not cover the reward. To approve, first " +
        `${howToCover(project_id, { balance, allowance, onCurve }, reward_amount)}.`,
    )
  }
  return { token, from, ...dollars }
}

/** What a founder can pay with, and what it can buy. */
export interface Means extends Funds {
  /** Whole tokens that the project's curve has left. */
  onCurve: bigint
}

/** Whole tokens that a curve can still sell. @throws ServiceError `chain_unreachable` */
export async function leftOnCurve(chain: Chain, token: Address, curve: Address): Promise<bigint> {
  return toWholeTokens((await chain.funds(token, curve)).balance)
}

/** What a founder does so that its means cover so many whole tokens, which they do not. Begins in lower case. */
export function howToCover(
  projectId: string,
  { balance, allowance, onCurve }: Means,
  needed: number,
): string {
  const missing = BigInt(needed) - toWholeTokens(balance)
  return [
    missing > onCurve &&
      `get ${missing} tokens from those who hold them, because the project's curve has only ${onCurve} left`,
    missing > 0n &&
      missing <= onCurve &&
      `buy ${missing} tokens on the project's curve (GET /api/projects/${projectId}/market?buy=${missing} has its address and a quote)`,
    toWholeTokens(allowance) < BigInt(needed) &&
      `raise the allowance (POST /api/projects/${projectId}/allowance {"amount":"${needed}"}, or approve the platform wallet yourself)`,
  ]
    .filter(Boolean)
    .join(', then ')
}
