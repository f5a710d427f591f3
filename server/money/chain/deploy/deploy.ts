import {
  type Address,
  concatHex,
  encodeFunctionData,
  getAddress,
  type Hex,
  type TransactionReceipt,
  zeroHash,
} from 'viem'
import { platformWallet } from '../generated/contracts.ts'
import { deploymentObstacle } from './obstacle.ts'
import { hasCode, notOperators } from './on-chain.ts'
import {
  type ContractAddresses,
  type ContractParameters,
  CREATE2_PROXY,
  completeParameters,
  factoryInitCode,
  predictDeployment,
} from './predict.ts'
import { ensureCreate2Proxy } from './proxy.ts'
import { createSender, DeploymentError, failedNode, type Sender } from './sender.ts'

export { CONTRACT_DEFAULTS } from '../contracts/defaults.ts'
export { predictDeployment } from './predict.ts'
export { DeploymentError } from './sender.ts'
export type { ContractAddresses, ContractParameters }

/** The parameters of a deployment, its chain and its key. */
export interface DeployOptions extends Partial<ContractParameters> {
  rpcUrl: string
  /** If the endpoint serves another chain, nothing is sent. */
  expectedChainId?: number | undefined
  /** Pays for the transactions. */
  deployerPrivateKey: Hex
  /** Keys that may pay bounties. They do not affect the contracts' addresses. */
  operators: readonly Address[]
  /** Receives one line of progress at a time. */
  log?: (line: string) => void
}

/** Where the contracts are, and whether this run created them. */
export interface Deployment extends ContractAddresses {
  chainId: number
  /** The platform wallet's owner today; may differ from the one it was created with. */
  owner: Address
  treasury: Address
  /** Gas of the transaction that created all four contracts; `undefined` if this run did not create them. */
  gasUsed: bigint | undefined
  /** Operators that are not registered, because the deployer is not the owner. */
  missingOperators: Address[]
}

/**
 * Deploys the contracts or adopts existing ones, and registers missing operators. Safe to repeat after a crash at any
 * point: only the parameters determine the addresses, and each step checks the chain before it sends.
 * Throws {@link DeploymentError}.
 */
export const deployContracts = (options: DeployOptions): Promise<Deployment> =>
  deploy(options).catch(failedNode)

async function deploy(options: DeployOptions): Promise<Deployment> {
  const log = options.log ?? (() => {})
  const sender = await createSender({
    rpcUrl: options.rpcUrl,
    privateKey: options.deployerPrivateKey,
    expectedChainId: options.expectedChainId,
  })
  const parameters = completeParameters(options, sender.address)
  const addresses = predictDeployment(parameters)
  const gasUsed = await ensureFactory(sender, parameters, addresses, log)
  const owner = await sender.reader.readContract({
    address: addresses.platformWallet,
    abi: platformWallet.abi,
    functionName: 'owner',
  })
  const missingOperators = await ensureOperators(
    sender,
    addresses.platformWallet,
    owner,
    options.operators,
    log,
  )
  const { treasury } = parameters
  return { chainId: sender.chainId, ...addresses, owner, treasury, gasUsed, missingOperators }
}

async function ensureFactory(
  sender: Sender,
  parameters: ContractParameters,
  addresses: ContractAddresses,
  log: (line: string) => void,
): Promise<bigint | undefined> {
  const receipt = await createFactory(sender, parameters, addresses.projectFactory, log)
  const gasUsed = receipt?.status === 'success' ? receipt.gasUsed : undefined
  log(
    `contracts ${gasUsed ? 'created' : 'found'}: factory ${addresses.projectFactory}, ` +
      `platform wallet ${addresses.platformWallet}, token code ${addresses.tokenImplementation}, ` +
      `curve code ${addresses.curveImplementation}${gasUsed ? `; gas ${gasUsed}` : ''}`,
  )
  return gasUsed
}

/** Success is decided by the code at the address: the transaction of another run may have been mined first. */
async function createFactory(
  sender: Sender,
  parameters: ContractParameters,
  factory: Address,
  log: (line: string) => void,
): Promise<TransactionReceipt | undefined> {
  const isCreated = () => hasCode(sender.reader, factory)
  if (await isCreated()) return undefined
  const obstacle = await deploymentObstacle(sender.reader, parameters)
  if (obstacle)
    throw new DeploymentError(
      obstacle.code,
      `The contracts cannot be deployed: ${obstacle.why}. Nothing was sent.`,
    )
  await ensureCreate2Proxy(sender, log)
  await sender.untilNonePending()
  if (await isCreated()) return undefined
  const data = concatHex([zeroHash, factoryInitCode(parameters)])
  try {
    const receipt = await sender.send({ to: CREATE2_PROXY, data })
    if (await isCreated()) return receipt
    const hash = receipt.transactionHash
    throw new DeploymentError('transaction_failed', `Transaction ${hash} did not create the contracts.`)
  } catch (error) {
    if (await isCreated()) return undefined
    throw error
  }
}

async function ensureOperators(
  sender: Sender,
  wallet: Address,
  owner: Address,
  operators: readonly Address[],
  log: (line: string) => void,
): Promise<Address[]> {
  const missing: Address[] = []
  const each = operators.map((address) => getAddress(address))
  for (const operator of await notOperators(sender.reader, wallet, each)) {
    const data = encodeFunctionData({
      abi: platformWallet.abi,
      functionName: 'setOperator',
      args: [operator, true],
    })
    if (owner !== sender.address) {
      missing.push(operator)
      log(`operator ${operator} is missing: the owner ${owner} has to send ${wallet} the call ${data}`)
      continue
    }
    const receipt = await sender.send({ to: wallet, data })
    if (receipt.status !== 'success') {
      throw new DeploymentError('transaction_failed', `Operator ${operator} could not be added.`)
    }
    log(`operator ${operator} added; gas ${receipt.gasUsed}`)
  }
  return missing
}
