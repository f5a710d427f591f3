import { hash } from 'node:crypto'
import { type Address, isAddressEqual } from 'viem'
import { ServiceError } from '../../errors.ts'
import { chainAddress } from '../chain/address.ts'
import { fromDecimal } from '../chain/units.ts'

/** What an agent asks for. */
export interface WithdrawalRequest {
  /** `dollars` for the coin. */
  project_id: string
  /** Whole tokens as a decimal string, or `all`. */
  amount: string
  to: string
  as: 'tokens' | 'eth'
  min_eth?: string | undefined
}

/** What a request with the same Idempotency-Key must match. */
export function digestOf({ project_id, amount, to, as, min_eth }: WithdrawalRequest): Buffer {
  const base = amount === 'all' ? amount : String(fromDecimal(amount))
  const least = min_eth === undefined ? null : String(fromDecimal(min_eth))
  return hash('sha256', JSON.stringify([project_id, base, to.toLowerCase(), as, least]), 'buffer')
}

/**
 * Refuses a limit that means nothing, and the managed wallet as recipient: nothing would change, and ETH in it cannot be
 * moved without exporting its key.
 * @throws ServiceError `validation_failed`
 */
export function ensureSensible({ to, as, min_eth }: WithdrawalRequest, wallet: Address): void {
  const issue = (path: string, message: string) =>
    new ServiceError('validation_failed', `${path}: ${message}.`, { issues: [{ path, message }] })
  if (as === 'tokens' && min_eth !== undefined) throw issue('min_eth', 'belongs to withdrawals as eth')
  if (isAddressEqual(chainAddress(to), wallet)) throw issue('to', 'is the managed wallet itself')
}
