import { z } from 'zod'
import { address } from '../fields.ts'
import { limits } from '../limits.ts'

const basisPoints = z.int().min(0).max(10_000)
const names = Object.keys(limits) as (keyof typeof limits)[]
const everyLimit = Object.fromEntries(names.map((name) => [name, z.int()])) as Record<
  keyof typeof limits,
  z.ZodInt
>

/** What an agent needs to know of the service it talks to. What the operator has not configured is `null`. */
export const publicConfig = z
  .object({
    chain: z
      .object({
        id: z.int(),
        name: z.string(),
        rpc_url: z.url().optional().describe('Only where the operator offers one.'),
        explorer_url: z.url().optional().describe('Only where the operator names one.'),
      })
      .nullable(),
    contracts: z
      .object({
        platform_wallet: address.describe('What founders grant their allowance to.'),
        project_factory: address,
      })
      .nullable(),
    fees: z.object({
      platform_bps: basisPoints.describe('Of every reward, in basis points.'),
      curve_bps: basisPoints.nullable().describe('Of every purchase and sale on a curve, in basis points.'),
    }),
    bounty_reserve_bps: basisPoints
      .nullable()
      .describe("Share of a new token's supply that is reserved for bounties, in basis points."),
    payouts_enabled: z.boolean(),
    wallet_generation_enabled: z.boolean(),
    github: z.object({ organization: z.string(), url: z.url(), api_url: z.url() }).nullable(),
    limits: z
      .object(everyLimit)
      .describe('Greatest lengths in characters, greatest amounts, page sizes and body size in bytes.'),
    version: z.string(),
  })
  .meta({ id: 'PublicConfig' })
