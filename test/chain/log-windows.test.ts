import type { PublicClient } from 'viem'
import { describe, expect, test } from 'vitest'
import { blockBefore } from '../../server/chain/block-time.ts'
import { logWindows, windowsBack } from '../../server/chain/log-windows.ts'

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

/** Notes each window that is asked for; refuses those of more than `most` blocks. */
function node(most = Number.POSITIVE_INFINITY) {
  const asked: [number, number][] = []
  const read = async (from: number, to: number) => {
    asked.push([from, to])
    if (to - from + 1 > most) throw new Error('too many blocks')
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
    const windows = await all(logWindows(node().read, 7, 12_000))
    expect(windows).toEqual([
      { from: 7, to: 5006, found: '7 to 5006' },
      { from: 5007, to: 10_006, found: '5007 to 10006' },
      { from: 10_007, to: 12_000, found: '10007 to 12000' },
    ])
  })

  test('one block is a window, and none is none', async () => {
    expect(await all(logWindows(node().read, 5, 5))).toEqual([{ from: 5, to: 5, found: '5 to 5' }])
    expect(await all(logWindows(node().read, 6, 5))).toEqual([])
  })

  test('a window that the node refuses is halved, and the next ones are as narrow', async () => {
    const { asked, read } = node(300)
    const windows = await all(logWindows(read, 0, 999))
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

  test("the node's error when it refuses even a narrow window", async () => {
    const { asked, read } = node(10)
    await expect(all(logWindows(read, 0, 999))).rejects.toThrow('too many blocks')
    expect(asked.map(([from, to]) => to - from + 1)).toEqual([1000, 500, 250, 125, 62, 31])
  })
})

describe('newest first', () => {
  test('down to a window that begins a day before the moment', async () => {
    const head = 3 * day
    const windows = await all(windowsBack(client, node().read, head, new Date(2.9 * day * 1000)))
    expect(windows[0]).toMatchObject({ to: head })
    for (const [index, { to }] of windows.slice(1).entries()) expect(to).toBe((windows[index]?.from ?? 0) - 1)
    const last = windows.at(-1)
    expect(last?.from).toBeLessThan(1.9 * day)
    expect(last?.to).toBeGreaterThanOrEqual(1.9 * day)
  })

  test('down to the first block where the chain is younger', async () => {
    const windows = await all(windowsBack(client, node().read, 6000, new Date(0)))
    expect(windows.map(({ from, to }) => [from, to])).toEqual([
      [1001, 6000],
      [0, 1000],
    ])
  })

  test('nothing is read from a node that does not have the logs of the head', async () => {
    const { asked, read } = node()
    await expect(all(windowsBack(client, read, 101 * day, new Date(0)))).rejects.toThrow('unknown block')
    expect(asked).toEqual([])
  })

  test('a window that the node refuses is halved', async () => {
    const windows = await all(windowsBack(client, node(3000).read, 6000, new Date(0)))
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
