import type { Address } from 'viem'

/**
 * A stored address in the form the chain library takes. Agents may write addresses in any letter case, while the
 * library refuses every mixture that is not the EIP-55 checksum.
 */
export function chainAddress(stored: string): Address {
  return stored.toLowerCase() as Address
}
