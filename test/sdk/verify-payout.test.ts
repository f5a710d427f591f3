import { createPublicClient, createWalletClient, http } from 'viem'
import { foundry } from 'viem/chains'
import { describe, expect, test } from 'vitest'
import { verifyPayout } from '../../sdk/src/chain/index.ts'
import { Marketplace, type Payout } from '../../sdk/src/index.ts'
import { localDollar } from '../../server/embedded/chain/dollar.ts'
import { coinOn, dollars } from '../support/locked-dollars.ts'
import { createTestMarket } from '../support/market.ts'
import { createRpcProxy } from '../support/rpc-proxy.ts'
import { until } from '../support/until.ts'

const service = await createTestMarket({ followMs: 50 })
const { chain } = service
const project = await service.activeProject()
const { key } = await service.register()
const market = new Marketplace({ baseUrl: service.baseUrl, apiKey: key })
const node = await createRpcProxy(chain.rpcUrl)

/** A paid bounty's receipt, with the place of its payment. */
async function paid(): Promise<Payout> {
  const { submissionId } = await service.doneBounty({ project })
  const read = async () => (await market.payouts.get(submissionId)).payout
  await until(async () => (await read()).log_index !== null)
  return read()
}
const payout = await paid()
/** The receipt of a bounty that was paid 20 dollars, too. */
async function paidWithDollars(): Promise<Payout> {
  const coin = coinOn(service)
  const funded = await coin.project()
  const bounty = await service.bountyInReview({ project: funded })
  await coin.lock(funded, bounty.id, dollars('20'))
  const { status } = await service.act(bounty, 'approve', bounty.founder, {})
  expect(status).toBe(200)
  return (await market.payouts.get(bounty.submissionId)).payout
}
const withDollars = await paidWithDollars()
const other = await paid()
const client = createPublicClient({ transport: http(chain.rpcUrl), cacheTime: 0 })
const hash = payout.tx_hash as `0x${string}`
const elsewhere = `0x${'77'.repeat(20)}`

test('a payment is found exactly as the receipt says, by an address or by a client', async () => {
  await chain.node.mine({ blocks: 3 })
  const head = await client.getBlockNumber()
  const blockNumber = BigInt(payout.block_number ?? 0)
  const confirmations = Number(head - blockNumber) + 1
  for (const by of [chain.rpcUrl, client])
    expect(await verifyPayout(payout, by)).toEqual({
      status: 'paid',
      hash,
      blockNumber,
      confirmations,
      isFinal: true,
    })
})

test('it is not final while its block is above the finalized one, and nobody knows without such a block', async () => {
  node.alter(({ method, params }, result) => {
    const isTagged = method === 'eth_getBlockByNumber' && params?.[0] === 'finalized'
    return isTagged ? { ...(result as object), number: '0x0' } : result
  })
  expect(await verifyPayout(payout, node.url)).toMatchObject({ status: 'paid', isFinal: false })
  node.alter()
  node.refuse(({ params }) => (params?.[0] === 'finalized' ? 'unknown block tag' : undefined))
  expect(await verifyPayout(payout, node.url)).toMatchObject({ status: 'paid', isFinal: undefined })
  node.refuse()
})

describe('a receipt is refuted that lies about', () => {
  test.each([
    ['to', { to: elsewhere }, ['to', 'transfers']],
    ['from', { from: elsewhere }, ['from', 'transfers']],
    ['net', { net: '95.000000000000000001' }, ['net', 'transfers']],
    ['fee', { fee: '0' }, ['fee', 'transfers']],
    ['gross', { gross: '101' }, ['gross']],
    ['payout_id', { payout_id: other.payout_id }, ['payout_id']],
    ['the bounty', { bounty_id: other.bounty_id }, ['payout_id']],
    ['the transaction', { tx_hash: other.tx_hash }, ['payout_id']],
    ['block_number', { block_number: 1 }, ['block_number']],
    ['log_index', { log_index: 999 }, ['log_index']],
    ['token_address, where no contract is', { token_address: elsewhere }, ['token_address']],
  ])('%s', async (_, lie, fields) => {
    const found = await verifyPayout({ ...payout, ...lie }, client)
    expect(found).toMatchObject({ status: 'differs' })
    expect(found.status === 'differs' && found.differences.map(({ field }) => field)).toEqual(fields)
  })

  test('token_address, which names another token: nothing of that moved', async () => {
    const { token_address } = await service.activeProject()
    const found = await verifyPayout({ ...payout, token_address }, client)
    expect(found).toMatchObject({
      status: 'differs',
      differences: [
        { field: 'token_address', receipt: token_address, chain: payout.token_address },
        { field: 'transfers', chain: '' },
      ],
    })
  })
})

