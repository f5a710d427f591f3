import { getAddress } from 'viem'
import { z } from 'zod'
import { address, dollars, id } from '../../api/fields.ts'
import { toDollars } from '../../money/chain/units.ts'
import type { RelayRow } from '../../money/relays/queries.ts'
import { presentRelay, relayFields } from '../../money/relays/schema.ts'

/** A withdrawal of dollars. */
export const dollarWithdrawal = z
  .object({
    id: id('withdrawal'),
    wallet_address: address.describe('The managed wallet that the dollars leave.'),
    amount: dollars.describe('In dollars.'),
    to: address.describe('Receives the dollars.'),
    ...relayFields,
  })
  .meta({
    id: 'DollarWithdrawal',
    description: 'A withdrawal of dollars from the managed wallet of its agent.',
  })

/** A row as it is returned. */
export function presentDollarWithdrawal(row: RelayRow): z.input<typeof dollarWithdrawal> {
  return {
    ...row,
    wallet_address: getAddress(row.wallet),
    amount: toDollars(BigInt(row.amount_moved ?? row.amount)),
    to: getAddress(row.recipient),
    ...presentRelay(row),
  }
}
