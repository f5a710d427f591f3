import { type Account, type Address, type Hex, keccak256, parseEther, toHex, walletActions } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { beforeAll, expect, test } from 'vitest'
import {
  encodePermit,
  encodeSellWithAuthorization,
  encodeTransferWithAuthorization,
  type SaleAuthorization,
  type TransferAuthorization,
  typedData,
} from '../../../server/money/chain/authorizations.ts'
import {
  bondingCurve,
  projectFactory,
  projectToken,
} from '../../../server/money/chain/generated/contracts.ts'
import { createTestChain, type TestChain } from '../../support/chain.ts'
import { receiptOf } from '../../support/receipt.ts'

// The holder has tokens and no ETH; the relayer has ETH and sends what the holder signs.

const holder = privateKeyToAccount(generatePrivateKey())
const someone = () => privateKeyToAccount(generatePrivateKey()).address
const name = 'Research Notes'

let chain: TestChain
let relayer: Account
let token: Address
let curve: Address
let validAfter: bigint
let validBefore: bigint

beforeAll(async () => {
  chain = await createTestChain()
  relayer = await chain.fundedAccount()
  const factory = { address: chain.projectFactory, abi: projectFactory.abi } as const
  const key = keccak256(toHex('project'))
  const args = [key, name, 'NOTES', parseEther('1000'), holder.address] as const
  const create = { ...factory, account: relayer, functionName: 'create', args } as const
  const hash = await chain.node.extend(walletActions).writeContract({ ...create, chain: chain.node.chain })
  await receiptOf(chain.node, hash)
  const predict = { ...factory, functionName: 'predict', args: [relayer.address, key] } as const
  ;[token, curve] = await chain.node.readContract(predict)
  await chain.buy(relayer, curve, parseEther('200'))
  const transfer = {
    address: token,
    abi: projectToken.abi,
    account: relayer,
    functionName: 'transfer',
  } as const
  const moved = await chain.node.extend(walletActions).writeContract({
    ...transfer,
    chain: chain.node.chain,
    args: [holder.address, parseEther('100')],
  })
  await receiptOf(chain.node, moved)
  const { timestamp } = await chain.node.getBlock()
  validAfter = timestamp - 1n
  validBefore = timestamp + 900n
})

const domain = () => ({ chainId: 31_337, token, tokenName: name })

const isUsed = (nonce: Hex) =>
  chain.node.readContract({
    address: token,
    abi: projectToken.abi,
    functionName: 'authorizationState',
    args: [holder.address, nonce],
  })

test('a signed transfer reaches its recipient once', async () => {
  const nonce = keccak256(toHex('transfer'))
  const to = someone()
  const message: TransferAuthorization = {
    from: holder.address,
    to,
    value: parseEther('12.5'),
    validAfter,
    validBefore,
    nonce,
  }
  const signature = await holder.signTypedData(typedData(domain(), 'TransferWithAuthorization', message))
  const data = encodeTransferWithAuthorization(message, signature)
  expect(await isUsed(nonce)).toBe(false)
  await chain.send(relayer, { to: token, data })
  expect(await chain.balanceOf(token, to)).toBe(parseEther('12.5'))
  expect(await isUsed(nonce)).toBe(true)
  await expect(chain.send(relayer, { to: token, data })).rejects.toThrow()
})

test('a signed sale pays its recipient what the curve quotes', async () => {
  const nonce = keccak256(toHex('sale'))
  const amount = parseEther('30')
  const quote = { address: curve, abi: bondingCurve.abi, functionName: 'quoteSell', args: [amount] } as const
  const [minOut] = await chain.node.readContract(quote)
  const recipient = someone()
  const message: SaleAuthorization = {
    seller: holder.address,
    amount,
    minOut,
    recipient,
    validAfter,
    validBefore,
    nonce,
  }
  const signature = await holder.signTypedData(typedData(domain(), 'SellWithAuthorization', message))
  const left = (await chain.balanceOf(token, holder.address)) - amount
  await chain.send(relayer, { to: curve, data: encodeSellWithAuthorization(message, signature) })
  expect(await chain.node.getBalance({ address: recipient })).toBe(minOut)
  expect(await chain.balanceOf(token, holder.address)).toBe(left)
  expect(await isUsed(nonce)).toBe(true)
})

test('a signed permit of the founder shows in the allowance of the platform wallet', async () => {
  const value = parseEther('150')
  const message = {
    owner: holder.address,
    spender: chain.platformWallet,
    value,
    nonce: 0n,
    deadline: validBefore,
  }
  const signature = await holder.signTypedData(typedData(domain(), 'Permit', message))
  await chain.send(relayer, { to: token, data: encodePermit(message, signature) })
  const allowance = await chain.node.readContract({
    address: token,
    abi: projectToken.abi,
    functionName: 'allowance',
    args: [holder.address, chain.platformWallet],
  })
  expect(allowance).toBe(value)
})
