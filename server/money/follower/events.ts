import type { Selectable } from 'kysely'
import { type AbiEvent, type Address, getAbiItem, type Log } from 'viem'
import type { Payments, Trades } from '../../db/generated/tables.ts'
import type { Chain } from '../chain/chain.ts'
import { bondingCurve, platformWallet } from '../chain/generated/contracts.ts'

/** A payment as its log shows it. */
export type Payment = Omit<Selectable<Payments>, 'block_time'>
/** A purchase or a sale as its log shows it. */
export type Trade = Omit<Selectable<Trades>, 'block_time' | 'price'>

/** What platform wallets have logged in some blocks. */
export interface WalletEvents {
  payments: Payment[]
  /** Dollars that they got or gave away. */
  dollarMoves: DollarMove[]
}

/** The events of some blocks. */
export interface Events extends WalletEvents {
  trades: Trade[]
}

const paid = getAbiItem({ abi: platformWallet.abi, name: 'Paid' })
const funded = getAbiItem({ abi: platformWallet.abi, name: 'Funded' })
const released = getAbiItem({ abi: platformWallet.abi, name: 'Released' })
const refunded = getAbiItem({ abi: platformWallet.abi, name: 'Refunded' })
const ofWallets = [paid, funded, released, refunded] as const
const bought = getAbiItem({ abi: bondingCurve.abi, name: 'Bought' })
const sold = getAbiItem({ abi: bondingCurve.abi, name: 'Sold' })

type LogOf<Event extends AbiEvent> = Log<bigint, number, false, Event, true>

/**
 * What these platform wallets have logged, and the trades on all contracts with events of those names, in the blocks `from`
 * to `to`, by one call.
 */
export async function readEvents(
  { client, id }: Chain,
  wallets: Address[],
  from: number,
  to: number,
): Promise<Events> {
  const range = { fromBlock: BigInt(from), toBlock: BigInt(to) }
  const logs = await client.getLogs({ events: [...ofWallets, bought, sold], strict: true, ...range })
  const known = new Set<string>(wallets)
  return {
    ...walletEvents(
      id,
      logs.flatMap((log) => (isTrade(log) || !known.has(log.address.toLowerCase()) ? [] : [log])),
    ),
    trades: logs.flatMap((log) => (isTrade(log) ? [tradeOf(id, log)] : [])),
  }
}

/** What these platform wallets, at least one, have logged in the blocks `from` to `to`. */
export async function readWalletEvents(
  { client, id }: Chain,
  wallets: Address[],
  from: number,
  to: number,
): Promise<WalletEvents> {
  const range = { fromBlock: BigInt(from), toBlock: BigInt(to), address: wallets }
  return walletEvents(id, await client.getLogs({ events: ofWallets, strict: true, ...range }))
}

type TradeLog = LogOf<typeof bought> | LogOf<typeof sold>
/** The log of dollars that a platform wallet got or gave away. */
export type DollarMove = LogOf<typeof funded> | LogOf<typeof released> | LogOf<typeof refunded>
type WalletLog = LogOf<typeof paid> | DollarMove

function isTrade(log: TradeLog | WalletLog): log is TradeLog {
  return log.eventName === 'Bought' || log.eventName === 'Sold'
}

function walletEvents(id: number, logs: WalletLog[]): WalletEvents {
  return {
    payments: logs.flatMap((log) => (log.eventName === 'Paid' ? [paymentOf(id, log)] : [])),
    dollarMoves: logs.flatMap((log) => (log.eventName === 'Paid' ? [] : [log])),
  }
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

function tradeOf(chainId: number, log: TradeLog): Trade {
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
