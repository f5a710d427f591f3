import { type Address, encodeDeployData, type Hex, isAddressEqual } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { ConfigError } from '../../../config/config.ts'
import { compilerVersion, type StandardInput, standardInput } from '../contracts/compile.ts'
import { bondingCurve, platformWallet, projectFactory, projectToken } from '../generated/contracts.ts'
import { type ContractParameters, factoryInitCode, predictDeployment } from './predict.ts'
import { contractParameters, type Environment, readContractSettings } from './settings.ts'

/** One contract in the form that block explorers require. */
interface VerifiableContract {
  name: string
  address: Address
  /** ABI-encoded, without 0x. */
  constructor_arguments: string
}

/** All that a block explorer needs to verify the sources of a deployment. */
export interface VerificationInput {
  compiler: string
  contracts: VerifiableContract[]
  /** The compiler's standard JSON input, which all contracts share. */
  input: StandardInput
}

/**
 * The input for verifying the contracts that these settings deploy. Sends no request, and needs no key if OWNER_ADDRESS
 * is set. Throws ConfigError, also if PLATFORM_WALLET_ADDRESS differs from the address that this code computes.
 */
export function verificationInput(environment: Environment): VerificationInput {
  const config = readContractSettings(environment)
  const key = config.DEPLOYER_PRIVATE_KEY ?? config.OPERATOR_PRIVATE_KEYS?.[0]
  const owner = config.OWNER_ADDRESS ?? (key && privateKeyToAddress(key))
  if (!owner) throw new ConfigError('OWNER_ADDRESS is not set')
  const parameters = contractParameters(config, owner)
  const expected = config.PLATFORM_WALLET_ADDRESS
  const predicted = predictDeployment(parameters).platformWallet
  if (expected && !isAddressEqual(expected, predicted))
    throw new ConfigError(
      `PLATFORM_WALLET_ADDRESS is ${expected}, but this code with these settings gives ${predicted}: ` +
        'check out the version and use the settings that the contracts were deployed with',
    )
  return { compiler: compilerVersion(), contracts: describeContracts(parameters), input: standardInput() }
}

function describeContracts(parameters: ContractParameters): VerifiableContract[] {
  const { owner, treasury, startFdv, endFdv, dollar, dollarDailyCap } = parameters
  const reserve = BigInt(parameters.bountyReserveBps)
  const fee = BigInt(parameters.curveFeeBps)
  const at = predictDeployment(parameters)
  const token = encodeDeployData({ ...projectToken, args: [at.platformWallet] })
  const curve = encodeDeployData({
    ...bondingCurve,
    args: [at.tokenImplementation, treasury, reserve, fee, startFdv, endFdv],
  })
  const wallet = encodeDeployData({
    ...platformWallet,
    args: [owner, treasury, at.curveImplementation, dollar, dollarDailyCap],
  })
  const describe = (name: string, address: Address, { bytecode }: { bytecode: Hex }, initCode: Hex) => ({
    name: `${name}.sol:${name}`,
    address,
    constructor_arguments: initCode.slice(bytecode.length),
  })
  return [
    describe('ProjectFactory', at.projectFactory, projectFactory, factoryInitCode(parameters)),
    describe('ProjectToken', at.tokenImplementation, projectToken, token),
    describe('BondingCurve', at.curveImplementation, bondingCurve, curve),
    describe('PlatformWallet', at.platformWallet, platformWallet, wallet),
  ]
}
