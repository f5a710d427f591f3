import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Abi,
  type Address,
  createTestClient,
  encodeAbiParameters,
  http,
  keccak256,
  parseEther,
  publicActions,
  toHex,
  walletActions,
} from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { deployDollar, giveDollars, localDollar } from '../../server/embedded/chain/dollar.ts'
import { startChain } from '../../server/embedded/chain/local-chain.ts'
import { typedData } from '../../server/money/chain/authorizations.ts'
import { type Deployment, deployContracts } from '../../server/money/chain/deploy/deploy.ts'
import {
  bondingCurve,
  platformWallet,
  projectFactory,
  projectToken,
} from '../../server/money/chain/generated/contracts.ts'
import { receiptOf } from '../support/receipt.ts'

/** Gas of one kind of transaction, all of it: base price, calldata and execution. */
export interface Measurement {
  name: string
  gas: bigint
  /** Highest gas allowed, where one is promised. */
  limit?: bigint
}

const mnemonic = 'test test test test test test test test test test test junk'
const tokens = 10n ** 18n
const later = 4_000_000_000n
const receiveTypes = {
  ReceiveWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const
const stranger: Address = '0x1111111111111111111111111111111111111111'
const newcomer: Address = '0x3333333333333333333333333333333333333333'
const recipient: Address = '0x2222222222222222222222222222222222222222'
const operator = 0
const founder = 1
const treasury = 2
const first = 3
const second = 4
const third = 5
const early = 6
const late = 7

/** Plays every kind of transaction on a chain that starts empty, so that the figures repeat exactly. */
export async function measureGas(): Promise<Measurement[]> {
  const directory = await mkdtemp(join(tmpdir(), 'gas-'))
  const log = { info: () => {}, warn: () => {} }
  const chain = await startChain({ directory, port: 0, log, persist: false, proxy: false })
  try {
    const stage = await setStage(chain.rpcUrl)
    await measurePayouts(stage)
    await measureDollars(stage)
    await measureTrades(stage)
    await measureRelays(stage)
    await measurePlainTransfers(stage)
    return stage.measurements
  } finally {
    await chain.stop()
    await rm(directory, { recursive: true, force: true })
  }
}

interface Call {
  from: number
  to: Address
  abi: Abi
  call: string
  args: unknown[]
  value?: bigint
  /** Given where the transaction reverts, which no node estimates. */
  gas?: bigint
}

type Node = ReturnType<typeof connect>
type Stage = Awaited<ReturnType<typeof setStage>>

function connect(rpcUrl: string) {
  return createTestClient({ mode: 'anvil', chain: foundry, transport: http(rpcUrl), cacheTime: 0 })
    .extend(publicActions)
    .extend(walletActions)
}

async function setStage(rpcUrl: string) {
  const node = connect(rpcUrl)
  await deployDollar(rpcUrl)
  const accounts = Array.from({ length: 8 }, (_, addressIndex) =>
    mnemonicToAccount(mnemonic, { addressIndex }),
  )
  for (const account of accounts)
    await node.setBalance({ address: account.address, value: parseEther('1000') })
  const address = (index: number): Address => accounts[index]!.address
  const measurements: Measurement[] = []
  const note = (name: string, gas: bigint, limit?: bigint) => {
    measurements.push({ name, gas, ...(limit === undefined ? {} : { limit }) })
  }
  const use = async ({ from, to, call, ...rest }: Call): Promise<bigint> => {
    const hash = await node.writeContract({
      ...rest,
      account: accounts[from]!,
      address: to,
      functionName: call,
    })
    return (await receiptOf(node, hash)).gasUsed
  }
  const deployment = await deployContracts({
    rpcUrl,
    deployerPrivateKey: toHex(accounts[operator]!.getHdKey().privateKey!),
    treasury: address(treasury),
    operators: [],
    dollar: localDollar,
  })
  note('deploy factory, platform wallet and both implementations', deployment.gasUsed!)
  const wallet = { to: deployment.platformWallet, abi: platformWallet.abi as Abi }
  const addOperator: Call = {
    ...wallet,
    from: operator,
    call: 'setOperator',
    args: [address(operator), true],
  }
  note('add an operator', await use(addOperator))
  const create = projectMaker(node, deployment, address)
  const project = await create('project', 1_000_000n)
  note('create a project', await use(project.call), 275_000n)
  note('create it again: refused', await use({ ...project.call, gas: 300_000n }), 40_000n)
  return { rpcUrl, node, accounts, address, use, note, measurements, wallet, create, project }
}

function projectMaker(node: Node, deployment: Deployment, address: (index: number) => Address) {
  return async (name: string, supply: bigint) => {
    const key = keccak256(toHex(name))
    const [token, curve] = await node.readContract({
      address: deployment.projectFactory,
      abi: projectFactory.abi,
      functionName: 'predict',
      args: [address(operator), key],
    })
    const call: Call = {
      from: operator,
      to: deployment.projectFactory,
      abi: projectFactory.abi as Abi,
      call: 'create',
      args: [key, 'Research Notes', 'NOTES', supply * tokens, address(founder)],
    }
    return { token, curve, call }
  }
}

async function measurePayouts({ address, use, note, wallet, project }: Stage): Promise<void> {
  let payouts = 0
  const pay = (to: number) => {
    const id = keccak256(toHex(`payout ${payouts++}`))
    const args = [id, project.token, address(founder), address(to), 950n * tokens, 50n * tokens]
    return use({ ...wallet, from: operator, call: 'pay', args })
  }
  note("pay: the project's first fee, and a new holder", await pay(first))
  note('pay: two legs, a new holder', await pay(second), 109_200n)
  note('pay: two legs, an existing holder', await pay(second), 92_100n)
  const cap = [project.token, 100_000n * tokens]
  await use({ ...wallet, from: operator, call: 'setDailyCap', args: cap })
  await pay(second)
  note('pay: under a daily cap, a new holder', await pay(third), 116_000n)
  note('pay: under a daily cap, an existing holder', await pay(second), 99_000n)
}

async function measureDollars({
  rpcUrl,
  accounts,
  address,
  use,
  note,
  wallet,
  project,
}: Stage): Promise<void> {
  await giveDollars(rpcUrl, address(founder))
  const amount = 20_000_000n
  const idOf = (name: string) => keccak256(toHex(`dollars ${name}`))
  const fund = async (name: string) => {
    const key = encodeAbiParameters([{ type: 'bytes32' }, { type: 'address' }], [idOf(name), project.token])
    const signature = await accounts[founder]!.signTypedData({
      domain: { name: 'USD Coin', version: '2', chainId: foundry.id, verifyingContract: localDollar },
      types: receiveTypes,
      primaryType: 'ReceiveWithAuthorization',
      message: {
        from: address(founder),
        to: wallet.to,
        value: amount,
        validAfter: 0n,
        validBefore: later,
        nonce: keccak256(key),
      },
    })
    const args = [idOf(name), project.token, amount, later, signature]
    return use({ ...wallet, from: operator, call: 'fund', args })
  }
  const pay = (name: string, to: Address) => {
    const tokens = [project.token, address(founder), to, 950n * 10n ** 18n, 50n * 10n ** 18n]
    const args = [idOf(name), ...tokens, amount, amount / 20n]
    return use({ ...wallet, from: operator, call: 'payWithDollars', args })
  }
  await fund('first')
  note('fund', await fund('second'), 120_000n)
  await pay('first', address(second))
  note('pay with dollars: a new holder', await pay('second', newcomer), 150_000n)
  await fund('third')
  note('pay with dollars: an existing holder', await pay('third', newcomer), 115_000n)
  await fund('fourth')
  const refund: Call = { ...wallet, from: operator, call: 'refund', args: [idOf('fourth')] }
  note('refund', await use(refund), 55_000n)
  note('withdraw the fees in dollars', await use({ ...refund, call: 'withdrawDollarFees', args: [] }))
}

async function measureTrades({ node, address, use, note, create, project }: Stage): Promise<void> {
  const abi = bondingCurve.abi
  const buy = async (from: number, curve: Address, amount: bigint, extra: bigint) => {
    const quote = { address: curve, abi, functionName: 'quoteBuy', args: [amount] } as const
    const [ethIn] = await node.readContract(quote)
    const args = [amount, ethIn, address(from), later]
    return use({ to: curve, abi: abi as Abi, from, call: 'buy', args, value: ethIn + extra })
  }
  const { curve } = project
  const amount = 50_000n * tokens
  const limit = 78_000n
  note('buy: a new holder', await buy(early, curve, amount, 0n), limit)
  note('buy: a new holder, with a refund', await buy(late, curve, amount, 1000n), limit)
  note('buy: an existing holder', await buy(early, curve, amount, 0n), limit)
  note('buy: an existing holder, with a refund', await buy(late, curve, amount, 1000n), limit)
  const trillion = await create('trillion', 10n ** 12n)
  await use(trillion.call)
  const part = 123_456_789_012n * tokens + 1n
  note(
    'buy: of a trillion, a new holder, with a refund',
    await buy(early, trillion.curve, part, 1000n),
    limit,
  )
  const trade = { to: curve, abi: abi as Abi }
  const sale = (from: number, part: bigint) => [part, 1n, address(from), later]
  note('sell', await use({ ...trade, from: late, call: 'sell', args: sale(late, amount) }), 68_000n)
  const back = { to: trillion.curve, abi: abi as Abi, from: early, call: 'sell', args: sale(early, part) }
  note('sell: of a trillion', await use(back), 68_000n)
  const withdrawal: Call = { ...trade, from: operator, call: 'withdrawFees', args: [] }
  note('withdraw fees', await use(withdrawal))
  await buy(founder, curve, 10_000n * tokens, 0n)
}

async function measureRelays({
  accounts,
  address,
  use,
  note,
  project: { token, curve },
}: Stage): Promise<void> {
  const domain = { chainId: foundry.id, token, tokenName: 'Research Notes' }
  const times = (name: string) => ({ validAfter: 0n, validBefore: later, nonce: keccak256(toHex(name)) })
  const transfer = async (to: Address, name: string) => {
    const message = { from: address(early), to, value: tokens, ...times(name) }
    const signature = await accounts[early]!.signTypedData(
      typedData(domain, 'TransferWithAuthorization', message),
    )
    const { from, value, validAfter, validBefore, nonce } = message
    const args = [from, to, value, validAfter, validBefore, nonce, signature]
    const abi = projectToken.abi as Abi
    return use({ to: token, abi, from: operator, call: 'transferWithAuthorization', args })
  }
  note('relay a transfer: to a new holder', await transfer(recipient, 'first'), 92_000n)
  note('relay a transfer: to an existing holder', await transfer(recipient, 'second'), 75_000n)
  const message = { seller: address(early), amount: tokens, minOut: 1n, recipient, ...times('sale') }
  const signature = await accounts[early]!.signTypedData(typedData(domain, 'SellWithAuthorization', message))
  const { seller, amount, minOut, validAfter, validBefore, nonce } = message
  const args = [seller, amount, minOut, recipient, validAfter, validBefore, nonce, signature]
  const abi = bondingCurve.abi as Abi
  const sale: Call = { to: curve, abi, from: operator, call: 'sellWithAuthorization', args }
  note('relay a sale: to an address without ether', await use(sale), 128_000n)
}

async function measurePlainTransfers({ address, use, note, wallet, project }: Stage): Promise<void> {
  const erc20 = { to: project.token, abi: projectToken.abi as Abi }
  const approve = (spender: Address, amount: bigint) =>
    use({ ...erc20, from: founder, call: 'approve', args: [spender, amount] })
  note('approve the platform wallet beyond the reserve', await approve(wallet.to, 200_000n * tokens))
  await approve(address(early), 10_000n * tokens)
  const leg = (to: Address, amount: bigint) =>
    use({ ...erc20, from: early, call: 'transferFrom', args: [address(founder), to, amount] })
  const both = async () => (await leg(stranger, 950n * tokens)) + (await leg(address(treasury), 50n * tokens))
  note('beside pay: two plain transferFrom transactions, a new holder', await both())
  note('beside pay: two plain transferFrom transactions, existing', await both())
}
