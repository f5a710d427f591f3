import { type Address, domainSeparator, isAddressEqual, type PublicClient, parseAbi, zeroAddress } from 'viem'
import { isOfSilentNode } from './client.ts'
import { platformWallet } from './generated/contracts.ts'

const abi = parseAbi([
  'function decimals() view returns (uint8)',
  'function name() view returns (string)',
  'function version() view returns (string)',
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
])

/** The stablecoin that founders lock. Name and version are those of its EIP-712 domain. */
export interface Dollar {
  address: Address
  name: string
  version: string
}

/** What the reader of a stablecoin has to be able to do. */
export type DollarReader = Pick<PublicClient, 'getChainId' | 'getCode' | 'readContract'>

/**
 * The coin that a platform wallet takes, or why there is none, as a clause. The wallet alone decides: its coin never changes.
 * @throws what viem throws when the node does not reply
 */
export async function dollarOf(reader: DollarReader, wallet: Address): Promise<Dollar | string> {
  // Contracts of before there were dollars do not answer.
  const call = { abi: platformWallet.abi, address: wallet, functionName: 'dollar' } as const
  const taken = await reader.readContract(call).catch((error) => {
    if (isOfSilentNode(error)) throw error
    return zeroAddress
  })
  if (isAddressEqual(taken, zeroAddress)) return 'the platform wallet was made without a stablecoin'
  return readDollar(reader, taken)
}

/** Most base units of the coin that the platform wallet pays in a day; its owner can change it. */
export function readDailyCap(
  {
    client,
    platformWallet: address,
  }: { client: Pick<PublicClient, 'readContract'>; platformWallet: Address },
  dollar: Address,
): Promise<bigint> {
  return client.readContract({ abi: platformWallet.abi, address, functionName: 'dailyCap', args: [dollar] })
}

/**
 * The coin at an address, or why the contract there cannot be the stablecoin that founders lock, as a clause. USDC has no
 * ERC-5267, so wallets sign for the domain made of its name and version: the coin has to have the same.
 * @throws what viem throws when the node does not reply
 */
export async function readDollar(reader: DollarReader, address: Address): Promise<Dollar | string> {
  if (!(await reader.getCode({ address }))) return `there is no contract at ${address}`
  const coin = { abi, address } as const
  try {
    const [chainId, decimals, name, version, separator] = await Promise.all([
      reader.getChainId(),
      reader.readContract({ ...coin, functionName: 'decimals' }),
      reader.readContract({ ...coin, functionName: 'name' }),
      reader.readContract({ ...coin, functionName: 'version' }),
      reader.readContract({ ...coin, functionName: 'DOMAIN_SEPARATOR' }),
    ])
    if (decimals !== 6) return `${address} has ${decimals} decimals instead of 6`
    const domain = { name, version, chainId, verifyingContract: address }
    if (separator === domainSeparator({ domain })) return { address, name, version }
    return `the EIP-712 domain of ${address} is not that of its name and version, so no wallet can sign for it`
  } catch (error) {
    if (isOfSilentNode(error)) throw error
    return `what is at ${address} does not answer as a stablecoin with ERC-3009`
  }
}
