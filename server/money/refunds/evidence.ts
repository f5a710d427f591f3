import { getAbiItem, isAddressEqual, type Log, type PublicClient, parseEventLogs } from 'viem'
import { platformWallet } from '../chain/generated/contracts.ts'
import { windowsBack } from '../chain/log-windows.ts'
import { readCoin } from '../chain/slot.ts'
import { movesExactly } from '../payouts/evidence/evidence.ts'
import type { Problem } from '../transactions/types.ts'
import type { Deposit, End } from './store.ts'

const events = [
  getAbiItem({ abi: platformWallet.abi, name: 'Released' }),
  getAbiItem({ abi: platformWallet.abi, name: 'Refunded' }),
] as const

/**
 * How the dollars of a deposit have left the platform wallet, by any sender.
 * @throws Error, also the node's, if the node does not list that event although the slot says that there is one
 */
export async function findEnd(
  client: PublicClient,
  { platformWallet: address, payoutId, lockable_since }: Deposit,
  head: number,
): Promise<End & { blockNumber: number }> {
  const read = (from: number, to: number) =>
    client.getLogs({ address, events, strict: true, fromBlock: BigInt(from), toBlock: BigInt(to) })
  for await (const { found } of windowsBack(client, read, head, lockable_since)) {
    const end = found.find(({ args }) => args.payoutId === payoutId)
    if (end)
      return {
        state: end.eventName === 'Released' ? 'paid' : 'refunded',
        hash: end.transactionHash,
        blockNumber: Number(end.blockNumber),
      }
  }
  throw new Error('the node has no event of dollars that have left the platform wallet')
}

/**
 * Why the logs of a successful transaction are not exactly this refund: they must hold one `Refunded` event of the platform
 * wallet and one Transfer of the coin. Undefined if they do.
 */
export async function refundAnomaly(
  client: PublicClient,
  { platformWallet: wallet, payoutId, amount }: Deposit,
  logs: Log[],
): Promise<Problem | undefined> {
  const ofWallet = logs.filter((log) => isAddressEqual(log.address, wallet))
  const [event, ...others] = parseEventLogs({
    abi: platformWallet.abi,
    eventName: 'Refunded',
    logs: ofWallet,
  })
  const args = others.length === 0 ? event?.args : undefined
  if (args?.payoutId !== payoutId || args.dollars !== BigInt(amount))
    return 'the transaction succeeded without exactly the Refunded event it should have'
  const transfer = { from: wallet, to: args.funder, amount: args.dollars }
  return movesExactly(await readCoin(client, wallet), [transfer], logs)
    ? undefined
    : 'the transaction succeeded without exactly the transfer it should have made'
}
