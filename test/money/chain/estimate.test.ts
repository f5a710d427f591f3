import { createPublicClient, http, type PublicClient } from 'viem'
import { expect, test } from 'vitest'
import { estimateGas, UnclearReplyError } from '../../../server/money/chain/estimate.ts'
import { revertDataIn } from '../../../server/money/chain/rpc-errors.ts'
import { startRpcServer } from '../../support/rpc-server.ts'

const someAddress = `0x${'a'.repeat(40)}` as const
/** `Custom(uint256)` with 7. */
const data = `0xcb362b34${'7'.padStart(64, '0')}`
const hardhat = 'Error: VM Exception while processing transaction: reverted with'

interface RpcError {
  code: number
  message: string
  data?: unknown
}
type Reply = { result: unknown } | { error: RpcError } | number

/** A node that responds so to an estimate and, where it is asked, to the call itself. A number is an HTTP status. */
async function estimated(estimate: Reply, call: Reply = { result: '0x' }, newest = 100) {
  const asked: string[] = []
  const { url } = await startRpcServer(({ call: { method }, answer, raw }) => {
    asked.push(method)
    const reply = method === 'eth_estimateGas' ? estimate : call
    return typeof reply === 'number' ? raw(reply, 'text/html', '<h1>Try later</h1>') : answer({ ...reply })
  })
  const client = createPublicClient({ transport: http(url, { retryCount: 0 }) }) as PublicClient
  const call0 = { from: someAddress, to: someAddress, data: '0x01' } as const
  const outcome = await estimateGas({ client, newestBlock: () => newest }, call0, 100).catch((error) => error)
  return { asked, outcome }
}

/* Recorded from anvil, ganache and Hardhat 2 of these versions. The others were written from memory and not tried. */
test.each<[string, RpcError]>([
  ['anvil 1.7.1', { code: 3, message: 'execution reverted: custom error 0xcb362b34', data }],
  ['anvil 1.7.1, without a reason', { code: 3, message: 'execution reverted', data: '0x' }],
  ['anvil 1.7.1, another end', { code: -32603, message: 'EVM error InvalidFEOpcode' }],
  [
    'ganache 7.9.2',
    {
      code: -32000,
      message: 'VM Exception while processing transaction: revert',
      data: { hash: null, programCounter: 293, result: data, reason: null, message: 'revert' },
    },
  ],
  [
    'ganache 7.9.2, another end',
    {
      code: -32000,
      message: 'VM Exception while processing transaction: invalid opcode',
      data: { hash: null, programCounter: 210, result: '0x', reason: null, message: 'invalid opcode' },
    },
  ],
  [
    'Hardhat 2.29.1',
    {
      code: -32603,
      message: `${hardhat} an unrecognized custom error (return data: ${data})`,
      data: { message: `${hardhat} an unrecognized custom error (return data: ${data})`, data },
    },
  ],
  [
    'Hardhat 2.29.1, without a reason',
    {
      code: -32603,
      message: 'Error: Transaction reverted without a reason string',
      data: { message: 'Error: Transaction reverted without a reason string', data: '0x' },
    },
  ],
  ['geth 1.9.15 and later', { code: 3, message: 'execution reverted', data }],
  ['geth, in other words than today', { code: 3, message: 'call ended' }],
  ['geth before 1.9.15, and Arbitrum', { code: -32000, message: 'execution reverted' }],
  ['Erigon', { code: 3, message: 'execution reverted', data }],
  ['Besu', { code: -32000, message: 'Execution reverted', data }],
  ['Nethermind', { code: -32015, message: 'VM execution error.', data: `Reverted ${data}` }],
  ['Nethermind, without data', { code: -32015, message: 'VM execution error.' }],
  ['Parity', { code: -32015, message: 'VM execution error.', data: 'Reverted 0x' }],
  ['reth', { code: 3, message: 'execution reverted: custom error 0xcb362b34', data }],
  ['Frontier', { code: -32603, message: 'VM Exception while processing transaction: revert', data }],
  [
    'Lotus',
    { code: 1, message: 'message execution failed (exit=[33], revert reason=[0xcb362b34], vm error=[none])' },
  ],
  ['one that says nothing in words', { code: -32000, message: 'call failed', data }],
])('%s refuses the call', async (_node, error) => {
  const { outcome, asked } = await estimated({ error })
  expect(outcome).toMatchObject({ refusal: expect.any(String) })
  expect(asked).toEqual(['eth_estimateGas'])
  if (JSON.stringify(error.data ?? '').includes(data)) expect(revertDataIn(outcome.error)).toBe(data)
})

const unclear = { error: { code: -32000, message: 'gas required exceeds allowance (50000000)' } }

test('the call itself refuses, or shows that the chain takes it, where an estimate is unclear', async () => {
  const refusing = { error: { code: 3, message: 'execution reverted', data } }
  const refused = await estimated(unclear, refusing)
  expect(refused.outcome).toMatchObject({ refusal: expect.stringContaining('execution reverted') })
  expect(refused.asked).toEqual(['eth_estimateGas', 'eth_call'])
  expect((await estimated(unclear)).outcome).toBeInstanceOf(UnclearReplyError)
})

test.each<[string, Reply]>([
  ['has no state of the block', { error: { code: -32000, message: 'missing trie node' } }],
  ['does not know the block', { error: { code: -32000, message: 'header not found' } }],
  ['says something unknown', { error: { code: -32000, message: 'computer says no', data: { trace: data } } }],
])('nothing is refused where the node %s', async (_, reply) => {
  expect((await estimated(reply, reply)).outcome).toBeInstanceOf(UnclearReplyError)
})

test.each([429, 503])('nothing is unclear where the node responds %i: it was not asked', async (status) => {
  const { outcome, asked } = await estimated(status)
  expect(outcome).toBeInstanceOf(Error)
  expect(outcome).not.toBeInstanceOf(UnclearReplyError)
  expect(asked).toEqual(['eth_estimateGas'])
})

test('a refusal as of an older block than one that is known is none', async () => {
  const { outcome } = await estimated(
    { error: { code: 3, message: 'execution reverted', data } },
    undefined,
    101,
  )
  expect(outcome).toMatchObject({ message: 'the node is behind: it has block 100, and 101 is known' })
})

test('the gas of a call that the chain takes', async () => {
  expect((await estimated({ result: '0x5208' })).outcome).toEqual({ gas: 21_000n })
})
