import { zeroAddress } from 'viem'
import { type Finding, ok, warn, wrong } from '../../config/finding.ts'
import { nodeErrorText } from '../../config/node-error-text.ts'
import { defaultTiming } from '../../loops/timing.ts'
import { isOfSilentNode } from '../../money/chain/client.ts'
import { expectLogsOf, logWindows, widestWindow } from '../../money/chain/log-windows.ts'
import { nodeClient } from '../../startup/connect/nodes.ts'

const { logsSettleSeconds } = defaultTiming
const secondsADay = 86_400
const outageSeconds = 3600

/**
 * How many blocks of logs a node lists at a time, and what a limit means at the pace of its chain. Nothing of a node that
 * does not reply: that is another finding.
 */
export async function checkLogs(rpcUrl: string, about: string): Promise<Finding[]> {
  const client = nodeClient(rpcUrl)
  try {
    const { number, hash, timestamp } = await client.getBlock()
    await expectLogsOf(client, hash)
    const last = Number(number)
    // The time of the first block of a chain is whatever its makers wrote.
    const first = Math.max(1, last - widestWindow + 1)
    if (last <= first)
      return [ok(about, `the chain is too young to measure eth_getLogs: its newest block is ${last}`)]
    const { timestamp: start } = await client.getBlock({ blockNumber: BigInt(first) })
    const blockSeconds = round(Math.max(1, Number(timestamp - start)) / (last - first))
    let readAt = 0
    const read = (from: number, to: number) => {
      readAt = performance.now()
      return client.getLogs({ address: zeroAddress, fromBlock: BigInt(from), toBlock: BigInt(to) })
    }
    for await (const { from, to } of logWindows(client, read, first, last, true)) {
      const callSeconds = (performance.now() - readAt) / 1000
      return [paceOf(about, { width: to - from + 1, isLimit: from > first, blockSeconds, callSeconds })]
    }
    return []
  } catch (error) {
    if (isOfSilentNode(error)) return []
    return [
      wrong(about, `eth_getLogs fails (${nodeErrorText(error)}): payments and trades would not be noticed`),
    ]
  }
}

function paceOf(
  about: string,
  at: { width: number; isLimit: boolean; blockSeconds: number; callSeconds: number },
): Finding {
  const { width, isLimit, blockSeconds, callSeconds } = at
  const lists = `eth_getLogs lists ${isLimit ? '' : 'at least '}${width} blocks at a time, and a block comes every ${blockSeconds} s`
  if (!isLimit || width * blockSeconds >= logsSettleSeconds) return ok(about, lists)
  // Each block is read twice.
  const calls = Math.ceil((2 * secondsADay) / blockSeconds / width)
  const share = (2 * callSeconds) / blockSeconds / width
  if (share >= 1)
    return wrong(
      about,
      `${lists}: at ${round(callSeconds)} s a call the logs fall further and further behind`,
    )
  const behind = Math.ceil((outageSeconds * share) / 2 / (1 - share))
  return warn(about, `${lists}: ${calls} calls a day, and ${behind} s behind after an outage of an hour`)
}

const round = (seconds: number) => Number(seconds.toPrecision(2))
