import { type Address, formatEther, type PublicClient } from 'viem'
import { deploymentObstacle } from './obstacle.ts'
import { hasCode } from './on-chain.ts'
import { type ContractParameters, CREATE2_PROXY, factoryInitCode } from './predict.ts'
import { PRESIGNED_COST } from './proxy.ts'
import { withMargin } from './sender.ts'

/** Upper bound of the gas that adding an operator takes. */
const operatorGas = 60_000n

/**
 * Why `deployer` could not make a first deployment, as a clause; undefined where nothing is in the way. Sends no
 * transaction. The cost is at current fees plus a fifth, as required when the transactions are sent.
 */
export async function deploymentProblem(
  node: PublicClient,
  deployer: Address,
  { parameters, operators }: { parameters: ContractParameters; operators: readonly Address[] },
): Promise<string | undefined> {
  const obstacle = await deploymentObstacle(node, parameters)
  if (obstacle) return obstacle.why
  const [balance, price, creation, hasProxy] = await Promise.all([
    node.getBalance({ address: deployer }),
    node.getGasPrice(),
    // Without the deployment proxy, because it may be missing; it adds next to nothing.
    node.estimateGas({ account: deployer, data: factoryInitCode(parameters) }),
    hasCode(node, CREATE2_PROXY),
  ])
  const added = parameters.owner === deployer ? BigInt(operators.length) * operatorGas : 0n
  const needed = withMargin((creation + added) * price) + (hasProxy ? 0n : PRESIGNED_COST)
  if (balance >= needed) return undefined
  return `${deployer} holds ${formatEther(balance)} ether and needs about ${formatEther(needed)}`
}
