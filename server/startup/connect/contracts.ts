import type { Address, Hex, PublicClient } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Chain } from '../../chain/chain.ts'
import {
  CONTRACT_DEFAULTS,
  type ContractAddresses,
  type ContractParameters,
  deployContracts,
  predictDeployment,
} from '../../chain/deploy/deploy.ts'
import { hasCode } from '../../chain/deploy/sender.ts'
import { platformWallet } from '../../chain/generated/contracts.ts'
import { type Config, ConfigError } from '../../config/config.ts'
import type { Database } from '../../db/client.ts'
import { isLaneOpen } from '../../engines/transactions/lane/lease.ts'
import { nodeClient } from './nodes.ts'
import { rememberedWallet, rememberWallet } from './remembered-wallet.ts'

/** Deploys missing contracts and adopts existing ones, and keeps to those that this database has paid with before. */
export async function ensureContracts(
  config: Config,
  context: {
    db: Database
    report: (line: string) => void
    rpcUrl: string
    chainId: number
    deployerPrivateKey: Hex
    operators: Address[]
  },
): Promise<Address> {
  const { db, report, rpcUrl, chainId, deployerPrivateKey, operators } = context
  const deployer = privateKeyToAccount(deployerPrivateKey).address
  const parameters = contractParameters(config, deployer)
  const { isKept, address, lost } = await chooseWallet(db, { rpcUrl, chainId, parameters })
  if (isKept) return address
  if (lost) report(`${lost}: deploying another`)
  // A nonce that the deployer takes from a lane would look like an external caller's transaction and stop a payout.
  if (operators.includes(deployer) && (await isLaneOpen(db, chainId, deployer))) {
    const missing = await missingOnChain(rpcUrl, predictDeployment(parameters), operators)
    if (missing.length > 0)
      throw new ConfigError(
        `setting DEPLOYER_PRIVATE_KEY: needed, because ${missing.join(', ')}, and operator ${deployer} is busy paying`,
      )
  }
  const deployment = await deployContracts({
    ...parameters,
    rpcUrl,
    expectedChainId: chainId,
    deployerPrivateKey,
    operators,
    log: report,
  })
  await rememberWallet(db, chainId, deployment.platformWallet)
  return deployment.platformWallet
}

/** The platform wallet that a start uses without PLATFORM_WALLET_ADDRESS. */
export interface ChosenWallet {
  address: Address
  /** Whether it is kept as it is: no contract is deployed, no operator added. */
  isKept: boolean
  /** A sentence about the platform wallet of this database that the chain does not have. */
  lost: string | undefined
}

/**
 * Chooses the platform wallet of this database if it is on the chain: another version or other settings would deploy new
 * contracts, which could not pay what the old ones promised. Else that of the contracts with these parameters.
 */
export async function chooseWallet(
  db: Database | undefined,
  { rpcUrl, chainId, parameters }: { rpcUrl: string; chainId: number; parameters: ContractParameters },
): Promise<ChosenWallet> {
  const { platformWallet: address } = predictDeployment(parameters)
  const remembered = db && (await rememberedWallet(db, chainId))
  if (!remembered || remembered === address) return { address, isKept: false, lost: undefined }
  if (await hasCode(nodeClient(rpcUrl), remembered))
    return { address: remembered, isKept: true, lost: undefined }
  const lost = `The platform wallet ${remembered} of this database is not on chain ${chainId}`
  return { address, isKept: false, lost }
}

/** A sentence for each operator key that the platform wallet would refuse. */
export async function withoutRole({
  client,
  operators,
  owner,
  platformWallet: wallet,
}: Chain): Promise<string[]> {
  const refused = await notOperators(
    client,
    wallet,
    operators.map(({ address }) => address),
  )
  return refused.map(
    (address) =>
      `${address} is not an operator of the platform wallet ${wallet}: ` +
      `its owner ${owner} has to add it: \`npm run contracts -- add-operator ${address}\` with OWNER_PRIVATE_KEY`,
  )
}

/** The parameters that new contracts are deployed with. */
export function contractParameters(config: Config, deployer: Address): ContractParameters {
  const owner = config.OWNER_ADDRESS ?? deployer
  const treasury = config.TREASURY_ADDRESS ?? owner
  return { ...CONTRACT_DEFAULTS, owner, treasury, bountyReserveBps: config.BOUNTY_RESERVE_BPS }
}

/** What is missing before `contracts` accept `operators`, in words; empty where nothing is. */
export async function missingOnChain(
  rpcUrl: string,
  contracts: ContractAddresses,
  operators: Address[],
): Promise<string[]> {
  const node = nodeClient(rpcUrl)
  if (!(await hasCode(node, contracts.projectFactory))) return ['the contracts have to be deployed']
  const missing = await notOperators(node, contracts.platformWallet, operators)
  return missing.map((operator) => `operator ${operator} has to be added`)
}

/** Those of `addresses` that are no operators of a platform wallet. */
async function notOperators(
  node: Pick<PublicClient, 'readContract'>,
  wallet: Address,
  addresses: Address[],
): Promise<Address[]> {
  const call = { abi: platformWallet.abi, address: wallet, functionName: 'isOperator' } as const
  const known = await Promise.all(addresses.map((one) => node.readContract({ ...call, args: [one] })))
  return addresses.filter((_, index) => !known[index])
}
