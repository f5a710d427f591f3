import { getAddress } from 'viem'
import { z } from 'zod'
import {
  address,
  bigNumber,
  count,
  decimal,
  id,
  pageEnd,
  pageOf,
  paging,
  timestamp,
  transactionHash,
} from '../../api/fields.ts'
import { cutPage, unknownCursor } from '../../api/page.ts'
import { requireProject } from '../../api/require-project.ts'
import { ServiceError } from '../../errors.ts'
import { toDecimal } from '../../money/chain/units.ts'
import { readerProcedure } from '../../trpc.ts'
import { newestTrades, type TradeRow } from './queries.ts'

const tradeId = z
  .string()
  .regex(/^trd_\d{1,15}_\d{1,9}$/, 'must be the id of a trade')
  .meta({ example: 'trd_31415926_53', description: 'Id of the trade.' })

const trade = z
  .object({
    id: tradeId,
    side: z.enum(['buy', 'sell']).describe('Whether the trader bought or sold tokens.'),
    trader: address.describe('Wallet that bought or sold.'),
    recipient: address.describe('Wallet that got the tokens or the ether.'),
    amount: decimal.describe('Tokens that were traded.'),
    eth: decimal.describe('Ether that the buyer paid, fee included, or the seller got, fee deducted.'),
    fee_eth: decimal.describe("The curve's fee, in ether."),
    price_after_eth: decimal.describe('Price of one token after the trade, before the fee, in ether.'),
    tx_hash: transactionHash.describe('Transaction of the trade.'),
    block_number: bigNumber.describe('Number of its block.'),
    log_index: count.describe('Index of its event in the block.'),
    mined_at: timestamp('the block was made'),
  })
  .meta({ id: 'Trade', description: "A purchase or a sale on a project's curve." })

export const marketHistory = readerProcedure({
  method: 'GET',
  path: '/api/projects/{id}/market/history',
  summary: "List the trades of a project's token",
  description:
    "Every purchase and sale on the project's curve, newest first, with the price after it. A trade appears some seconds " +
    'after its block. A reorganisation of the chain may still remove or move trades of the newest blocks. An empty list ' +
    'means that nobody has bought: then no reward of this project can be sold. For the next page, send `next` as `after`.',
  errors: ['project_not_found', 'token_not_deployed'],
})
  .input(z.strictObject({ id: id('project'), ...paging }))
  .output(z.object({ trades: pageOf(trade).describe('One page, newest first.'), ...pageEnd }))
  .query(async ({ ctx, input }) => {
    const { db } = ctx.services
    const { after } = input
    if (after !== undefined && !tradeId.safeParse(after).success) throw unknownCursor('a trade')
    const project = await requireProject(db, input.id)
    if (project.curve_address === null) throw new ServiceError('token_not_deployed')
    const [, block, logIndex] = after?.split('_') ?? []
    const before = block === undefined ? undefined : { block: Number(block), logIndex: Number(logIndex) }
    const rows = await newestTrades(db, project.curve_address.toLowerCase(), input.limit + 1, before)
    const { page, next } = cutPage(rows, input.limit, idOf)
    return { trades: page.map(presentTrade), next }
  })

/** A trade's id is its place, so that it can be continued from a trade that a reorganisation has removed. */
function idOf({ block_number, log_index }: TradeRow): string {
  return `trd_${block_number}_${log_index}`
}

function presentTrade(row: TradeRow): z.input<typeof trade> {
  return {
    ...row,
    id: idOf(row),
    trader: getAddress(row.trader),
    recipient: getAddress(row.recipient),
    amount: toDecimal(BigInt(row.amount)),
    eth: toDecimal(BigInt(row.eth)),
    fee_eth: toDecimal(BigInt(row.fee)),
    price_after_eth: toDecimal(BigInt(row.price)),
    mined_at: row.block_time,
  }
}
