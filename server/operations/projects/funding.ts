import type { Address } from 'viem'
import type { Funds } from '../../chain/chain.ts'
import { toBaseUnits, toWholeTokens } from '../../chain/units.ts'
import { ServiceError } from '../../errors.ts'
import type { Services } from '../../startup/services.ts'
import { findProjectFunding } from './queries.ts'

/**
 * What the founder of a project can pay with now, after the checks that come before any look at the chain.
 * `committed` is as it was before that look, in whole tokens.
 * @throws ServiceError `project_not_found`, `not_founder`, `token_not_deployed`, `chain_not_configured`,
 *   `chain_unreachable`, in this order
 */
export async function readFunding(
  { chain, db }: Pick<Services, 'chain' | 'db'>,
  projectId: string,
  callerId: string,
): Promise<Funds & { committed: number }> {
  const project = await findProjectFunding(db, projectId)
  if (!project) throw new ServiceError('project_not_found')
  if (project.founder_id !== callerId) throw new ServiceError('not_founder')
  const { token_address, founder_wallet, committed } = project
  if (token_address === null || founder_wallet === null) throw new ServiceError('token_not_deployed')
  const funds = await chain.require().funds(token_address as Address, founder_wallet as Address)
  return { ...funds, committed }
}

/**
 * Refuses a reward for which nothing is left, with every figure that decides it. Rewards are in whole tokens.
 * @throws ServiceError `insufficient_funds`
 */
export function refuseUncovered(funds: Funds, committed: number, reward: number): void {
  const needed = BigInt(committed) + BigInt(reward)
  if (spendable(funds) >= toBaseUnits(needed)) return
  const total = toWholeTokens(spendable(funds))
  const cause = BigInt(reward) <= total ? ' Earlier bounties that are not done hold the rest.' : ''
  throw new ServiceError(
    'insufficient_funds',
    `Requested: ${reward} whole tokens; ${total - BigInt(committed)} available, which is the smaller of balance ` +
      `(${toWholeTokens(funds.balance)}) and allowance (${toWholeTokens(funds.allowance)}), minus ${committed} committed ` +
      `to bounties that are not done.${cause} Lower the reward, or raise balance and allowance.`,
  )
}

/** The part of a balance that the platform wallet may move, in base units. */
export function spendable({ balance, allowance }: Funds): bigint {
  return balance < allowance ? balance : allowance
}
