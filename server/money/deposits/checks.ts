import { toFunctionSelector } from 'viem'
import { ServiceError } from '../../errors.ts'
import { type Chain, reachable } from '../chain/chain.ts'
import { readDailyCap } from '../chain/dollar.ts'
import { revertDataIn } from '../chain/rpc-errors.ts'
import { toDollars } from '../chain/units.ts'
import { revertText } from '../relays/failures.ts'
import { type PendingWithdrawal, readHolding } from '../relays/holdings.ts'
import type { Source } from '../relays/source.ts'
import { type Call, coinRefusal, tryCall } from '../relays/try-call.ts'

/**
 * Makes sure that the wallet has the dollars and that they could be paid.
 * @returns what it has beyond them, in base units
 * @throws ServiceError `dollars_above_cap`, `insufficient_dollars`, `chain_unreachable`
 */
export async function requireDollarsOf(
  source: Source,
  amount: bigint,
  { head, pending }: { head: bigint; pending: readonly PendingWithdrawal[] },
): Promise<bigint> {
  const [cap, { withdrawable }] = await reachable(() =>
    Promise.all([
      readDailyCap(source.chain, source.token),
      readHolding(source.chain.client, source, head, pending),
    ]),
  )
  if (amount > cap)
    throw new ServiceError(
      'dollars_above_cap',
      `The platform wallet pays ${toDollars(cap)} dollars in a day.`,
    )
  if (amount > withdrawable)
    throw new ServiceError(
      'insufficient_dollars',
      `The wallet ${source.wallet} has ${toDollars(withdrawable > 0n ? withdrawable : 0n)} dollars to lock.`,
    )
  return withdrawable - amount
}

/**
 * Tries the call of a deposit as an operator would send it, before it is stored. Nobody else could use the signature.
 * @throws ServiceError `dollars_unavailable`, `dollars_exist`, `authorization_invalid`, `chain_unreachable`
 */
export async function tryFund(chain: Chain, call: Call, blockNumber: bigint): Promise<void> {
  const refusal = await tryCall(chain, call, blockNumber)
  if (refusal !== undefined) throw refusalOf(refusal)
}

const unknownToken = toFunctionSelector('UnknownToken()')
const notFundable = toFunctionSelector('NotFundable()')

function refusalOf(error: unknown): ServiceError {
  const data = revertDataIn(error)
  const selector = data?.slice(0, 10)
  if (selector === unknownToken)
    return new ServiceError(
      'dollars_unavailable',
      'The token of this project is of earlier contracts, whose bounties take no dollars.',
    )
  if (selector === notFundable) return new ServiceError('dollars_exist')
  const said = data && revertText(data)
  return (
    coinRefusal(error) ??
    new ServiceError(
      'authorization_invalid',
      said &&
        `The coin refuses the signature: ${said}. Sign \`to_sign\` of GET /api/bounties/{id}/dollars?amount= with the wallet that funds the project.`,
    )
  )
}
