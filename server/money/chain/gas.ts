import {
  type Address,
  encodeFunctionData,
  type Hex,
  keccak256,
  type PublicClient,
  parseEther,
  type TransactionReceipt,
  toHex,
} from 'viem'
import type { Chain } from './chain.ts'
import { readDataFee } from './data-fee.ts'
import { platformWallet } from './generated/contracts.ts'

/** Gas of a payout with a fee to a new holder, as `test/contracts/.gas-snapshot` has it. */
const payoutGas = 109_000n

/** A call with bytes as varied as a real payout's, by which chains price its data. */
const payoutCall = somePayout()

/** The gas balance of an operator key. */
export interface GasBalance {
  address: Address
  /** Wei. */
  balance: bigint
  /** Payouts that it pays for at the chain's fees of the moment. */
  payouts: number
}

/** What a payout costs at the chain's fees of the moment, in wei. */
export async function readPayoutCost(client: PublicClient): Promise<bigint> {
  const [price, dataFee] = await Promise.all([
    client.getGasPrice(),
    readDataFee(client, payoutCall, payoutGas),
  ])
  return price * payoutGas + dataFee
}

/** The gas balance of every operator key. */
export async function readGasBalances(
  chain: Pick<Chain, 'client'> & { operators: readonly { address: Address }[] },
): Promise<GasBalance[]> {
  const cost = await readPayoutCost(chain.client)
  return Promise.all(
    chain.operators.map(async ({ address }) => {
      const balance = await chain.client.getBalance({ address })
      return { address, balance, payouts: Number(balance / (cost || 1n)) }
    }),
  )
}

function somePayout(): { to: Address; data: Hex } {
  const address = (number: number): Address => `0x${keccak256(toHex(number)).slice(-40)}`
  const amount = parseEther('475.123456789')
  const fee = parseEther('24.987654321')
  const data = encodeFunctionData({
    abi: platformWallet.abi,
    functionName: 'pay',
    args: [keccak256('0x'), address(1), address(2), address(3), amount, fee],
  })
  return { to: address(4), data }
}

/**
 * What a mined transaction has cost, in wei, with the fee that chains of the OP stack add for its data. Undefined where
 * the node leaves out what that takes.
 */
export function gasCostOf(receipt: TransactionReceipt): bigint | undefined {
  // viem sets what is missing to null, and leaves a field of one kind of chain as the node gave it.
  const { gasUsed, effectiveGasPrice, l1Fee } = receipt as {
    gasUsed: bigint | null
    effectiveGasPrice: bigint | null
    l1Fee?: Hex | null
  }
  if (gasUsed === null || effectiveGasPrice === null) return undefined
  return gasUsed * effectiveGasPrice + BigInt(l1Fee ?? 0)
}
