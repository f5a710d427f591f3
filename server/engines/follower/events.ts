import { type Address, getAbiItem, type Hash, type Hex, type PublicClient, parseAbi } from 'viem'
import { chainAddress } from '../../chain/address.ts'
import { bondingCurve, platformWallet } from '../../chain/generated/contracts.ts'

/** Where a log stands on the chain. */
export interface Place {
  blockNumber: number
  blockHash: Hash
  logIndex: number
  txHash: Hash
}

/** A payment by a platform wallet. Amounts are in base units, addresses in lower case. */
export interface PaymentEvent extends Place {
  platformWallet: Address
  payoutId: Hex
  token: Address
  from: Address
  to: Address
  amount: bigint
  fee: bigint
}

/** A purchase or a sale on a curve. Token amounts are in base units, ether in wei, addresses in lower case. */
export interface TradeEvent extends Place {
  curve: Address
  side: 'buy' | 'sell'
  trader: Address
  recipient: Address
  amount: bigint
  /** What the buyer paid, fee included, or the seller got, fee deducted. */
  eth: bigint
  fee: bigint
  /** What the curve had sold after the trade. */
  sold: bigint
}

/** The events of some blocks. */
export interface Events {
  payments: PaymentEvent[]
  trades: TradeEvent[]
}

const events = [
  getAbiItem({ abi: platformWallet.abi, name: 'Paid' }),
  getAbiItem({ abi: bondingCurve.abi, name: 'Bought' }),
  getAbiItem({ abi: bondingCurve.abi, name: 'Sold' }),
  // Curves of version 0.1.0, where traders are the recipients.
  ...parseAbi([
    'event Bought(address indexed buyer, uint256 amount, uint256 ethIn, uint256 fee, uint256 sold)',
    'event Sold(address indexed seller, uint256 amount, uint256 ethOut, uint256 fee, uint256 sold)',
  ]),
] as const

/** The events of the blocks `from` to `to`, of these contracts or else of all, anybody's included. */
export async function readEvents(
  client: PublicClient,
  from: number,
  to: number,
  contracts?: Address[],
): Promise<Events> {
  const logs = await client.getLogs({
    events,
    strict: true,
    fromBlock: BigInt(from),
    toBlock: BigInt(to),
    ...(contracts && { address: contracts }),
  })
  const found: Events = { payments: [], trades: [] }
  for (const log of logs) {
    const contract = chainAddress(log.address)
    const place = {
      blockNumber: Number(log.blockNumber),
      blockHash: log.blockHash,
      logIndex: log.logIndex,
      txHash: log.transactionHash,
    }
    if (log.eventName === 'Paid') {
      const { payoutId, token, from: payer, to: payee, amount, fee } = log.args
      const parties = { token: chainAddress(token), from: chainAddress(payer), to: chainAddress(payee) }
      found.payments.push({ ...place, ...parties, platformWallet: contract, payoutId, amount, fee })
      continue
    }
    const { amount, fee, sold } = log.args
    const isPurchase = log.eventName === 'Bought'
    const trader = isPurchase ? log.args.buyer : log.args.seller
    found.trades.push({
      ...place,
      curve: contract,
      side: isPurchase ? 'buy' : 'sell',
      trader: chainAddress(trader),
      recipient: chainAddress('recipient' in log.args ? log.args.recipient : trader),
      amount,
      eth: isPurchase ? log.args.ethIn : log.args.ethOut,
      fee,
      sold,
    })
  }
  return found
}
