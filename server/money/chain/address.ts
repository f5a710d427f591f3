import type { Address } from 'viem'

/**
 * A stored address in the form that viem accepts. Agents may write addresses in any letter case, and viem refuses mixed
 * case that is not the EIP-55 checksum.
 */
export function chainAddress(stored: string): Address {
  return stored.toLowerCase() as Address
}
