import { sql } from 'kysely'
import type { Address } from 'viem'
import { readDailyCap } from '../chain/dollar.ts'
import { depthBelow } from '../chain/finality.ts'
import { platformWallet } from '../chain/generated/contracts.ts'
import { readCoin } from '../chain/slot.ts'
import { toDollars } from '../chain/units.ts'
import { recognizeDeposits } from '../deposits/recognize.ts'
import type { FollowContext } from './context.ts'
import type { DollarMove } from './events.ts'

const happened = {
  Funded: 'has locked',
  Released: 'has paid out',
  Refunded: 'has returned',
} as const satisfies Record<DollarMove['eventName'], string>

/**
 * Raises an alarm for each of these moves that does not match what is stored, and where payments come close to the daily cap
 * of the coin. From the end of a lock on anybody returns its dollars. A deposit that the database has lost is stored again.
 */
export async function alarmUnknownDollars(context: FollowContext, moves: DollarMove[]): Promise<void> {
  if (moves.length === 0) return
  const unknown = await unknownAmong(context, moves)
  for (const { eventName, args, transactionHash: hash } of unknown) {
    const { payoutId, dollars } = args
    context.alarm({
      kind: 'payment_unknown',
      entityId: payoutId,
      why: `${hash} ${happened[eventName]} ${toDollars(dollars)} dollars under payout id ${payoutId}, as this database has not ordered it`,
    })
  }
  await recognizeLost(context, unknown)
  const wallets = new Set(
    moves.flatMap(({ eventName, address }) => (eventName === 'Released' ? [address] : [])),
  )
  for (const wallet of wallets) await alarmNearCap(context, wallet)
}

/** Of a block that is not final a reorganisation may still take a deposit, which no lane would find again. */
async function recognizeLost(context: FollowContext, unknown: DollarMove[]): Promise<void> {
  const locked = unknown.flatMap((move) =>
    move.eventName === 'Funded'
      ? [{ ...move.args, platformWallet: move.address, blockNumber: Number(move.blockNumber) }]
      : [],
  )
  if (locked.length === 0) return
  const { client } = context.chain
  const { final } = await depthBelow(client, Number(await client.getBlockNumber()), context.finality)
  await recognizeDeposits(
    context,
    locked.filter(({ blockNumber }) => blockNumber <= final),
  )
}

async function unknownAmong({ db, chain }: FollowContext, moves: DollarMove[]): Promise<DollarMove[]> {
  const ids = moves.map(({ args }) => args.payoutId)
  const { rows } = await sql<Record<'event' | 'payout_id' | 'dollars' | 'fee', string>>`
    select 'Funded' as event, payout_id, amount as dollars, 0::numeric as fee from deposits
      where chain_id = ${chain.id} and payout_id = any(${ids})
    union all select 'Refunded', payout_id, amount, 0 from deposits where chain_id = ${chain.id} and payout_id = any(${ids})
      and (status in ('refunding', 'refunded') or locked_until <= now())
    union all select 'Released', payout_id, dollars, dollar_fee from payouts
      where chain_id = ${chain.id} and payout_id = any(${ids}) and dollars > 0`.execute(db)
  const keyOf = (...key: unknown[]) => key.join(' ')
  const known = new Set(rows.map((row) => keyOf(row.event, row.payout_id, row.dollars, row.fee)))
  return moves.filter(({ eventName, args }) => {
    const fee = 'fee' in args ? args.fee : 0
    return !known.has(keyOf(eventName, args.payoutId, args.dollars, fee))
  })
}

/** What was paid today is at least half of what may be paid in a day: an operator who raises the cap in time keeps nobody waiting. */
async function alarmNearCap({ chain, alarm }: FollowContext, address: Address): Promise<void> {
  const { client } = chain
  const coin = await readCoin(client, address)
  const [cap, spent] = await Promise.all([
    readDailyCap({ client, platformWallet: address }, coin),
    client.readContract({ abi: platformWallet.abi, address, functionName: 'spentToday', args: [coin] }),
  ])
  if (spent * 2n < cap) return
  alarm({
    kind: 'dollar_cap_near',
    entityId: address,
    why: `${toDollars(spent)} of at most ${toDollars(cap)} dollars a day were paid today`,
  })
}
