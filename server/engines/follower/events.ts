import type { Selectable } from 'kysely'
import { type Address, getAbiItem, type Log } from 'viem'
import type { Chain } from '../../chain/chain.ts'
import { bondingCurve } from '../../chain/generated/contracts.ts'
import type { Payments, Trades } from '../../db/generated/tables.ts'
import { paidBetween } from '../payouts/paid-events.ts'

/** A payment as its log shows it. */
export type Payment = Omit<Selectable<Payments>, 'block_time'>
/** A purchase or a sale as its log shows it. */
export type Trade = Omit<Selectable<Trades>, 'block_time' | 'price'>

/** The events of some blocks. */
export interface Events {
  payments: Payment[]
  trades: Trade[]
}

/** The payments by these platform wallets, at least one, in the blocks `from` to `to`. */
export async function readPayments(
  chain: Chain,
  wallets: Address[],
  from: number,
  to: number,
): Promise<Payment[]> {
  const logs = await paidBetween(chain.client, { wallets }, from, to)
  return logs.map((log) => ({
    ...placeOf(chain, log),
    platform_wallet: log.address.toLowerCase(),
    payout_id: log.args.payoutId,
    token: log.args.token.toLowerCase(),
    from_address: log.args.from.toLowerCase(),
    to_address: log.args.to.toLowerCase(),
    amount: String(log.args.amount),
    fee: String(log.args.fee),
  }))
}

const traded = [
  getAbiItem({ abi: bondingCurve.abi, name: 'Bought' }),
  getAbiItem({ abi: bondingCurve.abi, name: 'Sold' }),
]

/** The trades on these curves in the blocks `from` to `to`; by default the events of these names of all contracts. */
export async function readTrades(
  chain: Chain,
  from: number,
  to: number,
  curves?: Address[],
): Promise<Trade[]> {
  // To a node no address means every address.
  if (curves?.length === 0) return []
  const range = { fromBlock: BigInt(from), toBlock: BigInt(to), ...(curves && { address: curves }) }
  const logs = await chain.client.getLogs({ events: traded, strict: true, ...range })
  return logs.map((log) => {
    const { amount, fee, sold } = log.args
    const isPurchase = log.eventName === 'Bought'
    return {
      ...placeOf(chain, log),
      curve: log.address.toLowerCase(),
      side: isPurchase ? 'buy' : 'sell',
      trader: (isPurchase ? log.args.buyer : log.args.seller).toLowerCase(),
      recipient: log.args.recipient.toLowerCase(),
      amount: String(amount),
      eth: String(isPurchase ? log.args.ethIn : log.args.ethOut),
      fee: String(fee),
      sold: String(sold),
    }
  })
}

function placeOf({ id }: Chain, log: Log<bigint, number, false>) {
  return {
    chain_id: id,
    block_number: Number(log.blockNumber),
    block_hash: log.blockHash,
    log_index: log.logIndex,
    tx_hash: log.transactionHash,
  }
}
