import type { Selectable } from 'kysely'
import { type AbiEvent, type Address, getAbiItem, type Log } from 'viem'
import type { Payments, Trades } from '../../db/generated/tables.ts'
import type { Chain } from '../chain/chain.ts'
import { bondingCurve, platformWallet } from '../chain/generated/contracts.ts'
import { paidBetween } from '../payouts/evidence/paid-events.ts'

/** A payment as its log shows it. */
export type Payment = Omit<Selectable<Payments>, 'block_time'>
/** A purchase or a sale as its log shows it. */
export type Trade = Omit<Selectable<Trades>, 'block_time' | 'price'>

/** The events of some blocks. */
export interface Events {
  payments: Payment[]
  trades: Trade[]
}

const paid = getAbiItem({ abi: platformWallet.abi, name: 'Paid' })
const bought = getAbiItem({ abi: bondingCurve.abi, name: 'Bought' })
const sold = getAbiItem({ abi: bondingCurve.abi, name: 'Sold' })

type LogOf<Event extends AbiEvent> = Log<bigint, number, false, Event, true>

/**
 * The payments by these platform wallets, and the trades on all contracts with events of those names, in the blocks `from`
 * to `to`, by one call.
 */
export async function readEvents(
  { client, id }: Chain,
  wallets: Address[],
  from: number,
  to: number,
): Promise<Events> {
  const range = { fromBlock: BigInt(from), toBlock: BigInt(to) }
  const logs = await client.getLogs({ events: [paid, bought, sold], strict: true, ...range })
  const known = new Set<string>(wallets)
  return {
    payments: logs.flatMap((log) =>
      log.eventName === 'Paid' && known.has(log.address.toLowerCase()) ? [paymentOf(id, log)] : [],
    ),
    trades: logs.flatMap((log) => (log.eventName === 'Paid' ? [] : [tradeOf(id, log)])),
  }
}

/** The payments by these platform wallets, at least one, in the blocks `from` to `to`. */
export async function readPayments(
  { client, id }: Chain,
  wallets: Address[],
  from: number,
  to: number,
): Promise<Payment[]> {
  const logs = await paidBetween(client, { wallets }, from, to)
  return logs.map((log) => paymentOf(id, log))
}

/** The trades on these curves in the blocks `from` to `to`. */
export async function readTrades(
  { client, id }: Chain,
  from: number,
  to: number,
  curves: Address[],
): Promise<Trade[]> {
  // To a node no address means every address.
  if (curves.length === 0) return []
  const range = { fromBlock: BigInt(from), toBlock: BigInt(to), address: curves }
  const logs = await client.getLogs({ events: [bought, sold], strict: true, ...range })
  return logs.map((log) => tradeOf(id, log))
}

function paymentOf(chainId: number, log: LogOf<typeof paid>): Payment {
  return {
    ...placeOf(chainId, log),
    platform_wallet: log.address.toLowerCase(),
    payout_id: log.args.payoutId,
    token: log.args.token.toLowerCase(),
    from_address: log.args.from.toLowerCase(),
    to_address: log.args.to.toLowerCase(),
    amount: String(log.args.amount),
    fee: String(log.args.fee),
  }
}

function tradeOf(chainId: number, log: LogOf<typeof bought> | LogOf<typeof sold>): Trade {
  const { amount, fee, recipient } = log.args
  const isPurchase = log.eventName === 'Bought'
  return {
    ...placeOf(chainId, log),
    curve: log.address.toLowerCase(),
    side: isPurchase ? 'buy' : 'sell',
    trader: (isPurchase ? log.args.buyer : log.args.seller).toLowerCase(),
    recipient: recipient.toLowerCase(),
    amount: String(amount),
    eth: String(isPurchase ? log.args.ethIn : log.args.ethOut),
    fee: String(fee),
    sold: String(log.args.sold),
  }
}

function placeOf(id: number, log: Log<bigint, number, false>) {
  return {
    chain_id: id,
    block_number: Number(log.blockNumber),
    block_hash: log.blockHash,
    log_index: log.logIndex,
    tx_hash: log.transactionHash,
  }
}
