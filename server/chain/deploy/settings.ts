import { type Address, getAddress, type Hex, isAddress } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { CONTRACT_DEFAULTS, type DeployOptions } from '../deploy.ts'

/** A setting is missing or malformed; the message names it and never quotes it. */
export class SettingError extends Error {}

type Environment = Record<string, string | undefined>

const integer = (name: string, text: string): number => {
  if (!/^\d{1,15}$/.test(text)) throw new SettingError(`${name} has to be a whole number`)
  return Number(text)
}

const address = (name: string, text: string): Address => {
  if (!isAddress(text, { strict: false }))
    throw new SettingError(`${name} has to hold 0x and 40 hex characters`)
  return getAddress(text)
}

const privateKey = (name: string, text: string): Hex => {
  if (!/^0x[0-9a-fA-F]{64}$/.test(text))
    throw new SettingError(`${name} has to hold 0x and 64 hex characters`)
  return text as Hex
}

const list = (text: string | undefined): string[] =>
  (text ?? '').split(/[\s,]+/).filter((part) => part !== '')

/**
 * Reads the deployment's settings. Operators are OPERATOR_ADDRESSES and the addresses of OPERATOR_PRIVATE_KEYS; the
 * first of these keys deploys when DEPLOYER_PRIVATE_KEY is not set. Throws {@link SettingError}.
 */
export function readDeploySettings(environment: Environment): DeployOptions {
  const required = (name: string): string => {
    const value = environment[name]
    if (value === undefined || value === '') throw new SettingError(`${name} is not set`)
    return value
  }
  const optional = <T>(name: string, read: (name: string, text: string) => T): T | undefined => {
    const value = environment[name]
    return value === undefined || value === '' ? undefined : read(name, value)
  }
  const operatorKeys = list(environment.OPERATOR_PRIVATE_KEYS).map((key) =>
    privateKey('OPERATOR_PRIVATE_KEYS', key),
  )
  const deployerPrivateKey = optional('DEPLOYER_PRIVATE_KEY', privateKey) ?? operatorKeys[0]
  if (!deployerPrivateKey) throw new SettingError('DEPLOYER_PRIVATE_KEY is not set')
  const owner = optional('OWNER_ADDRESS', address)
  const treasury = optional('TREASURY_ADDRESS', address)
  return {
    rpcUrl: required('CHAIN_RPC_URL'),
    // Required here: a real deployment states the chain it means.
    expectedChainId: integer('CHAIN_ID', required('CHAIN_ID')),
    deployerPrivateKey,
    ...(owner ? { owner } : {}),
    ...(treasury ? { treasury } : {}),
    bountyReserveBps: optional('BOUNTY_RESERVE_BPS', integer) ?? CONTRACT_DEFAULTS.bountyReserveBps,
    curveFeeBps: optional('CURVE_FEE_BPS', integer) ?? CONTRACT_DEFAULTS.curveFeeBps,
    operators: [
      ...list(environment.OPERATOR_ADDRESSES).map((text) => address('OPERATOR_ADDRESSES', text)),
      ...operatorKeys.map((key) => privateKeyToAddress(key)),
    ],
  }
}
