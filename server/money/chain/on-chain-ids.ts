import { encodeAbiParameters, type Hex, keccak256, stringToHex } from 'viem'

/** The id under which the platform wallet pays a bounty once and never again, on this chain only. */
export function payoutIdOf(chainId: number, bountyId: string): Hex {
  return keccak256(
    encodeAbiParameters([{ type: 'uint256' }, { type: 'string' }], [BigInt(chainId), bountyId]),
  )
}

/** The key under which the factory creates a project's contracts once. */
export function projectKeyOf(projectId: string): Hex {
  return keccak256(stringToHex(projectId))
}
