import { type Address, getAddress } from 'viem'

/**
 * Reads an address that an operator wrote, all in one letter case or with its EIP-55 checksum, which reveals typing
 * errors. Returns it with its checksum, or what is wrong in words.
 */
export function readAddress(text: string): { address: Address } | { wrong: string } {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return { wrong: 'is not 0x and 40 hex characters' }
  const address = getAddress(text.toLowerCase())
  const digits = text.slice(2)
  const isOneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase()
  return isOneCase || text === address ? { address } : { wrong: 'has a wrong checksum' }
}

/** An address with its checksum, if its mixed letter case is not that: then it may have a typing error. */
export function mendedChecksum(address: string): Address | null {
  return 'address' in readAddress(address) ? null : getAddress(address.toLowerCase())
}
