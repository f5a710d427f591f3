import { createPublicClient, type PublicClient } from 'viem'
import { describe, expect, test } from 'vitest'
import { blockBefore } from '../../../server/money/chain/block-time.ts'
import { guardedHttp } from '../../../server/money/chain/client.ts'
import { logWindows, windowsBack, windowWidth } from '../../../server/money/chain/log-windows.ts'
import { startRpcServer } from '../../support/rpc-server.ts'

const day = 86_400
/** A chain with a block a second; its time begins at the epoch. */
const client = {
  getBlock: async ({ blockNumber }: { blockNumber: bigint }) => ({
    timestamp: blockNumber,
    hash: `0x${blockNumber}`,
  }),
  getLogs: async ({ blockHash }: { blockHash: string }) => {
    if (Number(blockHash.slice(2)) > 100 * day) throw new Error('unknown block')
    return []
  },
} as unknown as PublicClient

/** A client whose node has not refused anything yet. */
const anyClient = () => ({ ...client })

/** Notes each window that is asked for; refuses those of more than `most` blocks. */
function node(most = Number.POSITIVE_INFINITY) {
  const asked: [number, number][] = []
  const read = async (from: number, to: number) => {
    asked.push([from, to])
    if (to - from + 1 > most) throw new Error('block range is too wide')
    return `${from} to ${to}`
  }
  return { asked, read }
}

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = []
  for await (const item of items) found.push(item)
  return found
}

