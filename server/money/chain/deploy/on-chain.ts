import type { Address, PublicClient } from 'viem'
import { platformWallet } from '../generated/contracts.ts'

/** Whether a contract is at the address; at a block, if one is given. */
export async function hasCode(
  reader: Pick<PublicClient, 'getCode'>,
  address: Address,
  blockNumber?: bigint,
): Promise<boolean> {
  const code = await reader.getCode(blockNumber === undefined ? { address } : { address, blockNumber })
  return code !== undefined
}

/** Those of `addresses` that are not operators of a platform wallet, each once; at a block, if one is given. */
export async function notOperators(
  reader: Pick<PublicClient, 'readContract'>,
  wallet: Address,
  addresses: readonly Address[],
  blockNumber?: bigint,
): Promise<Address[]> {
  const each = [...new Set(addresses)]
  const call = { abi: platformWallet.abi, address: wallet, functionName: 'isOperator' } as const
  const at = blockNumber === undefined ? {} : { blockNumber }
  const known = await Promise.all(each.map((one) => reader.readContract({ ...call, ...at, args: [one] })))
  return each.filter((_, index) => !known[index])
}
