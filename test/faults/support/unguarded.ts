import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type Address, encodeDeployData, getContractAddress, type Hex, parseEther } from 'viem'
import { CONTRACT_DEFAULTS } from '../../../server/money/chain/contracts/defaults.ts'
import { platformWallet } from '../../../server/money/chain/generated/contracts.ts'
import { loadSolc } from '../../support/solc.ts'
import type { Fixture } from './fixture.ts'
import type { Node } from './node.ts'

const contracts = join(import.meta.dirname, '../../../server/money/chain/contracts')
const guard = '        if (payout.state == State.Paid) revert AlreadyPaid();\n'
const load = createRequire(import.meta.url)
let compiled: Hex | undefined

/** Puts a platform wallet in place of the real one that pays an id as often as it is asked to. */
export async function removeGuard(node: Node, fixture: Fixture): Promise<void> {
  const wallet = { abi: platformWallet.abi, address: fixture.platformWallet } as const
  const [owner, curveImplementation, dollar] = await Promise.all([
    node.readContract({ ...wallet, functionName: 'owner' }),
    node.readContract({ ...wallet, functionName: 'curveImplementation' }),
    node.readContract({ ...wallet, functionName: 'dollar' }),
  ])
  // Made by the factory, whom its code remembers as its maker.
  const factory = fixture.projectFactory
  await node.setBalance({ address: factory, value: parseEther('1') })
  await node.impersonateAccount({ address: factory })
  const nonce = await node.getTransactionCount({ address: factory })
  const data = encodeDeployData({
    abi: platformWallet.abi,
    bytecode: compileWithoutGuard(),
    args: [owner, fixture.treasury, curveImplementation, dollar, CONTRACT_DEFAULTS.dollarDailyCap],
  })
  await node.sendTransaction({ account: factory, data, gas: 5_000_000n })
  await node.mine({ blocks: 1 })
  await node.stopImpersonatingAccount({ address: factory })
  const address: Address = getContractAddress({ from: factory, nonce: BigInt(nonce) })
  const bytecode = await node.getCode({ address })
  if (!bytecode) throw new Error('the platform wallet without its guard could not be made')
  await node.setCode({ address: fixture.platformWallet, bytecode })
}

function compileWithoutGuard(): Hex {
  compiled ??= compile()
  return compiled
}

function compile(): Hex {
  const solc = loadSolc()
  const source = readFileSync(join(contracts, 'PlatformWallet.sol'), 'utf8')
  if (source.split(guard).length !== 2) throw new Error('the guard is not where it was')
  const input = {
    language: 'Solidity',
    sources: { 'PlatformWallet.sol': { content: source.replace(guard, '') } },
    settings: {
      evmVersion: 'cancun',
      optimizer: { enabled: true, runs: 200 },
      outputSelection: { 'PlatformWallet.sol': { PlatformWallet: ['evm.bytecode.object'] } },
    },
  }
  const output = JSON.parse(solc.compile(JSON.stringify(input), { import: readImport }))
  const object = output.contracts?.['PlatformWallet.sol']?.PlatformWallet?.evm.bytecode.object
  if (!object) throw new Error(JSON.stringify(output.errors))
  return `0x${object}`
}

function readImport(path: string): { contents: string } | { error: string } {
  try {
    const file = path.startsWith('solady/') ? load.resolve(path) : join(contracts, path)
    return { contents: readFileSync(file, 'utf8') }
  } catch {
    return { error: `${path} not found` }
  }
}
