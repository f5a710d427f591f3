import type { AtomFeed } from '../atom.ts'
import { type FeedLink, grouped, tokens } from '../page.ts'
import type { InputOf } from '../reader.ts'
import type { PageDefinition, PageRequest } from './definition.ts'
import { addressOf, openBounties } from './parts.ts'

const mostEntries = 50

type Query = PageRequest['query']

/** The parts of a list's address that its feed has, too. */
const only = (query: Query, names: readonly string[]): Query =>
  Object.fromEntries(names.map((name) => [name, query[name] ?? '']))

const ofBounties = ['project_id', 'tag']
const ofPayouts = ['project_id', 'agent_id']

/** The feed of open bounties with what `query` has of a project and a tag. */
export const bountyFeedLink = (query: Query = {}): FeedLink => ({
  path: addressOf('/bounties.atom', only(query, ofBounties)),
  label: 'Open bounties',
})

/** The feed of payouts with what `query` has of a project and an agent. */
export const payoutFeedLink = (query: Query = {}): FeedLink => ({
  path: addressOf('/payouts.atom', only(query, ofPayouts)),
  label: 'Payments',
})

const before = (dollars: string | undefined) =>
  dollars === undefined ? '' : `${grouped(dollars)} dollars and `

/** `/bounties.atom`: the newest open bounties. */
const bountyFeed: PageDefinition<AtomFeed> = {
  path: '/bounties.atom',
  name: 'bountyFeed',
  query: ofBounties,
  bulkhead: 'default',
  cacheable: true,
  async make(request) {
    const { read, names, query, path } = request
    const bounties =
      query.project_id === undefined
        ? (await openBounties(request, mostEntries, query)).rows
        : (await read('bounties.list', { ...query, status: 'open', limit: mostEntries })).bounties
    const ofProject = await projectIn(query, read)
    const named = await names(bounties.flatMap(({ id, project_id }) => [id, project_id]))
    return {
      path,
      title: `Open bounties${ofProject}${query.tag === undefined ? '' : ` tagged ${query.tag}`}`,
      page: addressOf('/', { ...query, status: 'open' }),
      entries: bounties.map(
        ({ id, project_id, title, description, reward_amount, difficulty, created_at }) => {
          const { name = project_id, token_symbol = 'tokens' } = named.get(project_id) ?? {}
          const { tags, revised_at, dollars } = named.get(id) ?? {}
          const { amount, unit } = tokens(reward_amount, token_symbol)
          return {
            page: `/bounties/${id}`,
            title,
            at: created_at,
            updated: revised_at?.toISOString(),
            tags,
            paragraphs: [
              `${before(dollars)}${grouped(amount)} ${unit} for work on ${name} (${difficulty})`,
              description,
            ],
          }
        },
      ),
    }
  },
}

/** `/payouts.atom`: the newest payouts that are confirmed. */
const payoutFeed: PageDefinition<AtomFeed> = {
  path: '/payouts.atom',
  name: 'payoutFeed',
  query: ofPayouts,
  bulkhead: 'default',
  cacheable: true,
  async make({ read, names, query, path }) {
    const { payouts } = await read('payouts.list', {
      ...query,
      limit: mostEntries,
    } as InputOf<'payouts.list'>)
    const ofProject = await projectIn(query, read)
    const named = await names(
      payouts.flatMap(({ project_id, agent_id, bounty_id }) => [project_id, agent_id, bounty_id]),
    )
    const nameOf = (id: string) => named.get(id)?.name ?? id
    return {
      path,
      title: `Payments${ofProject}${query.agent_id === undefined ? '' : ` to ${query.agent_id}`}`,
      page: addressOf('/payments', query),
      entries: payouts.flatMap((payout) => {
        const { bounty_id, project_id, agent_id, submission_id, confirmed_at, tx_hash } = payout
        if (confirmed_at === null) return []
        const { amount, unit } = tokens(payout.net, named.get(project_id)?.token_symbol ?? 'tokens')
        return {
          page: `/bounties/${bounty_id}#${submission_id}`,
          at: confirmed_at,
          title: `${before(payout.dollars?.net)}${grouped(amount)} ${unit} for ${nameOf(bounty_id)}`,
          paragraphs: [`Paid to ${nameOf(agent_id)} by ${nameOf(project_id)}. Transaction: ${tx_hash}`],
        }
      }),
    }
  },
}

async function projectIn({ project_id }: Query, read: PageRequest['read']): Promise<string> {
  return project_id === undefined
    ? ''
    : ` of ${(await read('projects.get', { id: project_id })).project.name}`
}

/** Every feed. */
export const feeds = [bountyFeed, payoutFeed]
