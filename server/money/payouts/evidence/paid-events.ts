import type { Address, Hex, PublicClient } from 'viem'
import { platformWallet } from '../../chain/generated/contracts.ts'
import { windowsBack } from '../../chain/log-windows.ts'

/** Which payments to look for. */
export interface PaidFilter {
  /** The platform wallets that made them, at least one. */
  wallets: Address[]
  /** Default: every payout id. */
  payoutId?: Hex
}

type PaidEvents = Awaited<ReturnType<typeof paidBetween>>

/**
 * The `Paid` events of platform wallets from the block `head` back to the moment `since`, the newest window of blocks
 * first. A lane reads them from the chain, although the follower stores them: it must know of a payment before it sends
 * anything, and the follower may lag, may be held up by the events of others, and begins only after the lanes.
 * @throws the node's error if it refuses even a narrow window
 */
export async function* paidEvents(
  client: PublicClient,
  filter: PaidFilter,
  head: number,
  since: Date,
): AsyncGenerator<PaidEvents> {
  const read = (from: number, to: number) => paidBetween(client, filter, from, to)
  for await (const { found } of windowsBack(client, read, head, since)) yield found
}

/** The `Paid` events of platform wallets in the blocks `from` to `to`. */
export function paidBetween(
  client: PublicClient,
  { wallets, payoutId }: PaidFilter,
  from: number,
  to: number,
) {
  return client.getContractEvents({
    abi: platformWallet.abi,
    address: wallets,
    eventName: 'Paid',
    args: payoutId === undefined ? {} : { payoutId },
    fromBlock: BigInt(from),
    toBlock: BigInt(to),
    strict: true,
  })
}
