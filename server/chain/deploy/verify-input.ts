import { type Address, encodeDeployData, type Hex, isAddressEqual } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { compilerVersion, type StandardInput, standardInput } from '../contracts/compile.ts'
import { bondingCurve, platformWallet, projectFactory, projectToken } from '../generated/contracts.ts'
import { type ContractParameters, factoryInitCode, predictDeployment } from './predict.ts'
import {
  type Environment,
  readAddress,
  readContractParameters,
  readPrivateKey,
  SettingError,
  withPreset,
} from './settings.ts'

/** One contract as a block explorer asks for it. */
interface VerifiableContract {
  name: string
  address: Address
  /** ABI-encoded, without 0x. */
  constructor_arguments: string
}

/** Everything a block explorer wants to verify the sources of a deployment. */
export interface VerificationInput {
  compiler: string
  contracts: VerifiableContract[]
  /** The compiler's standard JSON input; the same for all contracts. */
  input: StandardInput
}

/**
 * What verifies the contracts that these settings deploy. Asks nobody and needs no key where OWNER_ADDRESS is set.
 * Throws SettingError, also where PLATFORM_WALLET_ADDRESS is not what this code and these settings lead to.
 */
export function verificationInput(given: Environment): VerificationInput {
  const environment = withPreset(given)
  const parameters = readContractParameters(environment, deployerOf(environment))
  const contracts = describeContracts(parameters)
  const expected = environment.PLATFORM_WALLET_ADDRESS
  const predicted = predictDeployment(parameters).platformWallet
  if (expected && !isAddressEqual(readAddress('PLATFORM_WALLET_ADDRESS', expected), predicted))
    throw new SettingError(
      `PLATFORM_WALLET_ADDRESS is ${expected}, but this code with these settings makes ${predicted}: ` +
        'check out the version and use the settings that the contracts were deployed with',
    )
  return { compiler: compilerVersion(), contracts, input: standardInput() }
}

function deployerOf(environment: Environment): Address | undefined {
  const key = environment.DEPLOYER_PRIVATE_KEY ?? environment.OPERATOR_PRIVATE_KEYS?.split(',')[0]
  return key === undefined ? undefined : privateKeyToAddress(readPrivateKey('DEPLOYER_PRIVATE_KEY', key))
}

function describeContracts(parameters: ContractParameters): VerifiableContract[] {
  const { owner, treasury, startFdv, endFdv } = parameters
  const [reserve, fee] = [BigInt(parameters.bountyReserveBps), BigInt(parameters.curveFeeBps)]
  const at = predictDeployment(parameters)
  const token = encodeDeployData({ ...projectToken, args: [at.platformWallet] })
  const curve = encodeDeployData({
    ...bondingCurve,
    args: [at.tokenImplementation, treasury, reserve, fee, startFdv, endFdv],
  })
  const wallet = encodeDeployData({ ...platformWallet, args: [owner, treasury, at.curveImplementation] })
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
