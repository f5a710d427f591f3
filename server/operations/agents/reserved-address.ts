import { type Address, isAddressEqual, zeroAddress } from 'viem'
import type { Chain } from '../../chain/chain.ts'
import { ServiceError } from '../../errors.ts'
import type { Services } from '../../startup/services.ts'
import { isProjectContract } from './queries.ts'

/**
 * Refuses addresses that belong to the platform or to nobody, in any letter case: rewards sent there would be lost, or
 * would look like the platform's own.
 * @throws ServiceError `reserved_address`, or `unavailable` if the platform's own addresses are not known yet
 */
export async function refuseReservedAddress(
  { chain, db }: Pick<Services, 'chain' | 'db'>,
  address: string,
): Promise<void> {
  if (isAddressEqual(zeroAddress, address as Address))
    throw new ServiceError(
      'reserved_address',
      'The address is the zero address: nobody has its key, so rewards would be lost.',
    )
  const reserved = platformAddresses(chain).some((own) => isAddressEqual(own, address as Address))
  if (reserved || (await isProjectContract(db, address))) throw new ServiceError('reserved_address')
}

function platformAddresses({ state, chain }: Services['chain']): Address[] {
  if (chain) return addressesOf(chain)
  if (state === 'not_configured') return []
  throw new ServiceError(
    'unavailable',
    "The chain has not responded since the service started, so the platform's own addresses are not known yet. " +
      'Try again later.',
  )
}

function addressesOf(chain: Chain): Address[] {
  return [
    chain.platformWallet,
    chain.projectFactory,
    chain.tokenImplementation,
    chain.curveImplementation,
    chain.treasury,
    chain.owner,
    ...chain.operators.map((operator) => operator.address),
  ]
}
