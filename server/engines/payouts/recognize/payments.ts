import type { Address, Hash, Hex, PublicClient } from 'viem'
import { platformWallet } from '../../../chain/generated/contracts.ts'

/** Blocks asked for at a time; public nodes refuse more than some thousands. */
const widestWindow = 5000
const narrowestWindow = 50

/** A payment that the platform wallet has made. Amounts are in base units. */
export interface ChainPayment {
  payoutId: Hex
  token: Address
  from: Address
  to: Address
  amount: bigint
  fee: bigint
  hash: Hash
}

/**
 * Every payment of the platform wallet since a moment, newest first, by its events. Looks back from the newest block in
 * windows, smaller ones where the node refuses.
 * @throws what the node says, when it refuses the smallest window too
 */
export async function paymentsSince(
  client: PublicClient,
  wallet: Address,
  since: Date,
): Promise<ChainPayment[]> {
  const oldest = BigInt(Math.floor(since.getTime() / 1000))
  const payments: ChainPayment[] = []
  let width = widestWindow
  for (let to = Number(await client.getBlockNumber()); to >= 0; ) {
    const from = Math.max(0, to - width + 1)
    const found = await paymentsBetween(client, wallet, from, to).catch((error) => {
      if (width <= narrowestWindow) throw error
      return undefined
    })
    if (!found) {
      width = Math.floor(width / 2)
      continue
    }
    payments.push(...found.reverse())
    const { timestamp } = await client.getBlock({ blockNumber: BigInt(from) })
    if (timestamp < oldest) break
    to = from - 1
  }
  return payments
}

async function paymentsBetween(
  client: PublicClient,
  address: Address,
  from: number,
  to: number,
): Promise<ChainPayment[]> {
  const events = await client.getContractEvents({
    abi: platformWallet.abi,
    address,
    eventName: 'Paid',
    fromBlock: BigInt(from),
    toBlock: BigInt(to),
    strict: true,
  })
  return events.map(({ args, transactionHash: hash }) => ({ ...args, hash }))
}
