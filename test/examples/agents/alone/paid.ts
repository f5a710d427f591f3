import { createPublicClient, http, parseAbiItem } from 'viem'

const paidEvent = parseAbiItem(
  'event Paid(bytes32 indexed payoutId, address indexed token, address indexed from, address to, uint256 amount, uint256 fee)',
)
const balanceOf = parseAbiItem('function balanceOf(address) view returns (uint256)')

export interface Payment {
  token: string
  to: string
  /** What the contributor got, and the fee, in base units. */
  amount: bigint
  fee: bigint
}

/** Every payment that the chain has, by whatever contract. */
export async function readPayments(rpcUrl: string): Promise<Payment[]> {
  const logs = await clientOf(rpcUrl).getLogs({ event: paidEvent, fromBlock: 0n, strict: true })
  return logs.map(({ args }) => args)
}

export function readBalance(rpcUrl: string, { token, to }: Payment): Promise<bigint> {
  const address = token as `0x${string}`
  return clientOf(rpcUrl).readContract({
    address,
    abi: [balanceOf],
    functionName: 'balanceOf',
    args: [to as `0x${string}`],
  })
}

function clientOf(rpcUrl: string) {
  return createPublicClient({ transport: http(rpcUrl, { retryCount: 0 }) })
}
