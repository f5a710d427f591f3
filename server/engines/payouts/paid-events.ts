import type { Address, Hex, PublicClient } from 'viem'
import { platformWallet } from '../../chain/generated/contracts.ts'

/** Blocks asked for at a time: public nodes refuse more than some thousands. */
const widestWindow = 5000
const narrowestWindow = 50
/** How far the clocks of chain and database may differ, in seconds, with room for payments of a long approval. */
const clockSlack = 86_400

/** Which payments to look for. */
export interface PaidFilter {
  /** The platform wallet that made them. */
  wallet: Address
  /** Default: every payout id. */
  payoutId?: Hex
}

type PaidEvents = Awaited<ReturnType<typeof paidBetween>>

/**
 * The `Paid` events of a platform wallet from the block `head` back to the moment `since`, one window of blocks at a time,
 * the newest window first. A window that the node refuses is halved.
 * @throws the node's error if it refuses the narrowest window too
 */
export async function* paidEvents(
  client: PublicClient,
  filter: PaidFilter,
  head: number,
  since: Date,
): AsyncGenerator<PaidEvents> {
  const oldest = BigInt(Math.floor(since.getTime() / 1000) - clockSlack)
  let width = widestWindow
  for (let to = head; to >= 0; ) {
    const from = Math.max(0, to - width + 1)
    const events = await paidBetween(client, filter, from, to).catch((error) => {
      if (width <= narrowestWindow) throw error
      return undefined
    })
    if (!events) {
      width = Math.floor(width / 2)
      continue
    }
    yield events
    const { timestamp } = await client.getBlock({ blockNumber: BigInt(from) })
    if (timestamp < oldest) return
    to = from - 1
  }
}

function paidBetween(client: PublicClient, { wallet, payoutId }: PaidFilter, from: number, to: number) {
  return client.getContractEvents({
    abi: platformWallet.abi,
    address: wallet,
    eventName: 'Paid',
    args: payoutId === undefined ? {} : { payoutId },
    fromBlock: BigInt(from),
    toBlock: BigInt(to),
    strict: true,
  })
}
