import { type Address, getAbiItem, type Hash, type Hex, type Log, type PublicClient, parseAbi } from 'viem'
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

const paid = getAbiItem({ abi: platformWallet.abi, name: 'Paid' })

const traded = [
  getAbiItem({ abi: bondingCurve.abi, name: 'Bought' }),
  getAbiItem({ abi: bondingCurve.abi, name: 'Sold' }),
  // Curves of version 0.1.0, where traders are the recipients.
  ...parseAbi([
    'event Bought(address indexed buyer, uint256 amount, uint256 ethIn, uint256 fee, uint256 sold)',
    'event Sold(address indexed seller, uint256 amount, uint256 ethOut, uint256 fee, uint256 sold)',
  ]),
] as const

/** The payments by these platform wallets in the blocks `from` to `to`. */
export async function readPayments(
  client: PublicClient,
  from: number,
  to: number,
  wallets: Address[],
): Promise<PaymentEvent[]> {
  const range = { fromBlock: BigInt(from), toBlock: BigInt(to) }
  const logs = await client.getLogs({ event: paid, strict: true, ...range, address: wallets })
  return logs.map((log) => {
    const { payoutId, token, from: payer, to: payee, amount, fee } = log.args
    const parties = { token: chainAddress(token), from: chainAddress(payer), to: chainAddress(payee) }
    return { ...placeOf(log), ...parties, platformWallet: chainAddress(log.address), payoutId, amount, fee }
  })
}

/** The trades of the blocks `from` to `to` on these curves, or else the events of these names of all contracts. */
export async function readTrades(
  client: PublicClient,
  from: number,
  to: number,
  curves?: Address[],
): Promise<TradeEvent[]> {
  // To a node no address means every address.
  if (curves?.length === 0) return []
  const range = { fromBlock: BigInt(from), toBlock: BigInt(to) }
  const logs = await client.getLogs({
    events: traded,
    strict: true,
    ...range,
    ...(curves && { address: curves }),
  })
  return logs.map((log) => {
    const { amount, fee, sold } = log.args
    const isPurchase = log.eventName === 'Bought'
    const trader = isPurchase ? log.args.buyer : log.args.seller
    return {
      ...placeOf(log),
      curve: chainAddress(log.address),
      side: isPurchase ? 'buy' : 'sell',
      trader: chainAddress(trader),
      recipient: chainAddress('recipient' in log.args ? log.args.recipient : trader),
      amount,
      eth: isPurchase ? log.args.ethIn : log.args.ethOut,
      fee,
      sold,
    }
  })
}

function placeOf(log: Log<bigint, number, false>): Place {
  const { blockHash, logIndex, transactionHash } = log
  return { blockNumber: Number(log.blockNumber), blockHash, logIndex, txHash: transactionHash }
}