test('a payment with dollars is found, both legs of it', async () => {
  expect(withDollars.dollars).toEqual({ gross: '20', fee: '1', net: '19' })
  expect(await verifyPayout(withDollars, client)).toMatchObject({ status: 'paid' })
})

test.each([
  ['that there were none', null, ['dollars', 'dollar_transfers']],
  ['how many there were', { gross: '21', fee: '1', net: '20' }, ['dollars', 'dollar_transfers']],
  ['the fee on them', { gross: '20', fee: '2', net: '19' }, ['dollars']],
])('a receipt is refuted that lies about dollars: %s', async (_, said, fields) => {
  const found = await verifyPayout({ ...withDollars, dollars: said }, client)
  expect(found.status === 'differs' && found.differences.map(({ field }) => field)).toEqual(fields)
})

test('a transaction that says it has paid dollars, but does not move the coin, differs', async () => {
  node.alter(({ method }, result) => {
    if (method !== 'eth_getTransactionReceipt') return result
    const receipt = result as { logs: { address: string }[] }
    return { ...receipt, logs: receipt.logs.filter(({ address }) => address !== localDollar.toLowerCase()) }
  })
  const found = await verifyPayout(withDollars, node.url)
  node.alter()
  expect(found).toMatchObject({ status: 'differs', differences: [{ field: 'dollar_transfers', chain: '' }] })
})

test.each([
  ['twice', (logs: object[]) => [...logs, logs[1]], /^(95 from \S+ to \S+), 5 from \S+ to \S+, \1$/],
  ['without the fee', (logs: object[]) => logs.slice(0, 2), /^95 from \S+ to \S+$/],
  ['not at all', (logs: object[]) => logs.slice(0, 1), /^$/],
])('a transaction that says it has paid, but moves the tokens %s, differs', async (_, change, moved) => {
  node.alter(({ method }, result) => {
    if (method !== 'eth_getTransactionReceipt') return result
    const receipt = result as { logs: object[] }
    expect(receipt.logs).toHaveLength(3)
    return { ...receipt, logs: change(receipt.logs) }
  })
  const found = await verifyPayout(payout, node.url)
  node.alter()
  expect(found).toMatchObject({
    status: 'differs',
    differences: [{ field: 'transfers', chain: expect.stringMatching(moved) }],
  })
})

test('a transaction in which another contract says what the platform wallet should has paid nothing', async () => {
  node.alter(({ method }, result) => {
    if (method !== 'eth_getTransactionReceipt') return result
    const { logs, ...receipt } = result as { logs: object[] }
    return { ...receipt, logs: [{ ...logs[0], address: elsewhere }, ...logs.slice(1)] }
  })
  const found = await verifyPayout(payout, node.url)
  node.alter()
  expect(found).toMatchObject({ status: 'differs', differences: [{ field: 'payout_id', chain: undefined }] })
})

test('a transaction that failed has moved nothing', async () => {
  const account = await chain.fundedAccount()
  const wallet = createWalletClient({ account, chain: foundry, transport: http(chain.rpcUrl) })
  const tx_hash = await wallet.sendTransaction({
    to: chain.platformWallet,
    data: '0xdeadbeef',
    gas: 100_000n,
  })
  await until(async () => client.getTransactionReceipt({ hash: tx_hash }).then(Boolean, () => false))
  expect(await verifyPayout({ ...payout, tx_hash }, client)).toMatchObject({
    status: 'reverted',
    hash: tx_hash,
    confirmations: expect.any(Number),
  })
})

test('a transaction that no block has, or only a block that was replaced, is not found', async () => {
  const tx_hash = `0x${'0a'.repeat(32)}`
  expect(await verifyPayout({ ...payout, tx_hash }, client)).toEqual({ status: 'not_found', hash: tx_hash })
  node.alter(({ method, params }, result) => {
    const isReplaced = method === 'eth_getBlockByNumber' && params?.[0] !== 'finalized'
    return isReplaced ? { ...(result as object), hash: tx_hash } : result
  })
  expect(await verifyPayout(payout, node.url)).toEqual({ status: 'not_found', hash })
  node.alter()
})

test('a receipt without a transaction is unsent, and no node is asked', async () => {
  expect(await verifyPayout({ ...payout, tx_hash: null }, 'http://127.0.0.1:9')).toEqual({ status: 'unsent' })
})

test('a node that does not respond is an error, not a finding', async () => {
  await expect(verifyPayout(payout, 'http://127.0.0.1:9')).rejects.toThrow()
})
