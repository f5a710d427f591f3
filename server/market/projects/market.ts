import type { Address } from 'viem'
import { z } from 'zod'
import { address, bigNumber, count, decimal, id, timestamp } from '../../api/fields.ts'
import { requireProject } from '../../api/require-project.ts'
import { ServiceError } from '../../errors.ts'
import { spotPrice } from '../../money/chain/curve.ts'
import { fromDecimal, toDecimal } from '../../money/chain/units.ts'
import { purchaseQuoteOf, quoteOf, reserveClaimOf } from '../../money/funding/quote.ts'
import { readerProcedure } from '../../trpc.ts'
import { presentActiveProject } from './schema.ts'

const note =
  'Rewards can only be sold into the ether that buyers have put in: while nobody has bought, nothing can be sold.'

const reserveClaim = {
  reserve_claim_eth: decimal.describe(
    'What `reserve_left` would take of `eth_held` if it were paid out and sold.',
  ),
  reserve_claim_bps: count.describe('The same as a share of `eth_held`, in basis points, rounded up.'),
}

const fields = z
  .object({
    project_id: id('project'),
    token_address: address.describe("Contract address of the project's token."),
    curve_address: address.describe("Contract address of the project's bonding curve."),
    price_eth: decimal.describe('Price of one token at the margin, before the fee, in ether.'),
    sold: decimal.describe('Tokens that the curve has sold and not bought back: it buys back these at most.'),
    eth_held: decimal.describe('Ether that the curve holds to buy tokens back.'),
    supply: decimal.describe('All tokens of the project.'),
    reserve_left: decimal.describe("Tokens that are left of the founder's bounty reserve."),
    ...reserveClaim,
    paid_out: decimal.describe(
      'Tokens of the bounty reserve that were paid for bounties, platform fees included.',
    ),
    curve: z
      .object({
        for_sale: decimal.describe('All tokens that the curve can sell.'),
        start_price_eth: decimal.describe('Price of one token while none is sold, before the fee, in ether.'),
        end_price_eth: decimal.describe('Price of one token when all are sold, before the fee, in ether.'),
      })
      .describe('How the price rises: in a straight line from the first to the last token that is sold.'),
    quote: z
      .object({
        amount: decimal.describe('Tokens that the quote is for.'),
        sellable: decimal.describe('How many of them the curve would buy now.'),
        eth: decimal.describe(
          'What it would pay for those now, after its fee, in ether; `0` if it would buy none.',
        ),
        price_impact_bps: count.describe('By how much the sale would lower the price, in basis points.'),
      })
      .describe('What a sale would bring now.'),
    purchase_quote: z
      .object({
        amount: decimal.describe('Tokens that the quote is for.'),
        available: decimal.describe('How many of them the curve has left, in whole tokens.'),
        eth: decimal.describe('What it would take for those now, with its fee, in ether.'),
        ...reserveClaim,
      })
      .nullable()
      .describe(
        'What a purchase on the curve would cost now, and what the reserve could take after it; `null` without `buy`.',
      ),
    as_of: z
      .object({
        block_number: bigNumber.describe('Number of the block.'),
        mined_at: timestamp('the block was made'),
      })
      .describe('The block that all figures were read at.'),
    note: z.literal(note).describe('What every holder of a reward has to know.'),
  })
  .meta({ id: 'Market', description: "What a project's curve offers now." })

export const market = readerProcedure({
  method: 'GET',
  path: '/api/projects/{id}/market',
  summary: "Get what a project's tokens are worth now",
  description:
    "Send your reward as `sell` to see what it can be sold for now. The only buyer is the project's bonding curve, and it " +
    'pays with the ether that buyers of the token have put in. It never buys more tokens than it has sold. So a reward of ' +
    'a project whose token nobody has bought cannot be sold at all: `sellable` and `eth` are `0`. Each sale lowers the ' +
    'price, so the first sellers get the most. `reserve_claim_eth` shows buyers what could be taken of their ether if the ' +
    'rest of the bounty reserve were paid out and sold now, before anybody else sells. All of it counts, because who gets ' +
    "the platform fee can sell as well, and so does the curve's fee on the sale. All figures are from one block, which is " +
    'at most a minute old. Amounts are decimal strings.',
  errors: ['project_not_found', 'token_not_deployed', 'chain_not_configured', 'chain_unreachable'],
  bulkhead: 'external',
})
  .input(
    z.strictObject({
      id: id('project'),
      sell: decimal
        .refine((amount) => Number(amount) > 0, 'must be more than 0')
        .default('1')
        .describe('Tokens to get a quote for.'),
      buy: decimal
        .refine((amount) => Number(amount) > 0, 'must be more than 0')
        .describe('Tokens to get a quote for a purchase: anybody can buy on the curve with ether.')
        .optional(),
    }),
  )
  .output(z.object({ market: fields }))
  .query(async ({ ctx, input }) => {
    const { db, chain, recent } = ctx.services
    const row = await requireProject(db, input.id)
    if (row.status !== 'active') throw new ServiceError('token_not_deployed')
    const { token_address, curve_address } = presentActiveProject(row)
    const contracts = { curve: curve_address as Address, token: token_address as Address }
    const found = await recent.market(chain.require(), contracts)
    const { shape, sold, reserveLeft } = found
    const figures = {
      price_eth: toDecimal(spotPrice(shape, sold)),
      sold: toDecimal(sold),
      eth_held: toDecimal(found.ethHeld),
      supply: toDecimal(shape.supply),
      reserve_left: toDecimal(reserveLeft),
      ...reserveClaimOf(found),
      paid_out: toDecimal(shape.supply - shape.forSale - reserveLeft),
      curve: {
        for_sale: toDecimal(shape.forSale),
        start_price_eth: toDecimal(spotPrice(shape, 0n)),
        end_price_eth: toDecimal(spotPrice(shape, shape.forSale)),
      },
      quote: quoteOf(found, fromDecimal(input.sell)),
      purchase_quote: input.buy === undefined ? null : purchaseQuoteOf(found, fromDecimal(input.buy)),
      as_of: { block_number: found.block, mined_at: found.blockTime },
    }
    return { market: { project_id: row.id, token_address, curve_address, ...figures, note } as const }
  })
