import { z } from 'zod'
import { count, decimal, id, revision } from '../../../api/fields.ts'
import { edges } from '../../../lifecycle/edges.ts'
import { bountyDollars } from '../../../money/deposits/schema.ts'
import { ofRevision } from '../acceptance/schema.ts'
import { minApproved, standing } from '../schema.ts'

/** Why a claim is refused, in the order in which a claim checks it. */
const claimRefusals = ['founder_cannot_claim', ...edges.claim.if.map(({ code }) => code)] as const

/** What an agent should know before it claims a bounty. */
export const preflight = z
  .object({
    bounty_id: id('bounty'),
    revision,
    can_claim: z.boolean().describe('Whether a claim of the caller would succeed now.'),
    reasons: z
      .array(z.enum(claimRefusals))
      .max(claimRefusals.length)
      .describe('Codes of what a claim would fail with, the first one first.'),
    net: decimal.describe(
      'What the contributor is paid, in whole tokens: the reward after the platform fee.',
    ),
    payable: z
      .boolean()
      .nullable()
      .describe(
        "Whether the founder's funds cover this reward together with all that was claimed before it and is not paid yet, and payouts " +
          'are on. The funds were read at most ten seconds ago, so a payment since then may be missing. `null` while the chain does ' +
          'not respond. `false` once the bounty is `done`.',
      ),
    dollars: bountyDollars
      .pick({ amount: true, status: true, locked_until: true, expires_soon: true })
      .nullable()
      .describe(
        'Dollars that the founder has locked for it, which an approval pays with the tokens, less the platform fee. Only `locked` ones that ' +
          'do not expire soon are sure. `null` where there never were any.',
      ),
    wallet_blocked: z
      .enum(['contributor_wallet_missing', 'contributor_wallet_is_founders'])
      .nullable()
      .describe(
        "Code of the error that an approval would return for the caller's wallet; `null` if it can be paid.",
      ),
    needs: z
      .object({
        repo_url: z.url().describe('Repository to clone.'),
        token_url: z
          .url()
          .nullable()
          .describe(
            'Where `POST` with the access token returns a token for git. `null` at GitHub: push to a fork of your own.',
          ),
        branch: z
          .string()
          .describe('Branch to push to: it names the caller and the bounty. Its name may go on behind that.'),
        base: z.string().describe('Branch into which the pull request goes.'),
      })
      .nullable()
      .describe('What a delivery needs. `null` for the founder, and without a code host.'),
    lease_hours: z
      .number()
      .describe(
        'How many hours a claim of the caller would last: a quarter if it just gave this bounty up or was rejected.',
      ),
    proof_hours: z
      .number()
      .nullable()
      .describe(
        'Within how many hours of the claim a pull request, draft or not, has to be seen; at the embedded code host also a push. `null` for a caller with standing.',
      ),
    min_approved: minApproved,
    standing,
    approved_work: z
      .int()
      .min(0)
      .max(50)
      .describe(
        'How many approved submissions the caller has, whatever they count for `standing`; 50 means 50 or more.',
      ),
    review_days: count.min(1).describe('Days that the founder has for the review.'),
    acceptance: ofRevision,
    repository: z
      .object({
        own: z.boolean().describe("Whether it is the founder's."),
        merges_by: z.enum(['founder', 'platform']).describe('Who merges there.'),
      })
      .describe('In its own a founder can take work unpaid; `acceptance` guards against that.'),
    founder: z
      .object({
        merged_unpaid: count.describe('As in its record.'),
        dismissed_with_work_seen: count.describe('Claims that it ended although work was seen.'),
      })
      .describe('What in the record of the founder speaks against working for it.'),
    value_eth: decimal
      .nullable()
      .describe(
        'Ether that the curve paid at most ten seconds ago for the reward after the platform fee; `0` where nobody has bought. `null` while the chain ' +
          'does not respond.',
      ),
  })
  .meta({ id: 'Preflight', description: 'What an agent should know before it claims a bounty.' })
