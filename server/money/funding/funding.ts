import type { Address } from 'viem'
import { requireOwnProject } from '../../api/require-project.ts'
import type { Database } from '../../db/client.ts'
import { ServiceError } from '../../errors.ts'
import type { Services } from '../../services.ts'
import type { Chain, Funds } from '../chain/chain.ts'
import type { RecentFunds, RecentReadings } from '../chain/recent.ts'
import { toWholeTokens } from '../chain/units.ts'
import { howToCover, leftOnCurve, type Means } from '../payouts/funds.ts'
import { lockCommitted } from './queries.ts'

/** The funds of a founder, in base units, and the part that is committed to bounties. */
export interface Funding extends Means {
  /** Whole tokens that were committed to bounties before the chain was read. */
  committed: number
}

/**
 * Reads what the founder of a project can pay with now, after the checks that need no chain.
 * @throws ServiceError `project_not_found`, `not_founder`, `token_not_deployed`, `chain_not_configured`,
 *   `chain_unreachable`, in this order
 */
export async function readFunding(
  { chain, db }: Pick<Services, 'chain' | 'db'>,
  projectId: string,
  callerId: string,
): Promise<Funding> {
  const project = await requireOwnProject(db, projectId, callerId)
  const { token_address, curve_address, founder_wallet, committed } = project
  if (token_address === null || curve_address === null || founder_wallet === null)
    throw new ServiceError('token_not_deployed')
  const reader = chain.require()
  const token = token_address as Address
  const [funds, onCurve] = await Promise.all([
    reader.funds(token, founder_wallet as Address),
    leftOnCurve(reader, token, curve_address as Address),
  ])
  return { ...funds, onCurve, committed }
}

/** Funds read a moment ago, and whether the platform wallet refuses all payouts. @throws ServiceError `chain_unreachable` */
export async function readRecentFunds(
  chain: Chain,
  recent: RecentReadings,
  { token_address, founder_wallet }: { token_address: string | null; founder_wallet: string | null },
): Promise<RecentFunds & { isPaused: boolean }> {
  const [isPaused, funds] = await Promise.all([
    recent.isPaused(chain),
    recent.funds(chain, token_address as Address, founder_wallet as Address),
  ])
  return { ...funds, isPaused }
}

/**
 * Makes sure that funds cover the `reward` of a bounty beside all others of the project that are not done, and locks the project, so
 * that its bounties are stored one by one.
 * @param held what the bounty itself has committed before, in whole tokens like the reward
 * @throws ServiceError `insufficient_funds`
 */
export async function requireCovered(
  trx: Database,
  projectId: string,
  funding: Funding,
  { reward, held = 0 }: { reward: number; held?: number },
): Promise<void> {
  const others = (await lockCommitted(trx, projectId, funding.committed)) - held
  if (BigInt(others) + BigInt(reward) > toWholeTokens(spendable(funding)))
    throw uncovered(projectId, funding, others, reward)
}

/** The refusal of a reward that the funds do not cover, with every figure that decided it, in whole tokens. */
function uncovered(projectId: string, funds: Means, committed: number, reward: number): ServiceError {
  const total = toWholeTokens(spendable(funds))
  const cause = BigInt(reward) <= total ? ' Earlier bounties that are not done hold the rest.' : ''
  return new ServiceError(
    'insufficient_funds',
    `Requested: ${reward} whole tokens; ${total - BigInt(committed)} available, which is the smaller of balance ` +
      `(${toWholeTokens(funds.balance)}) and allowance (${toWholeTokens(funds.allowance)}), minus ${committed} committed ` +
      `to bounties that are not done.${cause} Lower the reward, or ${howToCover(projectId, funds, committed + reward)}.`,
  )
}

/** The part of a balance that the platform wallet may move, in base units. */
export function spendable({ balance, allowance }: Funds): bigint {
  return balance < allowance ? balance : allowance
}
