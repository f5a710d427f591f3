import { sql } from 'kysely'
import { type Address, isAddressEqual, zeroAddress } from 'viem'
import type { Database } from '../../db/client.ts'
import { ServiceError } from '../../errors.ts'
import type { Services } from '../../services.ts'
import type { Chain } from '../chain/chain.ts'

/**
 * Refuses addresses that belong to the platform or to nobody, in any letter case: what is sent there would be lost, or
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
  if (isBurnAddress(address)) throw new ServiceError('reserved_address', keyOfNobody)
  const reserved = platformAddresses(chain).some((own) => isAddressEqual(own, address as Address))
  if (reserved || (await isProjectContract(db, address))) throw new ServiceError('reserved_address')
}

/** Message for {@link isBurnAddress}. */
export const keyOfNobody =
  'Nobody has the key of this address, so what is sent there is lost. Send an address of your own.'

/** Addresses beyond the low ones to which tokens are sent to destroy them, or that stand for ETH. */
const burnAddresses = [
  '0xdead000000000000000000000000000000000000',
  '0xdead000000000000000042069420694206942069',
  '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0000',
  '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee',
  '0xffffffffffffffffffffffffffffffffffffffff',
]
/** Below it are precompiles and 0x…dEaD. A key has such an address with a chance of 1 in 2^144. */
const firstOfSomebody = 2n ** 16n

/** Whether it is known that nobody has the key of the address. The zero address has an error of its own. */
export function isBurnAddress(address: string): boolean {
  const number = BigInt(address)
  return (number > 0n && number < firstOfSomebody) || burnAddresses.includes(address.toLowerCase())
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

/** Whether `address`, in any letter case, is the token or the curve of a project. */
async function isProjectContract(db: Database, address: string): Promise<boolean> {
  const contract = address.toLowerCase()
  const found = await db
    .selectFrom('projects')
    .where((where) =>
      where.or([
        where(sql`lower(token_address)`, '=', contract),
        where(sql`lower(curve_address)`, '=', contract),
      ]),
    )
    .select('id')
    .executeTakeFirst()
  return found !== undefined
}
