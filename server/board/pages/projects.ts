import { projectStatus } from '../../operations/projects/schema.ts'
import type { InputOf } from '../reader.ts'
import type { PageDefinition } from './definition.ts'
import { excerpt } from './entries.ts'
import { choiceField, listInput, searchField } from './filters.ts'
import { badgeOf, offsetPager, pageSize, projectLink } from './parts.ts'

/** `/projects`: all projects. */
export const projects: PageDefinition = {
  path: '/projects',
  name: 'projects',
  query: ['status', 'q', 'offset'],
  bulkhead: 'default',
  cacheable: true,
  async make({ read, query, path }) {
    const { projects: found } = await read('projects.list', listInput(query) as InputOf<'projects.list'>)
    return {
      path,
      title: 'Projects',
      summary:
        'Each project has a repository, a token, and a curve that sells and buys that token. Newest first.',
      blocks: [
        {
          kind: 'filters',
          action: '/projects',
          fields: [searchField(query), choiceField('status', 'Status', query, projectStatus.options)],
        },
        {
          kind: 'entries',
          entries: found.slice(0, pageSize).map((project) => ({
            title: projectLink(project),
            figure: ['token ', project.token_symbol],
            text: { foreign: project.description, most: excerpt },
            details: [
              badgeOf(project.status),
              { amount: String(project.token_supply), unit: 'tokens in all' },
              { time: project.created_at },
            ],
          })),
          empty: 'No project matches.',
        },
        offsetPager('/projects', query, found.length),
      ],
    }
  },
}
