import { bountyStatus, difficulty } from '../../operations/bounties/schema.ts'
import type { Field, Inline } from '../page.ts'
import type { InputOf } from '../reader.ts'
import type { PageDefinition, PageRequest } from './definition.ts'
import { bountyEntries } from './entries.ts'
import { bountyFeedLink } from './feeds.ts'
import { choiceField, listInput, searchField } from './filters.ts'
import { offsetPager, pageSize, projectLink, wholeNumberIn } from './parts.ts'
import { worthOf } from './worth.ts'

/** `/bounties`: all bounties, by filters in the address. */
export const bounties: PageDefinition = {
  path: '/bounties',
  name: 'bounties',
  query: ['status', 'difficulty', 'project_id', 'tag', 'min_reward', 'sort', 'q', 'offset'],
  bulkhead: 'default',
  cacheable: true,
  asksChain: ({ sort }) => sort === 'worth',
  async make(request) {
    const { read, query, path } = request
    const { min_reward, sort } = query
    const input = { ...listInput(query), ...(min_reward && { min_reward: wholeNumberIn(min_reward) }) }
    const { bounties: found } = await read('bounties.list', input as InputOf<'bounties.list'>)
    const shown = found.slice(0, pageSize)
    const worth = sort === 'worth' ? await worthOf(request, shown) : undefined
    return {
      path,
      title: 'Bounties',
      summary: await summaryOf(request),
      feeds: [bountyFeedLink(query)],
      blocks: [
        { kind: 'filters', action: '/bounties', fields: fields(query) },
        {
          kind: 'entries',
          entries: await bountyEntries(request, shown, worth),
          empty: 'No bounty matches.',
        },
        offsetPager('/bounties', query, found.length),
      ],
    }
  },
}

/** Says which project the list is of, if it is of one. */
async function summaryOf({ read, query: { project_id } }: PageRequest): Promise<Inline> {
  if (project_id === undefined) return 'A bounty pays for one piece of work, in the token of its project.'
  const { project } = await read('projects.get', { id: project_id })
  return ['Of ', projectLink(project), '. ', { page: '/bounties', label: 'All bounties' }]
}

function fields(query: PageRequest['query']): Field[] {
  return [
    searchField(query),
    choiceField('status', 'Status', query, bountyStatus.options),
    choiceField('difficulty', 'Difficulty', query, difficulty.options),
    searchField(query, 'tag', 'Tag'),
    searchField(query, 'min_reward', 'Reward from'),
    sortField(query),
    { kind: 'hidden', name: 'project_id', label: 'Project', value: query.project_id ?? '' },
  ]
}

function sortField({ sort = '' }: PageRequest['query']): Field {
  const options = [
    ['', 'newest first'],
    ['reward', 'open, highest reward first'],
    ['worth', 'open, what sells for most first'],
  ] as const
  return { kind: 'choice', name: 'sort', label: 'Order', value: sort, options }
}
