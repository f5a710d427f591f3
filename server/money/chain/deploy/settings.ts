import { type Address, parseUnits } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { z } from 'zod'
import { ConfigError, readSettings } from '../../../config/config.ts'
import { address, list, privateKey, whole } from '../../../config/setting-types.ts'
import { settings } from '../../../config/settings.ts'
import type { ContractParameters, DeployOptions } from './deploy.ts'
import { completeParameters } from './predict.ts'

/** The service's settings about its contracts, and those that only their commands read. */
const contractSettings = z.object({
  ...settings.pick({
    CHAIN_PRESET: true,
    CHAIN_RPC_URL: true,
    CHAIN_ID: true,
    OPERATOR_PRIVATE_KEYS: true,
    DEPLOYER_PRIVATE_KEY: true,
    PLATFORM_WALLET_ADDRESS: true,
    OWNER_ADDRESS: true,
    TREASURY_ADDRESS: true,
    BOUNTY_RESERVE_BPS: true,
    DOLLAR_ADDRESS: true,
    DOLLAR_DAILY_CAP: true,
  }).shape,
  OPERATOR_ADDRESSES: list(address).optional(),
  CURVE_FEE_BPS: whole(0, 1000).optional(),
  OWNER_PRIVATE_KEY: privateKey.optional(),
  TREASURY_PRIVATE_KEY: privateKey.optional(),
})

/** The validated settings of the commands. */
export type ContractSettings = z.infer<typeof contractSettings>

/** Environment variables by name. */
export type Environment = Record<string, string | undefined>

/** Reads the settings of the commands. @throws ConfigError */
export const readContractSettings = (environment: Environment): ContractSettings =>
  readSettings(contractSettings, environment)

/** The value of a setting that a command needs. @throws ConfigError */
export function required<Name extends keyof ContractSettings>(config: ContractSettings, name: Name) {
  const value = config[name]
  if (value === undefined) throw new ConfigError(`${name} is not set`)
  return value
}

/**
 * The first node of CHAIN_RPC_URL and the chain it has to serve. CHAIN_ID is required, so that nobody deploys to a chain
 * by mistake. @throws ConfigError
 */
export function requiredChain(config: ContractSettings): { rpcUrl: string; expectedChainId: number } {
  const [rpcUrl] = config.CHAIN_RPC_URL ?? []
  if (rpcUrl === undefined) throw new ConfigError('CHAIN_RPC_URL is not set')
  return { rpcUrl, expectedChainId: required(config, 'CHAIN_ID') }
}

/**
 * Reads the deployment's settings. Operators are OPERATOR_ADDRESSES and the addresses of OPERATOR_PRIVATE_KEYS; the
 * first of these keys deploys when DEPLOYER_PRIVATE_KEY is not set. @throws ConfigError
 */
export function readDeploySettings(environment: Environment): DeployOptions {
  const config = readContractSettings(environment)
  const { OPERATOR_PRIVATE_KEYS: operatorKeys = [], OPERATOR_ADDRESSES: others = [] } = config
  const deployerPrivateKey = config.DEPLOYER_PRIVATE_KEY ?? operatorKeys[0]
  if (!deployerPrivateKey) throw new ConfigError('DEPLOYER_PRIVATE_KEY is not set')
  return {
    ...requiredChain(config),
    deployerPrivateKey,
    ...contractParameters(config, privateKeyToAddress(deployerPrivateKey)),
    operators: [...others, ...operatorKeys.map((key) => privateKeyToAddress(key))],
  }
}

/** The parameters of the contracts, which determine their addresses. The owner is the deployer by default. */
export function contractParameters(
  config: Pick<
    ContractSettings,
    'OWNER_ADDRESS' | 'TREASURY_ADDRESS' | 'BOUNTY_RESERVE_BPS' | 'DOLLAR_ADDRESS' | 'DOLLAR_DAILY_CAP'
  > &
    Partial<Pick<ContractSettings, 'CURVE_FEE_BPS'>>,
  deployer: Address,
): ContractParameters {
  const given = {
    owner: config.OWNER_ADDRESS,
    treasury: config.TREASURY_ADDRESS,
    bountyReserveBps: config.BOUNTY_RESERVE_BPS,
    curveFeeBps: config.CURVE_FEE_BPS,
    dollar: config.DOLLAR_ADDRESS,
    dollarDailyCap: parseUnits(String(config.DOLLAR_DAILY_CAP), 6),
  }
  return completeParameters(given, deployer)
}
