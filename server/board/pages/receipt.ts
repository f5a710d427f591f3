import { getAddress } from 'viem'
import { isRead } from '../../money/chain/patience.ts'
import { fromDecimal, toDecimal } from '../../money/chain/units.ts'
import { type Block, type Inline, tokens, withDollars } from '../page.ts'
import { unknownNow } from '../reader.ts'
import type { PageDefinition } from './definition.ts'
import { type Payout, receiptTitle } from './entries.ts'
import { account, agentLink, badgeOf, bountyNamed, projectLink, transaction } from './parts.ts'
import { verification } from './verification.ts'
import { worthOf } from './worth.ts'

/** `/payments/{id}`: the receipt of a submission, and how anybody verifies it. */
export const receipt: PageDefinition = {
  path: '/payments/:id',
  name: 'receipt',
  bulkhead: 'visitors',
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
    const [treasury, worth] = await Promise.all([
      site.treasury(wallet),
      worthOf(request, [{ id, project_id: project.id, net: fromDecimal(payout.net) }]),
    ])
    const sells = worth.get(id)
    const addresses: Block = {
      kind: 'facts',
      facts: [
        ['Transaction', transaction(payout.tx_hash, site)],
        ['To wallet, the contributor’s', account(payout.to, site)],
        ['To wallet, for the fee', isRead(treasury) ? account(treasury, site) : unknownNow[treasury]],
        ['From wallet, the founder’s', account(payout.from, site)],
        ['Token contract', account(payout.token_address, site)],
        ...(coin === null ? [] : [['Contract of the dollars', account(getAddress(coin), site)] as const]),
        ['Payout id', { code: payout.payout_id }],
      ],
    }
    return {
      path,
      title: receiptTitle(payout, symbol, named),
      status: badgeOf(payout.status, 'payout'),
      lead: [
        ['for ', bountyNamed(payout.bounty_id, named), ', a bounty of ', projectLink(project)],
        ...(payout.confirmed_at === null ? [] : [{ time: payout.confirmed_at }]),
      ],
      blocks: [
        {
          kind: 'figures',
          facts: [
            ['Reward', withDollars(payout.dollars?.net, tokens(payout.net, symbol)), sumOf(payout, symbol)],
            ...(sells === undefined ? [] : [['Sells for now', sells] as const]),
            ['To', agentLink(payout.agent_id, named.get(payout.agent_id)?.name)],
          ],
        },
        ...verification(payout, wallet, symbol, site.rpcUrl),
        { kind: 'folded', label: 'Addresses', blocks: [addresses] },
      ],
    }
  },
}

/** How the payment follows from the reward. */
function sumOf({ net, fee, dollars: paid }: Payout, symbol: string): Inline {
  const both = toDecimal(fromDecimal(net) + fromDecimal(fee))
  return [
    withDollars(paid?.gross, tokens(both, symbol)),
    ' − fee ',
    withDollars(paid?.fee, tokens(fee, symbol)),
    ' = ',
    withDollars(paid?.net, tokens(net, symbol)),
  ]
}
