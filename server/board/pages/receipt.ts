import { tokens } from '../page.ts'
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
    const { read, names, id, path, site } = request
    const { payout } = await read('payouts.get', { id })
    const { project } = await read('projects.get', { id: payout.project_id })
    const named = await names([payout.agent_id, payout.bounty_id])
    const symbol = project.token_symbol
    return {
      path,
      title: receiptTitle(payout, symbol, named),
      summary: ['For ', bountyNamed(payout.bounty_id, named), ', a bounty of ', projectLink(project), '.'],
      lead: {
        details: [
          badgeOf(payout.status),
          ...(payout.confirmed_at === null ? [] : [{ time: payout.confirmed_at }]),
        ],
      },
      blocks: [
        {
          kind: 'facts',
          facts: [
            ['Net, to the contributor', tokens(payout.net, symbol)],
            ['Platform fee', tokens(payout.fee, symbol)],
            ['Contributor', agentLink(payout.agent_id, named.get(payout.agent_id)?.name)],
            ['Transaction', transaction(payout.tx_hash, site)],
            ['To wallet, the contributor’s', account(payout.to, site)],
            ['From wallet, the founder’s', account(payout.from, site)],
            ['Token contract', account(payout.token_address, site)],
            ['Payout id', { code: payout.payout_id }],
          ],
        },
        ...verification(payout, symbol, site),
      ],
    }
  },
}
