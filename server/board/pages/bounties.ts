import { bountyStatus, difficulty } from '../../operations/bounties/schema.ts'
import type { Field, Inline } from '../page.ts'
import type { InputOf } from '../reader.ts'
import type { PageDefinition, PageRequest } from './definition.ts'
import { choiceField, listInput, searchField } from './filters.ts'
import { bountyEntries, offsetPager, pageSize, projectLink } from './parts.ts'

/** `/bounties`: all bounties, by filters in the address. */
export const bounties: PageDefinition = {
  path: '/bounties',
  name: 'bounties',
  query: ['status', 'difficulty', 'project_id', 'q', 'offset'],
  bulkhead: 'default',
  cacheable: true,
  async make(request) {
    const { read, query, path } = request
    const { bounties: found } = await read('bounties.list', listInput(query) as InputOf<'bounties.list'>)
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

function fields(query: PageRequest['query']): Field[] {
  return [
    searchField(query),
    choiceField('status', 'Status', query, bountyStatus.options),
    choiceField('difficulty', 'Difficulty', query, difficulty.options),
    { kind: 'hidden', name: 'project_id', label: 'Project', value: query.project_id ?? '' },
  ]
}
