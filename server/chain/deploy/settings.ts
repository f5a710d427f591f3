import type { Address, Hex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { readAddress as parseAddress } from '../../config/address.ts'
import { isPrivateKey } from '../../config/keys.ts'
import { chainPresets } from '../../config/presets.ts'
import { ownerSecrets, readSecretFiles, secretSettings } from '../../config/secrets.ts'
import type { ContractParameters, DeployOptions } from './deploy.ts'
import { completeParameters } from './predict.ts'

/** A setting or an argument is missing or malformed; the message names it and never quotes a secret. */
export class SettingError extends Error {}

/** Environment variables by name; empty ones count as unset. */
export type Environment = Record<string, string | undefined>

/** The chain and the node to reach it through. */
export interface ChainSettings {
  rpcUrl: string
  expectedChainId: number
}

/** Applies CHAIN_PRESET and reads the files named by NAME_FILE, as the service does. Throws {@link SettingError}. */
export function withPreset(environment: Environment): Environment {
  const { values, problems } = readSecretFiles(environment, [...secretSettings, ...ownerSecrets])
  const [problem] = problems
  if (problem) throw new SettingError(`${problem.setting}: ${problem.text}`)
  const own = Object.entries({ ...environment, ...values }).filter(([, value]) => value !== '')
  const presets: Record<string, Environment> = chainPresets
  const preset = environment.CHAIN_PRESET ? presets[environment.CHAIN_PRESET] : {}
  if (!preset) throw new SettingError(`CHAIN_PRESET has to be one of ${Object.keys(presets).join(', ')}`)
  return { ...preset, ...Object.fromEntries(own) }
}

/**
 * The first node of CHAIN_RPC_URL and the chain it has to serve. CHAIN_ID is required, so that nobody deploys to a chain
 * by mistake. Throws {@link SettingError}.
 */
export function readChainSettings(environment: Environment): ChainSettings {
  const [rpcUrl] = list(required(environment, 'CHAIN_RPC_URL'))
  if (!rpcUrl) throw new SettingError('CHAIN_RPC_URL is not set')
  return { rpcUrl, expectedChainId: readInteger('CHAIN_ID', required(environment, 'CHAIN_ID')) }
}

/**
 * Reads the deployment's settings. Operators are OPERATOR_ADDRESSES and the addresses of OPERATOR_PRIVATE_KEYS; the
 * first of these keys deploys when DEPLOYER_PRIVATE_KEY is not set. Throws {@link SettingError}.
 */
export function readDeploySettings(given: Environment): DeployOptions {
  const environment = withPreset(given)
  const operatorKeys = list(environment.OPERATOR_PRIVATE_KEYS).map((key) =>
    readPrivateKey('OPERATOR_PRIVATE_KEYS', key),
  )
  const deployerPrivateKey = optional(environment, 'DEPLOYER_PRIVATE_KEY', readPrivateKey) ?? operatorKeys[0]
  if (!deployerPrivateKey) throw new SettingError('DEPLOYER_PRIVATE_KEY is not set')
  return {
    ...readChainSettings(environment),
    deployerPrivateKey,
    ...readContractParameters(environment, privateKeyToAddress(deployerPrivateKey)),
    operators: [
      ...list(environment.OPERATOR_ADDRESSES).map((text) => readAddress('OPERATOR_ADDRESSES', text)),
      ...operatorKeys.map((key) => privateKeyToAddress(key)),
    ],
  }
}

/** The settings that determine the contracts' addresses. The owner is the deployer by default. Throws {@link SettingError}. */
export function readContractParameters(
  environment: Environment,
  deployer: Address | undefined,
): ContractParameters {
  const owner = optional(environment, 'OWNER_ADDRESS', readAddress) ?? deployer
  if (!owner) throw new SettingError('OWNER_ADDRESS is not set')
  const given = {
    treasury: optional(environment, 'TREASURY_ADDRESS', readAddress),
    bountyReserveBps: optional(environment, 'BOUNTY_RESERVE_BPS', readInteger),
    curveFeeBps: optional(environment, 'CURVE_FEE_BPS', readInteger),
  }
  return completeParameters(given, owner)
}

function optional<T>(
  environment: Environment,
  name: string,
  read: (name: string, text: string) => T,
): T | undefined {
  const value = environment[name]
  return value === undefined ? undefined : read(name, value)
}

/** The value of a required setting. Throws {@link SettingError}. */
export function required(environment: Environment, name: string): string {
  const value = environment[name]
  if (value === undefined || value === '') throw new SettingError(`${name} is not set`)
  return value
}

/** Reads an address. If its letters are of both cases, its checksum has to be right. Throws {@link SettingError}. */
export function readAddress(name: string, text: string): Address {
  const read = parseAddress(text)
  if ('wrong' in read) throw new SettingError(`${name}: an address ${read.wrong}`)
  return read.address
}

/** Reads a private key. Throws {@link SettingError}. */
export function readPrivateKey(name: string, text: string): Hex {
  if (!isPrivateKey(text)) throw new SettingError(`${name}: a key has to be 0x and 64 hex characters`)
  return text
}

function readInteger(name: string, text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new SettingError(`${name} has to be a whole number`)
  return Number(text)
}

/** The parts of a setting that lists values, separated by commas or spaces. */
export function list(text: string | undefined): string[] {
  return (text ?? '').split(/[\s,]+/).filter((part) => part !== '')
}
