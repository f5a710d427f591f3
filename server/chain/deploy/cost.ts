import type { Address, PublicClient } from 'viem'
import { hasCode } from './on-chain.ts'
import { type ContractParameters, CREATE2_PROXY, factoryInitCode } from './predict.ts'
import { PRESIGNED_COST } from './proxy.ts'
import { withMargin } from './sender.ts'

/** Upper bound of the gas that adding an operator takes. */
const operatorGas = 60_000n

/**
 * Estimates what a first deployment would cost `deployer`, and its balance, in wei; sends no transaction. The cost is at
 * current fees plus a fifth, as required when the transactions are sent.
 */
export async function estimateDeployment(
  node: PublicClient,
  deployer: Address,
  { parameters, operators }: { parameters: ContractParameters; operators: readonly Address[] },
): Promise<{ balance: bigint; needed: bigint }> {
  const [balance, price, creation, hasProxy] = await Promise.all([
    node.getBalance({ address: deployer }),
    node.getGasPrice(),
    // Without the deployment proxy, because it may be missing; it adds next to nothing.
    node.estimateGas({ account: deployer, data: factoryInitCode(parameters) }),
    hasCode(node, CREATE2_PROXY),
  ])
  const added = parameters.owner === deployer ? BigInt(operators.length) * operatorGas : 0n
  return { balance, needed: withMargin((creation + added) * price) + (hasProxy ? 0n : PRESIGNED_COST) }
}
