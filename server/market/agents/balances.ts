import { z } from 'zod'
import { address, decimal, filterId, id, pageEnd, paging } from '../../api/fields.ts'
import { limits } from '../../api/limits.ts'
import { cutPage, unknownCursor } from '../../api/page.ts'
import { findProject, requireProject } from '../../api/require-project.ts'
import { listHeldTokens } from '../../money/balances/queries.ts'
import { readBalances } from '../../money/balances/read-balances.ts'
import { chainAddress } from '../../money/chain/address.ts'
import { listPending } from '../../money/relays/holdings.ts'
import { findManagedWallet } from '../../money/wallets/managed-wallet.ts'
import { agentProcedure } from '../../trpc.ts'
import { tokenSymbol } from '../projects/schema.ts'

const balance = z
  .object({
    project_id: id('project'),
    token_symbol: tokenSymbol,
    token_address: address.describe("Contract address of the project's token."),
    wallet_address: address.describe('The wallet that holds the tokens.'),
    balance: decimal.describe('What is in the wallet, in whole tokens.'),
    reserve: decimal.describe(
      "The part of the balance that is left of the founder's bounty reserve, in whole tokens: only payouts can move it. Zero for others.",
    ),
    withdrawable: decimal.describe(
      'What a withdrawal can move now, in whole tokens: balance - reserve, minus a withdrawal under way. Zero for a wallet that ' +
        'the service does not manage, and for tokens that take no signed transfers.',
    ),
    value_eth: decimal.describe(
      'Ether that the curve pays now, after its fee, for as much of balance - reserve as it takes. It is paid from what ' +
        'buyers have put in, so it is zero where nobody has bought.',
    ),
  })
  .meta({ id: 'Balance', description: 'The tokens of one project in one wallet, in whole tokens.' })

export const balances = agentProcedure({
  method: 'GET',
  path: '/api/agents/me/balances',
  summary: "List the caller's token balances",
  description:
    "Every project token that the caller's managed wallet or present wallet was paid in or bought, and those of projects that " +
    'it founded; newest project first. A token that was sent to a wallet is shown only if you name its project: the chain ' +
    'has no list of what a wallet holds. `limit` counts projects, and a project has an entry for each of the two wallets. ' +
    'Amounts are decimal strings of whole tokens and of ether, all of the same block. For the next page, send `next` as ' +
    '`after`.',
  errors: ['project_not_found', 'chain_not_configured', 'chain_unreachable'],
  bulkhead: 'external',
})
  .input(
    z.strictObject({
      project_id: filterId('project', 'Only this project, also if its tokens were sent to a wallet.'),
      ...paging,
    }),
  )
  .output(
    z.object({
      balances: z
        .array(balance)
        .max(2 * limits.page_size)
        .describe('One page, newest project first.'),
      ...pageEnd,
    }),
  )
  .query(async ({ ctx, input }) => {
    const { db, chain } = ctx.services
    const managed = await findManagedWallet(db, ctx.agent.id)
    const stored = [managed?.address, ctx.agent.wallet_address].filter((wallet) => wallet != null)
    const wallets = [...new Set(stored.map(chainAddress))]
    const { project_id: projectId, after, limit } = input
    if (projectId !== undefined) await requireProject(db, projectId)
    if (after !== undefined && !(await findProject(db, after))) throw unknownCursor('a project')
    const found = await listHeldTokens(db, {
      wallets,
      projectId,
      before: after,
      limit: limit + 1,
    })
    const { page, next } = cutPage(found, limit, (token) => token.project_id)
    if (page.length === 0) return { balances: [], next }
    const wallet = managed && chainAddress(managed.address)
    const pending = await listPending(db, ctx.agent.id)
    return { balances: await readBalances(chain.require(), page, { wallet, pending }), next }
  })
