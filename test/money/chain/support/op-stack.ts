import { numberToHex, parseEther, zeroAddress } from 'viem'
import { startOwnChain } from '../../../support/own-chain.ts'
import predeploys from '../recordings/op-stack-predeploys.json' with { type: 'json' }

export const gasPriceOracle = '0x420000000000000000000000000000000000000F'
const l1Block = '0x4200000000000000000000000000000000000015'

/** What a chain of the OP stack knows of L1, and what its operator asks; fees in wei. */
export interface L1Fees {
  baseFee: bigint
  baseFeeScalar: bigint
  blobBaseFeeScalar: bigint
  /** Of each transaction. */
  operatorFee?: bigint
}

/**
 * Starts a chain of the OP stack. Its node charges for data by its own rules, from the storage of the L1 block; the real
 * contract prices data by its code.
 */
export async function startOpStack() {
  const chain = await startOwnChain(['--optimism'])
  const { node } = chain
  await node.setCode({ address: gasPriceOracle, bytecode: predeploys.gasPriceOracle as `0x${string}` })
  await node.setCode({ address: l1Block, bytecode: predeploys.l1Block as `0x${string}` })
  const set = (address: typeof gasPriceOracle | typeof l1Block, slot: number, value: bigint) =>
    node.setStorageAt({ address, index: slot, value: numberToHex(value, { size: 32 }) })
  // The upgrades Ecotone and Fjord are active.
  await set(gasPriceOracle, 0, 0x0101n)
  // This node alone charges calls for data, and the zero address makes those that name nobody.
  await node.setBalance({ address: zeroAddress, value: parseEther('1000') })
  return {
    ...chain,
    async setFees({ baseFee, baseFeeScalar, blobBaseFeeScalar, operatorFee = 0n }: L1Fees) {
      await set(l1Block, 1, baseFee)
      await set(l1Block, 3, (baseFeeScalar << 96n) | (blobBaseFeeScalar << 64n))
      await set(l1Block, 7, 1n)
      await set(l1Block, 8, operatorFee)
    },
  }
}