describe('oldest first', () => {
  test('every block is read once, up to the head', async () => {
    const windows = await all(logWindows(anyClient(), node().read, 7, 12_000))
    expect(windows).toEqual([
      { from: 7, to: 5006, found: '7 to 5006' },
      { from: 5007, to: 10_006, found: '5007 to 10006' },
      { from: 10_007, to: 12_000, found: '10007 to 12000' },
    ])
  })

  test('one block is a window, and none is none', async () => {
    expect(await all(logWindows(anyClient(), node().read, 5, 5))).toEqual([
      { from: 5, to: 5, found: '5 to 5' },
    ])
    expect(await all(logWindows(anyClient(), node().read, 6, 5))).toEqual([])
  })

  test('a window that the node refuses is halved, and the next ones are as narrow', async () => {
    const { asked, read } = node(300)
    const windows = await all(logWindows(anyClient(), read, 0, 999))
    expect(windows.map(({ from, to }) => [from, to])).toEqual([
      [0, 249],
      [250, 499],
      [500, 749],
      [750, 999],
    ])
    expect(asked.slice(0, 3)).toEqual([
      [0, 999],
      [0, 499],
      [0, 249],
    ])
  })

  test('windows are halved down to one block, and what worked is remembered for the client', async () => {
    const known = anyClient()
    const { asked, read } = node(1)
    const windows = await all(logWindows(known, read, 0, 9))
    expect(windows.map(({ from }) => from)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(asked.map(([from, to]) => to - from + 1)).toEqual([10, 5, 2, ...Array(10).fill(1)])
    asked.length = 0
    await all(logWindows(known, read, 10, 12))
    expect(asked).toHaveLength(3)
    expect(windowWidth(known)).toBe(1)
    expect(windowWidth(anyClient())).toBe(5000)
  })

  test('twice as many blocks are tried again after a hundred windows', async () => {
    const known = anyClient()
    await all(logWindows(known, node(1).read, 0, 1))
    const wider = node(2)
    await all(logWindows(known, wider.read, 0, 98))
    expect(wider.asked.every(([from, to]) => from === to)).toBe(true)
    expect(windowWidth(known)).toBe(2)
    const { asked, read } = node(1)
    await all(logWindows(known, read, 0, 3))
    expect(asked.map(([from, to]) => to - from + 1)).toEqual([2, 1, 1, 1, 1])
    expect(windowWidth(known)).toBe(1)
  })

  test('a refusal that is about something else is not remembered', async () => {
    const known = anyClient()
    const read = async (from: number, to: number) => {
      if (to > 2) throw new Error('header not found')
      return from
    }
    await expect(all(logWindows(known, read, 0, 9))).rejects.toThrow('header not found')
    expect(windowWidth(known)).toBe(5000)
  })

  test("the node's error when it refuses a single block too", async () => {
    const { asked, read } = node(0)
    const known = anyClient()
    await expect(all(logWindows(known, read, 0, 999))).rejects.toThrow('block range is too wide')
    expect(asked.map(([from, to]) => to - from + 1)).toEqual([1000, 500, 250, 125, 62, 31, 15, 7, 3, 1])
    expect(windowWidth(known)).toBe(5000)
  })
})

/** Replies from public reports, and after them wordings that other clients know, whose codes are not on record. */
describe.each([
  ['Alchemy', 400, -32_600, 'You can make eth_getLogs requests with up to a 500 block range.'],
  [
    'Alchemy',
    200,
    -32_602,
    'Log response size exceeded. You can make eth_getLogs requests with up to a 2K block range',
  ],
  ['BlockPI', 200, -32_602, 'eth_getLogs is limited to 1024 block range.'],
  ['cdk-erigon', 200, -32_005, 'block range too large, max range: 1000'],
  ['Infura', 200, -32_602, 'range 1000000 exceeds limit of 10000'],
  ['Infura', 200, -32_005, 'query returned more than 10000 results.'],
  [
    'Morph',
    200,
    -32_000,
    'block range is larger than max block range, block range = 5120, max block range = 5000',
  ],
  ['QuickNode', 413, -32_614, 'eth_getLogs is limited to a 10,000 range'],
  ['reth', 200, -32_602, 'query exceeds max block range 5000'],
  ['Scroll', 200, -32_000, 'block range is bigger than maxBlockRange'],
  ['Ankr', 200, -32_000, 'block range is too wide'],
  ['Arbitrum', 200, -32_000, 'logs matched by query exceeds limit of 10000'],
  ['Base', 200, -32_000, 'please limit the query to at most 1000 blocks'],
  ['Chainstack', 200, -32_000, 'Block range limit exceeded.'],
  [
    'Cloudflare',
    200,
    -32_047,
    "Invalid eth_getLogs request. 'fromBlock'-'toBlock' range too large. Max range: 800",
  ],
  ['Optimism', 200, -32_000, 'backend response too large'],
  ['publicnode', 200, -32_000, 'maximum block range: 50000'],
])('%s, HTTP %d, code %d, "%s"', (_, status, code, message) => {
  test('is a limit: narrower windows are read, and it is remembered', async () => {
    const limited = await nodeWith(({ fromBlock, toBlock }) =>
      Number(toBlock) - Number(fromBlock) >= 5 ? { status, code, message } : undefined,
    )
    const read = (from: number, to: number) => rangeOf(limited, from, to)
    const windows = await all(logWindows(limited, read, 0, 19))
    expect(windows.map(({ to }) => to)).toEqual([4, 9, 14, 19])
    expect(windowWidth(limited)).toBe(5)
  })
})

test.each([
  ['Tenderly', 200, -32_602, 'invalid params'],
  ['proxyd', 503, -32_011, 'no backend is currently healthy to serve traffic'],
])(
  'where the wording may mean a limit or not (%s), narrower windows are read, and nothing is remembered',
  async (_, status, code, message) => {
    const unclear = await nodeWith(({ fromBlock, toBlock }) =>
      Number(toBlock) - Number(fromBlock) >= 5 ? { status, code, message } : undefined,
    )
    const read = (from: number, to: number) => rangeOf(unclear, from, to)
    expect(await all(logWindows(unclear, read, 0, 19))).toHaveLength(4)
    expect(windowWidth(unclear)).toBe(5000)
  },
)

test.each([
  ['Alchemy', 429, 429, 'Your app has exceeded its compute units per second capacity.'],
  ['Alchemy', 200, 429, 'Your app has exceeded its compute units per second capacity.'],
  ['Infura', 429, -32_005, 'project ID request rate exceeded'],
  ['Infura', 429, -32_005, 'daily request count exceeded, request rate limited'],
  ['QuickNode', 200, -32_012, 'credits limited to 6000/sec'],
])(
  'a node that was asked too often is not asked for less (%s, HTTP %d, code %d)',
  async (_, status, code, message) => {
    const busy = await nodeWith(() => ({ status, code, message }))
    const asked: number[] = []
    const read = (from: number, to: number) => {
      asked.push(to - from + 1)
      return rangeOf(busy, from, to)
    }
    await expect(all(logWindows(busy, read, 0, 999))).rejects.toThrow()
    expect(asked).toEqual([1000])
  },
)

/** Reads all logs of some blocks. */
const rangeOf = (of: PublicClient, from: number, to: number) =>
  of.getLogs({ fromBlock: BigInt(from), toBlock: BigInt(to) })

/** A client of a node that refuses the filters for which `refusal` has something to say. */
async function nodeWith(
  refusal: (filter: {
    fromBlock: string
    toBlock: string
  }) => { status: number; code: number; message: string } | undefined,
) {
  const { url } = await startRpcServer(({ call: { id, method, params }, answer, raw }) => {
    if (method === 'eth_chainId') return answer({ result: '0x1' })
    const refused = refusal(params[0] as { fromBlock: string; toBlock: string })
    if (!refused) return answer({ result: [] })
    const { status, ...error } = refused
    raw(status, 'application/json', JSON.stringify({ jsonrpc: '2.0', id, error }))
  })
  const transport = guardedHttp(url, { chainId: 1, retryCount: 0, parks: false })
  return createPublicClient({ transport }) as PublicClient
}

describe('newest first', () => {
  test('down to a window that begins a day before the moment', async () => {
    const head = 3 * day
    const windows = await all(windowsBack(anyClient(), node().read, head, new Date(2.9 * day * 1000)))
    expect(windows[0]).toMatchObject({ to: head })
    for (const [index, { to }] of windows.slice(1).entries()) expect(to).toBe((windows[index]?.from ?? 0) - 1)
    const last = windows.at(-1)
    expect(last?.from).toBeLessThan(1.9 * day)
    expect(last?.to).toBeGreaterThanOrEqual(1.9 * day)
  })

  test('down to the first block where the chain is younger', async () => {
    const windows = await all(windowsBack(anyClient(), node().read, 6000, new Date(0)))
    expect(windows.map(({ from, to }) => [from, to])).toEqual([
      [1001, 6000],
      [0, 1000],
    ])
  })

  test('nothing is read from a node that does not have the logs of the head', async () => {
    const { asked, read } = node()
    await expect(all(windowsBack(anyClient(), read, 101 * day, new Date(0)))).rejects.toThrow('unknown block')
    expect(asked).toEqual([])
  })

  test('a window that the node refuses is halved', async () => {
    const windows = await all(windowsBack(anyClient(), node(3000).read, 6000, new Date(0)))
    expect(windows.map(({ from, to }) => [from, to])).toEqual([
      [3501, 6000],
      [1001, 3500],
      [0, 1000],
    ])
  })
})

describe('the block before a moment', () => {
  test.each([
    [10 * day, 9 * day - 1],
    [day + 1, 0],
    [0, 0],
  ])('is a day older than second %d', async (second, block) => {
    expect(await blockBefore(client, 20 * day, new Date(second * 1000))).toBe(block)
  })

  test('is at most the head', async () => {
    expect(await blockBefore(client, 100, new Date(10 * day * 1000))).toBe(100)
  })
})
