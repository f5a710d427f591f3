import {
  type Address,
  domainSeparator,
  encodeDeployData,
  getAddress,
  type Hex,
  parseAbi,
  parseEther,
  parseUnits,
  zeroAddress,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { beforeAll, describe, expect, test } from 'vitest'
import { deployDollar, localDollar } from '../../../../server/embedded/chain/dollar.ts'
import { DeploymentError, deployContracts } from '../../../../server/money/chain/deploy/deploy.ts'
import { platformWallet } from '../../../../server/money/chain/generated/contracts.ts'
import { startOwnChain } from '../../../support/own-chain.ts'
import { receiptOf } from '../../../support/receipt.ts'
import { loadSolc } from '../../../support/solc.ts'

const { rpcUrl, node } = await startOwnChain()
const privateKey = generatePrivateKey()
const deployer = privateKeyToAccount(privateKey)

beforeAll(async () => {
  await node.setBalance({ address: deployer.address, value: parseEther('10') })
  await deployDollar(rpcUrl)
})

const deploy = (dollar?: Address, dollarDailyCap?: bigint) =>
  deployContracts({
    rpcUrl,
    deployerPrivateKey: privateKey,
    operators: [],
    ...(dollar && { dollar }),
    ...(dollarDailyCap && { dollarDailyCap }),
  })

/** Why the deployment was refused, and that nothing was sent. */
async function refusal(dollar: Address): Promise<string> {
  const sent = await node.getTransactionCount(deployer)
  const error = await deploy(dollar).then(undefined, (reason: unknown) => reason)
  if (!(error instanceof DeploymentError)) throw new Error(`not refused as expected: ${error}`)
  expect(error.code).toBe('dollar_unusable')
  expect(await node.getTransactionCount(deployer)).toBe(sent)
  return error.message
}

const read = (wallet: Address, functionName: 'dollar' | 'LOCK') =>
  node.readContract({ address: wallet, abi: platformWallet.abi, functionName })

const capOf = (wallet: Address, coin: Address) =>
  node.readContract({ address: wallet, abi: platformWallet.abi, functionName: 'dailyCap', args: [coin] })

describe('contracts', () => {
  test('are made with Circle’s coin and a cap of 5,000 dollars a day', async () => {
    const { platformWallet: wallet } = await deploy(localDollar)
    expect(await read(wallet, 'dollar')).toBe(localDollar)
    expect(await capOf(wallet, localDollar)).toBe(parseUnits('5000', 6))
    expect(await read(wallet, 'LOCK')).toBe(180n * 86_400n)
  })

  test('of another coin or cap have other addresses', async () => {
    const wallets = [await deploy(), await deploy(localDollar), await deploy(localDollar, 1n)].map(
      (deployment) => deployment.platformWallet,
    )
    expect(new Set(wallets).size).toBe(3)
    expect(await read(wallets[0] as Address, 'dollar')).toBe(zeroAddress)
    expect(await capOf(wallets[2] as Address, localDollar)).toBe(1n)
  })
})

describe('contracts are not made with', () => {
  test('an address without code', async () => {
    expect(await refusal('0x1111111111111111111111111111111111111111')).toBe(
      'The contracts cannot be deployed: DOLLAR_ADDRESS: there is no contract at 0x1111111111111111111111111111111111111111. Nothing was sent.',
    )
  })

  test('a contract that is no such coin', async () => {
    const { platformWallet: wallet, tokenImplementation } = await deploy()
    for (const other of [wallet, tokenImplementation])
      expect(await refusal(other)).toContain(`what is at ${other} does not answer as a stablecoin`)
  })

  test('a coin of 18 decimals', async () => {
    const coin = await makeCoin({ decimals: 18, version: '2' })
    expect(await refusal(coin)).toContain(`${coin} has 18 decimals instead of 6`)
  })

  test('a coin that verifies signatures in another domain than its name and version say', async () => {
    const coin = await makeCoin({ decimals: 6, version: '1' })
    expect(await refusal(coin)).toContain(`the EIP-712 domain of ${coin} is not that of its name and version`)
    const good = await makeCoin({ decimals: 6, version: '2' })
    expect(await read((await deploy(good)).platformWallet, 'dollar')).toBe(good)
  })
})

const abi = parseAbi(['constructor(uint8 decimals, string version)'])
const source = `pragma solidity 0.8.37;
contract Coin {
  uint8 public decimals;
  string public name = "Coin";
  string public version;
  constructor(uint8 decimals_, string memory version_) { (decimals, version) = (decimals_, version_); }
  function DOMAIN_SEPARATOR() external view returns (bytes32) {
    bytes32 kind = keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
    return keccak256(abi.encode(kind, keccak256("Coin"), keccak256("2"), block.chainid, address(this)));
  }
}`

/** A coin that verifies in the domain of version 2, whatever it says. */
async function makeCoin({ decimals, version }: { decimals: number; version: string }): Promise<Address> {
  const input = {
    language: 'Solidity',
    sources: { 'Coin.sol': { content: source } },
    settings: { evmVersion: 'cancun', outputSelection: { '*': { '*': ['evm.bytecode.object'] } } },
  }
  const output = JSON.parse(loadSolc().compile(JSON.stringify(input)))
  const bytecode: Hex = `0x${output.contracts['Coin.sol'].Coin.evm.bytecode.object}`
  const maker = privateKeyToAccount(generatePrivateKey())
  await node.setBalance({ address: maker.address, value: parseEther('1') })
  const data = encodeDeployData({ abi, bytecode, args: [decimals, version] })
  const hash = await node.sendTransaction({ account: maker, chain: null, data })
  const { contractAddress } = await receiptOf(node, hash)
  const address = getAddress(contractAddress as Address)
  const domain = { name: 'Coin', version: '2', chainId: 31_337, verifyingContract: address }
  const separator = await node.readContract({
    address,
    abi: parseAbi(['function DOMAIN_SEPARATOR() view returns (bytes32)']),
    functionName: 'DOMAIN_SEPARATOR',
  })
  expect(separator).toBe(domainSeparator({ domain }))
  return address
}
