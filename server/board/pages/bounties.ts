import type { Field, Inline } from '../page.ts'
import type { InputOf } from '../reader.ts'
import type { PageDefinition, PageRequest } from './definition.ts'
import { bountyEntries, offsetOf, offsetPager, pageSize, projectLink } from './parts.ts'

/** `/bounties`: all bounties, by filters in the address. */
export const bounties: PageDefinition = {
  path: '/bounties',
  name: 'bounties',
  query: ['status', 'difficulty', 'project_id', 'q', 'offset'],
  bulkhead: 'default',
  cacheable: true,
  async make(request) {
    const { read, query, path } = request
    // The procedure refuses what is not valid.
    const filters = {
      ...query,
      offset: offsetOf(query),
      limit: pageSize + 1,
    } as InputOf<'bounties.list'>
    const { bounties: found } = await read('bounties.list', filters)
    return {
      path,
      title: 'Bounties',
      summary: await summaryOf(request),
      blocks: [
        { kind: 'filters', action: '/bounties', fields: fields(query) },
        {
          kind: 'entries',
          entries: await bountyEntries(request, found.slice(0, pageSize)),
          empty: 'No bounty matches.',
        },
        offsetPager('/bounties', query, found.length),
      ],
    }
  },
}

/** Says which project the list is of, if it is of one. */
async function summaryOf({ read, query: { project_id } }: PageRequest): Promise<Inline> {
  if (project_id === undefined)
    return 'A bounty pays for one piece of work, in the token of its project. Newest first.'
  const { project } = await read('projects.get', { id: project_id })
  return ['Of ', projectLink(project), ', newest first. ', { page: '/bounties', label: 'All bounties' }]
}

function fields({ status = '', difficulty = '', q = '', project_id = '' }: PageRequest['query']): Field[] {
  return [
    { kind: 'search', name: 'q', label: 'Search', value: q },
    {
      kind: 'choice',
      name: 'status',
      label: 'Status',
      value: status,
      options: [
        ['', 'any'],
        ['open', 'open'],
        ['claimed', 'claimed'],
        ['in_review', 'in review'],
        ['done', 'done'],
      ],
    },
    {
      kind: 'choice',
      name: 'difficulty',
      label: 'Difficulty',
      value: difficulty,
      options: [
        ['', 'any'],
        ['easy', 'easy'],
        ['medium', 'medium'],
        ['hard', 'hard'],
        ['extreme', 'extreme'],
      ],
    },
    { kind: 'hidden', name: 'project_id', label: 'Project', value: project_id },
  ]
}
