import { type Address, encodeDeployData, getAddress, getContractAddress, type Hex, zeroHash } from 'viem'
import { CONTRACT_DEFAULTS } from '../contracts/defaults.ts'
import { projectFactory } from '../generated/contracts.ts'

/** The deterministic deployment proxy. Every chain that has it has it at this address. */
export const CREATE2_PROXY: Address = '0x4e59b44847b379578588920cA78FbF26c0B4956C'

/** The values that a deployment fixes permanently. Other values give other addresses. */
export interface ContractParameters {
  /** Owner of the platform wallet: sets operators and daily caps, pauses and resumes payouts. */
  owner: Address
  /** Receives platform fees in tokens and curve fees in ETH; has to be able to receive both. */
  treasury: Address
  /** Share of each supply minted as bounty reserve, in basis points (at most 5,000). */
  bountyReserveBps: number
  /** Fee on each curve purchase and sale, in basis points (at most 1,000). */
  curveFeeBps: number
  /** Fully diluted value of a project when its curve has sold nothing, in wei. */
  startFdv: bigint
  /** Fully diluted value when its curve has sold everything, in wei. */
  endFdv: bigint
  /** The stablecoin that founders can lock for bounties; the zero address for none. */
  dollar: Address
  /** Dollars that can be paid a day at first, in base units; above zero. */
  dollarDailyCap: bigint
}

/** Adds the defaults: the deployer as owner, the owner as treasury, and {@link CONTRACT_DEFAULTS}. */
export function completeParameters(
  given: { [Name in keyof ContractParameters]?: ContractParameters[Name] | undefined },
  deployer: Address,
): ContractParameters {
  const owner = getAddress(given.owner ?? deployer)
  return {
    owner,
    treasury: getAddress(given.treasury ?? owner),
    bountyReserveBps: given.bountyReserveBps ?? CONTRACT_DEFAULTS.bountyReserveBps,
    curveFeeBps: given.curveFeeBps ?? CONTRACT_DEFAULTS.curveFeeBps,
    startFdv: given.startFdv ?? CONTRACT_DEFAULTS.startFdv,
    endFdv: given.endFdv ?? CONTRACT_DEFAULTS.endFdv,
    dollar: getAddress(given.dollar ?? CONTRACT_DEFAULTS.dollar),
    dollarDailyCap: given.dollarDailyCap ?? CONTRACT_DEFAULTS.dollarDailyCap,
  }
}

/** The addresses that the parameters determine. They are equal on every chain. */
export interface ContractAddresses {
  projectFactory: Address
  platformWallet: Address
  tokenImplementation: Address
  curveImplementation: Address
}

/** The factory's creation code with its arguments. Creating the factory creates the other three contracts. */
export function factoryInitCode(parameters: ContractParameters): Hex {
  const { owner, treasury, bountyReserveBps, curveFeeBps, startFdv, endFdv, dollar, dollarDailyCap } =
    parameters
  return encodeDeployData({
    abi: projectFactory.abi,
    bytecode: projectFactory.bytecode,
    args: [
      owner,
      treasury,
      BigInt(bountyReserveBps),
      BigInt(curveFeeBps),
      startFdv,
      endFdv,
      dollar,
      dollarDailyCap,
    ],
  })
}

/** Computes where the contracts are or will be. Sends no request. */
export function predictDeployment(parameters: ContractParameters): ContractAddresses {
  const factory = getContractAddress({
    opcode: 'CREATE2',
    from: CREATE2_PROXY,
    salt: zeroHash,
    bytecode: factoryInitCode(parameters),
  })
  const child = (nonce: bigint) => getContractAddress({ from: factory, nonce })
  return {
    projectFactory: getAddress(factory),
    tokenImplementation: child(1n),
    curveImplementation: child(2n),
    platformWallet: child(3n),
  }
}
