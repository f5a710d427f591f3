import {
  type Address,
  BaseError,
  concatHex,
  encodeFunctionData,
  getAddress,
  type Hex,
  type TransactionReceipt,
  zeroHash,
} from 'viem'
import { platformWallet } from '../generated/contracts.ts'
import {
  CONTRACT_DEFAULTS,
  type ContractAddresses,
  type ContractParameters,
  CREATE2_PROXY,
  factoryInitCode,
  predictDeployment,
} from './predict.ts'
import { ensureCreate2Proxy } from './proxy.ts'
import { createSender, DeploymentError, type Sender, summary } from './sender.ts'

export { CONTRACT_DEFAULTS, predictDeployment } from './predict.ts'
export { DeploymentError } from './sender.ts'
export type { ContractAddresses, ContractParameters }

/** What to deploy, where, and with which key. */
export interface DeployOptions extends Partial<ContractParameters> {
  rpcUrl: string
  /** Nothing is sent unless the endpoint serves this chain. */
  expectedChainId?: number | undefined
  /** Pays for the transactions. */
  deployerPrivateKey: Hex
  /** Keys that shall be able to pay bounties; not part of the addresses. */
  operators: readonly Address[]
  /** Receives one line of progress at a time. */
  log?: (line: string) => void
}

/** Where the contracts are and what this run did. */
export interface Deployment extends ContractAddresses {
  chainId: number
  /** The platform wallet's owner today; may differ from the one it was created with. */
  owner: Address
  treasury: Address
  /** Contracts this run created; gas is the transaction's, which creates all four. Empty when they were there. */
  deployed: { name: string; address: Address; gasUsed: bigint }[]
  /** Operators that only the owner can add, because the deployer is not the owner. */
  missingOperators: Address[]
}

/**
 * Deploys the contracts or adopts them where they already are, and registers missing operators. Safe to repeat after
 * a crash at any point: addresses follow from the parameters alone, and each step looks before it sends.
 * Throws {@link DeploymentError}.
 */
export async function deployContracts(options: DeployOptions): Promise<Deployment> {
  try {
    return await deploy(options)
  } catch (error) {
    if (error instanceof BaseError)
      throw new DeploymentError('unreachable', `The node failed: ${summary(error)}`)
    throw error
  }
}

async function deploy(options: DeployOptions): Promise<Deployment> {
  const log = options.log ?? (() => {})
  const sender = await createSender({
    rpcUrl: options.rpcUrl,
    privateKey: options.deployerPrivateKey,
    expectedChainId: options.expectedChainId,
  })
  const parameters = withDefaults(options, sender.address)
  const addresses = predictDeployment(parameters)
  const deployed = await ensureFactory(sender, parameters, addresses, log)
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
  return { chainId: sender.chainId, ...addresses, owner, treasury, deployed, missingOperators }
}

function withDefaults(options: DeployOptions, deployer: Address): ContractParameters {
  const owner = getAddress(options.owner ?? deployer)
  return {
    owner,
    treasury: getAddress(options.treasury ?? owner),
    bountyReserveBps: options.bountyReserveBps ?? CONTRACT_DEFAULTS.bountyReserveBps,
    curveFeeBps: options.curveFeeBps ?? CONTRACT_DEFAULTS.curveFeeBps,
    startFdv: options.startFdv ?? CONTRACT_DEFAULTS.startFdv,
    endFdv: options.endFdv ?? CONTRACT_DEFAULTS.endFdv,
  }
}

async function ensureFactory(
  sender: Sender,
  parameters: ContractParameters,
  addresses: ContractAddresses,
  log: (line: string) => void,
): Promise<Deployment['deployed']> {
  if (await hasCode(sender, addresses.projectFactory)) {
    log(`contracts found: factory ${addresses.projectFactory}, platform wallet ${addresses.platformWallet}`)
    return []
  }
  await ensureCreate2Proxy(sender, log)
  const receipt = await createFactory(sender, parameters, addresses.projectFactory)
  const created = receipt?.status === 'success'
  log(
    `contracts ${created ? 'created' : 'found'}: factory ${addresses.projectFactory}, ` +
      `platform wallet ${addresses.platformWallet}, token code ${addresses.tokenImplementation}, ` +
      `curve code ${addresses.curveImplementation}${created ? `; gas ${receipt.gasUsed}` : ''}`,
  )
  return created
    ? [{ name: 'ProjectFactory', address: addresses.projectFactory, gasUsed: receipt.gasUsed }]
    : []
}

/** The code is the verdict, not the transaction: another run's may have been mined first. */
async function createFactory(
  sender: Sender,
  parameters: ContractParameters,
  factory: Address,
): Promise<TransactionReceipt | undefined> {
  await sender.settle()
  if (await hasCode(sender, factory)) return undefined
  const data = concatHex([zeroHash, factoryInitCode(parameters)])
  try {
    const receipt = await sender.send({ to: CREATE2_PROXY, data })
    if (await hasCode(sender, factory)) return receipt
    const hash = receipt.transactionHash
    throw new DeploymentError('transaction_failed', `Transaction ${hash} did not create the contracts.`)
  } catch (error) {
    if (await hasCode(sender, factory)) return undefined
    throw error
  }
}

async function hasCode(sender: Sender, address: Address): Promise<boolean> {
  const code = await sender.reader.getCode({ address })
  return code !== undefined && code !== '0x'
}

async function ensureOperators(
  sender: Sender,
  wallet: Address,
  owner: Address,
  operators: readonly Address[],
  log: (line: string) => void,
): Promise<Address[]> {
  const missing: Address[] = []
  for (const operator of new Set(operators.map((address) => getAddress(address)))) {
    const known = await sender.reader.readContract({
      address: wallet,
      abi: platformWallet.abi,
      functionName: 'isOperator',
      args: [operator],
    })
    if (known) continue
    const data = encodeFunctionData({
      abi: platformWallet.abi,
      functionName: 'setOperator',
      args: [operator, true],
    })
    if (owner !== sender.address) {
      missing.push(operator)
      log(`operator ${operator} is missing: its owner ${owner} has to send ${wallet} the call ${data}`)
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
