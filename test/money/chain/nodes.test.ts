import { createPublicClient, fallback } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { connectChain } from '../../../server/money/chain/chain.ts'
import { guardedHttp } from '../../../server/money/chain/client.ts'
import { deployment } from '../../ops/support/deployment.ts'
import { built, run } from '../../ops/support/service.ts'
import { createApi } from '../../support/api.ts'
import { createTestChain } from '../../support/chain.ts'
import { createRpcProxy } from '../../support/rpc-proxy.ts'
import { startRpcServer } from '../../support/rpc-server.ts'
import { createScenarios } from '../../support/scenarios.ts'

/** A node that answers each method with a fixed result, and counts what it was asked. */
async function fakeNode(results: Record<string, unknown>) {
  const asked: string[] = []
  const { url } = await startRpcServer(({ call: { method }, answer }) => {
    asked.push(method)
    answer({ result: results[method] ?? null })
  })
  return { url, asked, results }
}

const guarded = (urls: string[], chainId: number) =>
  createPublicClient({
    transport: fallback(
      urls.map((url) => guardedHttp(url, { chainId, retryCount: 0, parks: urls.length > 1 })),
      { retryCount: 0 },
    ),
    cacheTime: 0,
  })

test('a node of another chain is not believed, and told apart from one that fails', async () => {
  const stranger = await fakeNode({ eth_chainId: '0x5', eth_blockNumber: '0x63' })
  await expect(guarded([stranger.url], 1).getBlockNumber()).rejects.toThrow(
    'The node serves chain 5 instead of 1.',
  )
  expect(stranger.asked).toEqual(['eth_chainId'])
})

test('the chain id is asked once a connection, and again after it broke', async () => {
  const node = await fakeNode({ eth_chainId: '0x1', eth_blockNumber: '0x63' })
  const proxy = await createRpcProxy(node.url)
  const client = guarded([proxy.url], 1)
  await client.getBlockNumber()
  expect(await client.getBlockNumber()).toBe(99n)
  expect(node.asked).toEqual(['eth_chainId', 'eth_blockNumber', 'eth_blockNumber'])
  proxy.disconnect()
  await expect(client.getBlockNumber()).rejects.toThrow()
  proxy.restore()
  // Another node has taken the address over.
  node.results.eth_chainId = '0x5'
  await expect(client.getBlockNumber()).rejects.toThrow('serves chain 5 instead of 1')
})

test('the newest block that a node has shown is known, in whatever reply', async () => {
  const shown: number[] = []
  const node = await fakeNode({ eth_chainId: '0x1', eth_blockNumber: '0x63' })
  const transport = guardedHttp(node.url, {
    chainId: 1,
    retryCount: 0,
    parks: false,
    onBlock: (number) => shown.push(number),
  })
  const client = createPublicClient({ transport, cacheTime: 0 })
  await client.getBlockNumber()
  const ask = (method: string, result: unknown) => {
    node.results[method] = result
    return client.request({ method, params: [] } as never)
  }
  await ask('eth_getBlockByNumber', { number: '0x64', timestamp: '0x5' })
  await ask('eth_getBlockByNumber', null)
  await ask('eth_getTransactionReceipt', { blockNumber: '0x65' })
  await ask('eth_getTransactionCount', '0x66')
  expect(shown).toEqual([0x63, 0x64, 0x65])
})

test('reads go to the next node at once while one is parked', async () => {
  const [first, second] = await Promise.all([
    fakeNode({ eth_chainId: '0x5' }),
    fakeNode({ eth_chainId: '0x1', eth_blockNumber: '0x63' }),
  ])
  const client = guarded([first.url, second.url], 1)
  for (let read = 0; read < 3; read++) expect(await client.getBlockNumber()).toBe(99n)
  expect(first.asked).toEqual(['eth_chainId'])
})

test('bytes are offered to one node a turn, and to the next where that one is not reached', async () => {
  const chain = await createTestChain()
  const chainId = await chain.node.getChainId()
  const spare = await fakeNode({ eth_chainId: `0x${chainId.toString(16)}`, eth_sendRawTransaction: '0xabc' })
  const proxy = await createRpcProxy(chain.rpcUrl)
  const { send } = await connectChain({
    rpcUrls: [proxy.url, spare.url],
    operators: chain.operatorKeys.map((key) => privateKeyToAccount(key)),
    platformWallet: chain.platformWallet,
  })
  await expect(send('0x02', 0)).rejects.toThrow()
  expect(spare.asked).toEqual([])
  expect(await send('0x02', 1)).toBe('0xabc')
  proxy.disconnect()
  expect(await send('0x02', 0)).toBe('0xabc')
  expect(spare.asked).toEqual(['eth_chainId', 'eth_sendRawTransaction', 'eth_sendRawTransaction'])
})

test('with the preferred node gone in the middle, payouts go on through the next, each once', async () => {
  const { settings, chain, github, githubToken: token } = await deployment()
  const proxy = await createRpcProxy(chain.rpcUrl)
  const service = run(await built('main'), { ...settings, CHAIN_RPC_URL: `${proxy.url},${chain.rpcUrl}` })
  const api = createApi(await service.ready())
  const scenarios = createScenarios({ api, db: undefined as never, chain, github, token })
  const project = await scenarios.activeProject()
  const bounties = [await scenarios.bountyInReview({ project }), await scenarios.bountyInReview({ project })]
  proxy.disconnect()
  for (const { id, founder } of bounties) {
    const { status, body } = await api('POST', `/api/bounties/${id}/approve`, { key: founder.key, body: {} })
    expect(status, JSON.stringify(body)).toBe(200)
  }
  expect(await chain.payments()).toHaveLength(2)
}, 120_000)
