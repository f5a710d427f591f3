import type { Address, Hex } from 'viem'
import { ServiceError } from '../../errors.ts'
import type { Chain } from '../chain/chain.ts'
import { isRevert, revertDataIn } from '../chain/rpc-errors.ts'
import { refusalIn, revertText } from './failures.ts'

/** The call that carries a signature. */
export interface Call {
  to: Address
  data: Hex
}

/**
 * Tries a call as an operator would send it.
 * @returns what reverts it; undefined if nothing does
 * @throws ServiceError `chain_unreachable`
 */
export async function tryCall(
  { client, operators }: Chain,
  call: Call,
  blockNumber: bigint,
): Promise<unknown> {
  const [operator] = operators
  try {
    await client.call({ ...call, ...(operator && { account: operator.address }), blockNumber })
    return undefined
  } catch (error) {
    if (!isRevert(error)) throw new ServiceError('chain_unreachable', undefined, { cause: error })
    return error
  }
}

/** What the coin says where it moves nothing for these wallets, or for anybody; undefined for any other refusal. */
export function coinRefusal(error: unknown): ServiceError | undefined {
  if (refusalIn(error) !== 'coin_refused') return undefined
  const said = revertText(revertDataIn(error) as Hex)
  return new ServiceError(
    'dollars_unavailable',
    `The coin is paused, or refuses one of the wallets: ${said}.`,
  )
}
