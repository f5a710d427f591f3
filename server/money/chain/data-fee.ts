import { type Address, type Hex, type PublicClient, parseAbi } from 'viem'
import { estimateL1Fee } from 'viem/op-stack'
import { hasCode } from './deploy/on-chain.ts'
import { isRevert } from './rpc-errors.ts'

/** Where each chain of the OP stack has the contract that knows its fees. */
const gasPriceOracleAddress = '0x420000000000000000000000000000000000000F'
const operatorFee = parseAbi(['function getOperatorFee(uint256 gasUsed) view returns (uint256)'])

/** Whether the chain of a client has that contract: asked once. */
const isOpStack = new WeakMap<PublicClient, Promise<boolean>>()

/**
 * What a chain charges for a transaction beside its gas, in wei: on the OP stack the fee for its data on L1 and, since the
 * Isthmus upgrade, an operator fee. 0 on other chains; on Arbitrum the gas that a node estimates holds the fee for data.
 */
export async function readDataFee(
  client: PublicClient,
  call: { to: Address; data: Hex },
  gas: bigint,
): Promise<bigint> {
  if (!(await findOracle(client))) return 0n
  const [forData, forOperator] = await Promise.all([
    // The account has no part in the fee.
    estimateL1Fee(client, { ...call, account: call.to, chain: null, gasPriceOracleAddress }),
    client
      .readContract({
        abi: operatorFee,
        address: gasPriceOracleAddress,
        functionName: 'getOperatorFee',
        args: [gas],
      })
      .catch((error) => {
        if (isRevert(error)) return 0n
        throw error
      }),
  ])
  return forData + forOperator
}

function findOracle(client: PublicClient): Promise<boolean> {
  const known = isOpStack.get(client)
  if (known) return known
  const asked = hasCode(client, gasPriceOracleAddress)
  isOpStack.set(client, asked)
  // What a silent node has left open is asked again.
  asked.catch(() => isOpStack.delete(client))
  return asked
}
