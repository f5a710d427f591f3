import { type Address, createPublicClient, http } from 'viem'
import { type ContractParameters, CREATE2_PROXY, factoryInitCode } from './predict.ts'
import { PRESIGNED_COST } from './proxy.ts'

/** Gas of adding an operator, with room. */
const operatorGas = 60_000n

/** What a first deployment takes of the deployer, and what the deployer has, in wei. */
export interface DeploymentCost {
  balance: bigint
  /** At the fees of the moment, with a fifth more, as is asked for when it is sent. */
  needed: bigint
}

/** Asks the node what a first deployment would cost `deployer`; sends nothing. */
export async function estimateDeployment(
  rpcUrl: string,
  deployer: Address,
  { parameters, operators }: { parameters: ContractParameters; operators: readonly Address[] },
): Promise<DeploymentCost> {
  const node = createPublicClient({ transport: http(rpcUrl) })
  const [balance, price, creation, proxy] = await Promise.all([
    node.getBalance({ address: deployer }),
    node.getGasPrice(),
    // Without the proxy in between, because it may not be there yet; it adds next to nothing.
    node.estimateGas({ account: deployer, data: factoryInitCode(parameters) }),
    node.getCode({ address: CREATE2_PROXY }),
  ])
  const added = parameters.owner === deployer ? BigInt(operators.length) * operatorGas : 0n
  const forProxy = proxy === undefined || proxy === '0x' ? PRESIGNED_COST : 0n
  return { balance, needed: ((creation + added) * price * 12n) / 10n + forProxy }
}
