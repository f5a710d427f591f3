import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { concatHex, getContractAddress, type Hex, zeroHash } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { expect, test } from 'vitest'
import { ConfigError } from '../../../../server/config/config.ts'
import { CREATE2_PROXY } from '../../../../server/money/chain/deploy/predict.ts'
import {
  type VerificationInput,
  verificationInput,
} from '../../../../server/money/chain/deploy/verify-input.ts'
import { createTestChain } from '../../../support/chain.ts'
import { loadSolc } from '../../../support/solc.ts'

const root = join(import.meta.dirname, '../../../..')

/** The command's output, parsed. */
function printed(settings: Record<string, string>): VerificationInput {
  const { status, stdout, stderr } = spawnSync(
    'node_modules/.bin/tsx',
    ['server/money/chain/deploy/cli.ts', 'verify-input'],
    { cwd: root, encoding: 'utf8', env: { PATH: process.env.PATH, ...settings }, maxBuffer: 2 ** 24 },
  )
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return JSON.parse(stdout)
}

interface Compiled {
  contracts: Record<string, Record<string, { evm: { bytecode: { object: string } } }>>
}

test('the printed input compiles to the deployed contracts', async () => {
  const chain = await createTestChain()
  const { compiler, contracts, input } = printed({
    OWNER_ADDRESS: chain.owner.address,
    TREASURY_ADDRESS: chain.treasury,
    PLATFORM_WALLET_ADDRESS: chain.platformWallet,
  })
  expect(contracts.map(({ name, address }) => [name, address])).toEqual([
    ['ProjectFactory.sol:ProjectFactory', chain.projectFactory],
    ['ProjectToken.sol:ProjectToken', chain.tokenImplementation],
    ['BondingCurve.sol:BondingCurve', chain.curveImplementation],
    ['PlatformWallet.sol:PlatformWallet', chain.platformWallet],
  ])
  const solc = loadSolc()
  expect(compiler).toMatch(/^v\d+\.\d+\.\d+\+commit\.[0-9a-f]{8}$/)
  expect(`v${solc.version()}`.startsWith(compiler)).toBe(true)
  const output: Compiled = JSON.parse(solc.compile(JSON.stringify(input)))
  const initCodes = contracts.map(({ name, constructor_arguments }): Hex => {
    const [file = '', contract = ''] = name.split(':')
    return concatHex([
      `0x${output.contracts[file]?.[contract]?.evm.bytecode.object}`,
      `0x${constructor_arguments}`,
    ])
  })
  const [factory, ...others] = initCodes as [Hex, ...Hex[]]
  // The factory's code contains addresses that depend on its own, so it is compared by its CREATE2 address.
  expect(
    getContractAddress({ opcode: 'CREATE2', from: CREATE2_PROXY, salt: zeroHash, bytecode: factory }),
  ).toBe(chain.projectFactory)
  for (const [index, initCode] of others.entries()) {
    const { data } = await chain.node.call({ account: chain.projectFactory, data: initCode })
    const address = contracts[index + 1]?.address as Hex
    expect(data).toBe(await chain.node.getCode({ address }))
  }
}, 120_000)

test('a platform wallet that differs from the predicted one is refused', () => {
  const OWNER_ADDRESS = privateKeyToAddress(generatePrivateKey())
  const given = { OWNER_ADDRESS, PLATFORM_WALLET_ADDRESS: OWNER_ADDRESS }
  expect(() => verificationInput(given)).toThrow(ConfigError)
  expect(() => verificationInput(given)).toThrow(/check out the version/)
  expect(() => verificationInput({})).toThrow('OWNER_ADDRESS is not set')
})
