import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import {
  type Address,
  concatHex,
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  zeroAddress,
  zeroHash,
} from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { expect, onTestFinished, test } from 'vitest'
import { takesAuthorizations } from '../../server/chain/authorizations.ts'
import { CONTRACT_DEFAULTS } from '../../server/chain/contracts/defaults.ts'
import { CREATE2_PROXY } from '../../server/chain/deploy/predict.ts'
import {
  platformWallet as platformWalletContract,
  projectFactory,
} from '../../server/chain/generated/contracts.ts'
import { readConfig } from '../../server/config/config.ts'
import { connect } from '../../server/startup/connect/connect.ts'
import { rememberWallet } from '../../server/startup/connect/remembered-wallet.ts'
import type { TestChain } from '../support/chain.ts'
import { createTestMarket } from '../support/market.ts'
import { surroundings } from './support/surroundings.ts'

/** Creation bytecode of a factory of an earlier version. */
type Fixture = 'earlier-factory.hex' | 'factory-without-authorizations.hex'

async function deployEarlierContracts(chain: TestChain, fixture: Fixture): Promise<TestChain> {
  const { abi, bytecode } = projectFactory
  const file = join(import.meta.dirname, '../chain/fixtures', fixture)
  const earlier = (await readFile(file, 'utf8')).trim() as Hex
  expect(earlier).not.toBe(bytecode)
  const { bountyReserveBps, curveFeeBps, startFdv, endFdv } = CONTRACT_DEFAULTS
  const initCode = encodeDeployData({
    abi,
    bytecode: earlier,
    args: [
      chain.owner.address,
      chain.treasury,
      BigInt(bountyReserveBps),
      BigInt(curveFeeBps),
      startFdv,
      endFdv,
    ],
  })
  await chain.send(chain.owner, { to: CREATE2_PROXY, data: concatHex([zeroHash, initCode]) })
  const factory = getContractAddress({
    opcode: 'CREATE2',
    from: CREATE2_PROXY,
    salt: zeroHash,
    bytecode: initCode,
  })
  const platformWallet = getContractAddress({ from: factory, nonce: 3n })
  for (const key of chain.operatorKeys)
    await chain.send(chain.owner, {
      to: platformWallet,
      data: encodeFunctionData({
        abi: platformWalletContract.abi,
        functionName: 'setOperator',
        args: [privateKeyToAddress(key), true],
      }),
    })
  return { ...chain, platformWallet, projectFactory: factory }
}

test.each<Fixture>(['earlier-factory.hex', 'factory-without-authorizations.hex'])(
  'a database that has paid with contracts of an earlier version keeps to them, and projects work on them: %s',
  async (fixture) => {
    const around = await surroundings()
    const chain = await deployEarlierContracts(around.chain, fixture)
    const { WALLET_MASTER_KEY = '' } = around.settings
    const market = await createTestMarket({ sharing: { ...around, chain }, settings: { WALLET_MASTER_KEY } })
    onTestFinished(market.close)
    const project = await market.activeProject()
    await rememberWallet(market.db, 31_337, chain.platformWallet)

    const { PLATFORM_WALLET_ADDRESS: _, ...settings } = around.settings
    const upgraded = await connect(readConfig(settings), pino({ level: 'silent' }), () => undefined)
    onTestFinished(upgraded.close)
    await upgraded.reachChain()
    expect(upgraded.connections.chain.require()).toMatchObject({
      platformWallet: chain.platformWallet,
      projectFactory: chain.projectFactory,
    })
    // The default reward of 100 tokens less the fee of 5 %.
    const bounty = await market.doneBounty({ project })
    const contributor = bounty.claimant.wallet_address as string
    expect(await chain.balanceOf(project.token_address, contributor)).toBe(95n * 10n ** 18n)
    const token = project.token_address as Address
    expect(await takesAuthorizations({ id: 31_337, client: chain.node }, token)).toBe(false)
    if (fixture !== 'earlier-factory.hex') return

    // The owner of the oldest could bound what is no token; this version's refuse it (PlatformWallet.t.sol).
    const setCap = encodeFunctionData({
      abi: platformWalletContract.abi,
      functionName: 'setDailyCap',
      args: [zeroAddress, 1n],
    })
    await chain.send(chain.owner, { to: chain.platformWallet, data: setCap })
    await expect(chain.send(chain.owner, { to: around.chain.platformWallet, data: setCap })).rejects.toThrow()
  },
)
