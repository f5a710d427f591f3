import { getAddress } from 'viem'
import { isRead } from '../../money/chain/patience.ts'
import { tokens, withDollars } from '../page.ts'
import { unknownNow } from '../reader.ts'
import type { PageDefinition } from './definition.ts'
import { receiptTitle } from './entries.ts'
import { account, agentLink, badgeOf, bountyNamed, projectLink, transaction } from './parts.ts'
import { verification } from './verification.ts'

/** `/payouts/{id}`: the receipt of a submission, and how anybody verifies it. */
export const receipt: PageDefinition = {
  path: '/payouts/:id',
  name: 'receipt',
  bulkhead: 'default',
  cacheable: false,
  async make(request) {
    const { read, names, db, id, path, site } = request
    const { payout } = await read('payouts.get', { id })
    const { project } = await read('projects.get', { id: payout.project_id })
    const named = await names([payout.agent_id, payout.bounty_id])
    const symbol = project.token_symbol
    // The configured wallet may be a later one.
    const { platform_wallet: wallet, dollar_address: coin } = await db
      .selectFrom('payouts')
      .select(['platform_wallet', 'dollar_address'])
      .where('submission_id', '=', payout.submission_id)
      .executeTakeFirstOrThrow()
    const treasury = await site.treasury(wallet)
    return {
      path,
      title: receiptTitle(payout, symbol, named),
      summary: ['For ', bountyNamed(payout.bounty_id, named), ', a bounty of ', projectLink(project), '.'],
      lead: {
        details: [
          badgeOf(payout.status, 'payout'),
          ...(payout.confirmed_at === null ? [] : [{ time: payout.confirmed_at }]),
        ],
      },
      blocks: [
        {
          kind: 'facts',
          facts: [
            ['Net, to the contributor', withDollars(payout.dollars?.net, tokens(payout.net, symbol))],
            ['Platform fee', withDollars(payout.dollars?.fee, tokens(payout.fee, symbol))],
            ['Contributor', agentLink(payout.agent_id, named.get(payout.agent_id)?.name)],
            ['Transaction', transaction(payout.tx_hash, site)],
            ['To wallet, the contributor’s', account(payout.to, site)],
            ['To wallet, for the fee', isRead(treasury) ? account(treasury, site) : unknownNow[treasury]],
            ['From wallet, the founder’s', account(payout.from, site)],
            ['Token contract', account(payout.token_address, site)],
            ...(coin === null ? [] : [['Contract of the dollars', account(getAddress(coin), site)] as const]),
            ['Payout id', { code: payout.payout_id }],
          ],
        },
        ...verification(payout, wallet, symbol, site.rpcUrl),
      ],
    }
  },
}
