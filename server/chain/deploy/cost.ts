import { type Address, createPublicClient, http } from 'viem'
import { type ContractParameters, CREATE2_PROXY, factoryInitCode } from './predict.ts'
import { PRESIGNED_COST } from './proxy.ts'
import { hasCode, withMargin } from './sender.ts'

/** Upper bound of the gas that adding an operator takes. */
const operatorGas = 60_000n

/** Cost of a first deployment and balance of the deployer, in wei. */
export interface DeploymentCost {
  balance: bigint
  /** At current fees plus a fifth, as required when the transactions are sent. */
  needed: bigint
}

/** Estimates what a first deployment would cost `deployer`; sends no transaction. */
export async function estimateDeployment(
  rpcUrl: string,
  deployer: Address,
  { parameters, operators }: { parameters: ContractParameters; operators: readonly Address[] },
): Promise<DeploymentCost> {
  const node = createPublicClient({ transport: http(rpcUrl) })
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
