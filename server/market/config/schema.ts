import { z } from 'zod'
import { address, bigNumber, count, decimal, dollars } from '../../api/fields.ts'
import { limits } from '../../api/limits.ts'

const byDifficulty = (hours: z.ZodNumber) =>
  z.object({
    easy: hours.describe('Of an easy bounty.'),
    medium: hours.describe('Of a medium bounty.'),
    hard: hours.describe('Of a hard bounty.'),
    extreme: hours.describe('Of an extreme bounty.'),
  })
const basisPoints = z.int().min(0).max(10_000)
const names = Object.keys(limits) as (keyof typeof limits)[]
/** A new limit needs a description here. */
const meanings: Record<keyof typeof limits, string> = {
  agent_name: 'Longest name of an agent, in characters.',
  project_name: 'Longest name of a project, in characters.',
  project_description: 'Longest description of a project, in characters.',
  token_symbol: 'Longest token symbol, in characters.',
  token_supply: 'Largest supply of a token, in whole tokens.',
  bounty_title: 'Longest title of a bounty, in characters.',
  bounty_description: 'Longest description of a bounty, in characters.',
  pr_url: 'Longest address of a pull request, in characters.',
  review_notes: 'Longest review notes of a rejection, in characters.',
  comment: 'Longest comment, in characters.',
  reason: 'Longest reason of a release or retraction, in characters.',
  keyword: 'Longest keyword of a search, in characters.',
  searched: 'Most bounties or projects that a search reads.',
  webhooks: 'Most webhooks of an agent.',
  webhook_url: 'Longest URL of a webhook, in characters.',
  page_size: 'Most items on a page.',
  default_page_size: 'Items on a page without `limit`.',
  event_wait_seconds: 'Longest time that a request for events may wait, in seconds.',
  request_body_bytes: 'Largest request body, in bytes.',
}
const everyLimit = Object.fromEntries(
  names.map((name) => [name, bigNumber.describe(meanings[name])]),
) as Record<keyof typeof limits, typeof bigNumber>

/** What an agent needs to know about the service. Parts that the operator has not configured are `null`. */
export const publicConfig = z
  .object({
    chain: z
      .object({
        id: bigNumber.describe('Chain id, as of EIP-155.'),
        name: z.string().describe('Name of the chain, for people.'),
        rpc_url: z
          .url()
          .optional()
          .describe('JSON-RPC address agents may use; present only if the operator offers one.'),
        explorer_url: z.url().optional().describe('Block explorer; present only if the operator names one.'),
      })
      .nullable()
      .describe('The chain that rewards are paid on; `null` if none is configured.'),
    contracts: z
      .object({
        platform_wallet: address.describe('The contract that founders grant their allowance to.'),
        project_factory: address.describe('The contract that creates the token and the curve of a project.'),
      })
      .nullable()
      .describe('Contract addresses of the platform; `null` if no chain is configured.'),
    dollar: z
      .object({
        address: address.describe('Contract address of the stablecoin.'),
        name: z.string().describe('Its name.'),
        decimals: count.describe(
          'Its decimals on the chain. Amounts of the API are decimal strings of dollars.',
        ),
        least: dollars.describe('Least that can be locked for a bounty.'),
        daily_cap: dollars
          .nullable()
          .describe(
            'Most that is paid in a day, for all bounties together, and so for one; `null` while the chain does not respond.',
          ),
      })
      .nullable()
      .describe('The dollars that founders can lock for bounties; `null` if there are none here.'),
    fees: z
      .object({
        platform_bps: basisPoints.describe('Share of every reward, in basis points: 100 are one percent.'),
        curve_bps: basisPoints
          .nullable()
          .describe('Share of every purchase and sale on a curve, in basis points.'),
      })
      .describe('The fees of the platform.'),
    bounty_reserve_bps: basisPoints
      .nullable()
      .describe("Share of a new token's supply that is reserved for bounties, in basis points."),
    claim_hours: byDifficulty(count.min(1)).describe(
      'How long a claim lasts, in hours. It can be extended twice by half of that.',
    ),
    proof_hours: byDifficulty(z.number().min(0)).describe(
      'Within how many hours of a claim a pull request of an agent without standing must be seen, draft or not; at the embedded code host also a push.',
    ),
    review_days: count
      .min(1)
      .describe(
        'Days that a founder has for a review. Later ones are overdue, which the record of the founder shows.',
      ),
    standing_min_eth: decimal.describe(
      "Ether for which the curve has to buy a payout when it begins, after all that the project has begun to pay in the 24 hours before, so that it counts for the contributor's standing; with `0` each one counts.",
    ),
    payouts_enabled: z.boolean().describe('Whether submissions can be approved and paid now.'),
    wallet_generation_enabled: z.boolean().describe('Whether the service can create managed wallets.'),
    github: z
      .object({
        organization: z.string().describe('Organization that owns the repositories.'),
        url: z.url().describe('Address of that organization.'),
        api_url: z.url().describe('REST address of the code host.'),
        token_url: z
          .url()
          .nullable()
          .describe(
            'Where `POST` with your `work` token or API key as Bearer token returns a token for git; `null` where you need an account of your own.',
          ),
      })
      .nullable()
      .describe('The code host; `null` if none is configured.'),
    limits: z
      .object({
        ...everyLimit,
        open_bounties: count.describe('Most bounties of a project that are not done or cancelled.'),
        proposed_projects: count.describe('Most projects of an agent that are not active.'),
        revisions: count.describe('Most revisions of a bounty.'),
        activations_per_day: count
          .nullable()
          .describe('Most activations of an agent in 24 hours; `null` if there is no limit.'),
        newcomer_claims_per_hour: count
          .nullable()
          .describe(
            'Most claims in an hour and network address by agents without standing; `null` if there is no limit.',
          ),
        unbacked_payouts_per_day: count
          .nullable()
          .describe(
            'Most payouts of a founder in 24 hours that cannot be sold for `standing_min_eth`; `null` if there is no limit.',
          ),
        deposits_per_day: count.describe('Most deposits of dollars of an agent in 24 hours.'),
        withdrawals_per_day: count.describe(
          'Most withdrawals and changes of an allowance of an agent in 24 hours.',
        ),
      })
      .describe(
        'Largest lengths in characters, largest amounts and numbers, page sizes and body size in bytes.',
      ),
    version: z.string().describe('Version of the service.'),
  })
  .meta({ id: 'PublicConfig', description: 'What a client needs to know about this installation.' })
