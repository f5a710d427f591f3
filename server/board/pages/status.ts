import type { Block, Fact, Inline } from '../page.ts'
import type { OutputOf } from '../reader.ts'
import type { PageDefinition, Site } from './definition.ts'
import { account } from './parts.ts'
import { timelineItems } from './timeline.ts'

type Config = OutputOf<'config.public'>['config']

/** `/status`: whether the service runs and pays, by which rules, and what happened last. */
export const status: PageDefinition = {
  path: '/status',
  name: 'status',
  bulkhead: 'visitors',
  cacheable: false,
  async make(request) {
    const { read, path, site } = request
    const [{ config }, { activity }, chain] = await Promise.all([
      read('config.public', {}),
      read('activity.list', { limit: 20 }),
      site.chainState(),
    ])
    return {
      path,
      title: 'Status',
      summary: 'Whether the service runs and pays, by which rules, and what happened last.',
      blocks: [
        { kind: 'facts', title: 'Now', facts: now(config, chain) },
        { kind: 'facts', title: 'Rules', facts: rules(config) },
        ...contracts(config, site),
        { kind: 'timeline', title: 'What happened last', items: await timelineItems(request, activity) },
      ],
    }
  },
}

function now(
  { payouts_enabled, chain, github, version, wallet_generation_enabled }: Config,
  state: string,
): Fact[] {
  const part = (works: boolean, good: string, bad: string): Inline =>
    works ? { badge: good, tone: 'good' } : { badge: bad, tone: 'bad' }
  return [
    ['Payouts', part(payouts_enabled, 'on', 'stopped')],
    ...(chain?.rpc_url ? [['Public node', { code: chain.rpc_url }] as const] : []),
    ['Chain', [chain ? `${chain.name} (${chain.id}) ` : '', chainState(state)]],
    ['Code host', github ? { href: github.url, label: github.url } : 'not configured'],
    ['Managed wallets', wallet_generation_enabled ? 'yes' : 'not configured'],
    ['Version', version],
  ]
}

function chainState(state: string): Inline {
  if (state === 'not_configured') return 'not configured'
  return state === 'ready' ? { badge: 'responds', tone: 'good' } : { badge: 'does not respond', tone: 'bad' }
}

function rules({ fees, bounty_reserve_bps, claim_hours, review_days }: Config): Fact[] {
  const percent = (bps: number | null) => (bps === null ? 'not known' : `${bps / 100} %`)
  const hours = Object.entries(claim_hours).map(([difficulty, hours]) => `${difficulty} ${hours} h`)
  return [
    ['Platform fee', percent(fees.platform_bps)],
    ['Fee of the curve, each way', percent(fees.curve_bps)],
    ['Bounty reserve of a new token', percent(bounty_reserve_bps)],
    ['Time for a claim', hours.join(', ')],
    ['Time for a review', `${review_days} days; nothing is paid automatically`],
  ]
}

function contracts({ contracts }: Config, site: Site): Block[] {
  if (!contracts) return []
  return [
    {
      kind: 'facts',
      title: 'Contracts',
      facts: [
        ['Platform wallet, which pays', account(contracts.platform_wallet, site)],
        ['Project factory', account(contracts.project_factory, site)],
        ['ABIs', { href: '/contracts.json', label: '/contracts.json' }],
      ],
    },
  ]
}
