import {
  type Address,
  concatHex,
  decodeAbiParameters,
  type Hex,
  isAddressEqual,
  type PublicClient,
  zeroAddress,
} from 'viem'
import { type DollarReader, readDollar } from '../dollar.ts'
import { hasCode } from './on-chain.ts'

/** Why the contracts would not work on a chain, or with a treasury or a stablecoin. */
export interface Obstacle {
  code: 'other_create2' | 'no_cancun' | 'treasury_refuses_ether' | 'dollar_unusable'
  /** A clause without a full stop. */
  why: string
}

/** By it ZKsync and its relatives create every contract; on other chains nothing is there. */
const zkDeployer: Address = '0x0000000000000000000000000000000000008006'

/**
 * Finds out by calls, which send nothing, whether contracts would work. The contracts can be created on a chain without
 * the Cancun instructions, because only their other functions execute them. A treasury that refuses ETH, as each factory and
 * platform wallet does, would lock the fees up permanently.
 * @throws what viem throws when the node does not reply
 */
export async function deploymentObstacle(
  reader: Pick<PublicClient, 'call'> & DollarReader,
  { treasury, dollar }: { treasury: Address; dollar: Address },
): Promise<Obstacle | undefined> {
  if (await hasCode(reader, zkDeployer))
    return {
      code: 'other_create2',
      why: 'it is a chain of the ZK Stack, which computes the addresses of contracts in its own way',
    }
  const { data = '0x' } = await reader.call({ data: probe(treasury) })
  const [hasCancun, takesEther] = decodeAbiParameters([{ type: 'bool' }, { type: 'bool' }], data)
  if (!hasCancun)
    return {
      code: 'no_cancun',
      why: 'the chain lacks the Cancun instructions that they use (EIP-1153, EIP-5656)',
    }
  if (!takesEther)
    return {
      code: 'treasury_refuses_ether',
      why: `the contract at TREASURY_ADDRESS, ${treasury}, refuses ETH`,
    }
  if (isAddressEqual(dollar, zeroAddress)) return undefined
  const found = await readDollar(reader, dollar)
  return typeof found === 'string' ? { code: 'dollar_unusable', why: `DOLLAR_ADDRESS: ${found}` } : undefined
}

/**
 * Code that tries both in calls of its own and returns their success as two words. No error of a node has to be understood:
 * nodes word a missing instruction and a revert in their own ways.
 */
function probe(treasury: Address): Hex {
  return concatHex([
    // PUSH10 of code that executes TLOAD and MCOPY; MSTORE it; CREATE a contract by it.
    '0x6960005c50600080805e00600052600a60166000f0',
    // Whether there is an address: ISZERO twice; MSTORE it as the first word.
    '0x1515600052',
    // CALL the treasury without value or data, with all gas; MSTORE its success as the second word.
    concatHex(['0x6000600060006000600073', treasury, '0x5af1602052']),
    // RETURN both words.
    '0x60406000f3',
  ])
}
