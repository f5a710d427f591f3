import { type Address, domainSeparator, type PublicClient, parseAbi } from 'viem'
import { isOfSilentNode } from '../client.ts'
import { hasCode } from './on-chain.ts'

const abi = parseAbi([
  'function decimals() view returns (uint8)',
  'function name() view returns (string)',
  'function version() view returns (string)',
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
])

/** What the reader of a stablecoin has to be able to do. */
export type DollarReader = Pick<PublicClient, 'getChainId' | 'getCode' | 'readContract'>

/**
 * Why a contract cannot be the stablecoin that founders lock, as a clause; undefined where nothing is in the way. USDC has no
 * ERC-5267, so wallets sign for the domain made of its name and version: the coin has to have the same.
 * @throws what viem throws when the node does not reply
 */
export async function dollarProblem(reader: DollarReader, dollar: Address): Promise<string | undefined> {
  if (!(await hasCode(reader, dollar))) return `there is no contract at ${dollar}`
  const coin = { abi, address: dollar } as const
  try {
    const [chainId, decimals, name, version, separator] = await Promise.all([
      reader.getChainId(),
      reader.readContract({ ...coin, functionName: 'decimals' }),
      reader.readContract({ ...coin, functionName: 'name' }),
      reader.readContract({ ...coin, functionName: 'version' }),
      reader.readContract({ ...coin, functionName: 'DOMAIN_SEPARATOR' }),
    ])
    if (decimals !== 6) return `${dollar} has ${decimals} decimals instead of 6`
    const domain = { name, version, chainId, verifyingContract: dollar }
    if (separator === domainSeparator({ domain })) return undefined
    return `the EIP-712 domain of ${dollar} is not that of its name and version, so no wallet can sign for it`
  } catch (error) {
    if (isOfSilentNode(error)) throw error
    return `what is at ${dollar} does not answer as a stablecoin with ERC-3009`
  }
}
