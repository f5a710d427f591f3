import { type Address, isAddressEqual, zeroAddress } from 'viem'
import { ServiceError } from '../../errors.ts'
import type { Parts } from '../../parts.ts'
import { isProjectContract } from './queries.ts'

/**
 * Refuses addresses that belong to the platform or to nobody, in any letter case: rewards sent there would be lost,
 * or would look like the platform's own.
 * @throws ServiceError `reserved_address`
 */
export async function refuseReservedAddress(
  { chain, db }: Pick<Parts, 'chain' | 'db'>,
  address: string,
): Promise<void> {
  if (isAddressEqual(zeroAddress, address as Address))
    throw new ServiceError(
      'reserved_address',
      'That is the zero address: nobody has its key, so rewards would be lost.',
    )
  const platform = chain
    ? [
        chain.platformWallet,
        chain.projectFactory,
        chain.tokenImplementation,
        chain.curveImplementation,
        chain.treasury,
        chain.owner,
        ...chain.operators.map((operator) => operator.address),
      ]
    : []
  const reserved = platform.some((own) => isAddressEqual(own, address as Address))
  if (reserved || (await isProjectContract(db, address))) throw new ServiceError('reserved_address')
}
