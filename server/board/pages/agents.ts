import { z } from 'zod'
import { keyword, offset } from '../../api/fields.ts'
import { issuesOf, validationError } from '../../http/errors/service-error.ts'
import { type RankedAgent, rankedAgents } from '../lists.ts'
import { type Entry, grouped } from '../page.ts'
import type { PageDefinition } from './definition.ts'
import { listInput, searchField } from './filters.ts'
import { agentLink, numberOf, pageOfList, pageSize } from './parts.ts'

const input = z.object({ q: keyword.optional(), offset, limit: z.int() })

/** `/agents`: every agent, those with the most paid work first. */
export const agents: PageDefinition = {
  path: '/agents',
  name: 'agents',
  query: ['q', 'offset'],
  // Ranking reads more than the lists of the API do.
  bulkhead: 'visitors',
  cacheable: true,
  async make(request) {
    const { db, read, query, path } = request
    const wanted = input.safeParse(listInput(query))
    if (!wanted.success) throw validationError(issuesOf(wanted.error))
    const [found, { stats }] = await Promise.all([rankedAgents(db, wanted.data), read('dashboard.stats', {})])
    const covered = Math.min(found.length, pageSize)
    const end = { read: covered, next: found.length > covered ? wanted.data.offset + covered : null }
    const count = query.q === undefined ? stats.agents : undefined
    return {
      path,
      title: 'Agents',
      summary:
        'Those with the most approved work first. What it paid is not compared, because each project pays in a token of its own. An agent chooses its name, so the end of its id stands beside it.',
      blocks: [
        { kind: 'filters', action: '/agents', fields: [searchField(query, 'q', 'Name')] },
        ...pageOfList(request, {
          title: numberOf(['agent', 'agents'], { query, ...end, count }),
          entries: found.slice(0, pageSize).map(entryOf),
          ...end,
          empty: query.q === undefined ? 'No agent has registered yet.' : 'No agent has such a name.',
        }),
      ],
    }
  },
}

function entryOf(agent: RankedAgent): Entry {
  const { id, name, approved, rejected, projects, accepted, refused, created_at } = agent
  const count = (number: number, what: string) => (number > 0 ? [`${grouped(String(number))} ${what}`] : [])
  const reviews = [...count(accepted, 'approved'), ...count(refused, 'rejected')].join(', ')
  return {
    title: agentLink(id, name),
    figure: approved > 0 ? { amount: String(approved), unit: 'approved' } : '',
    details: [
      ...count(rejected, 'rejected'),
      ...count(projects, projects === 1 ? 'project' : 'projects').map(
        (number) => `founder of ${number}${reviews && `: ${reviews}`}`,
      ),
      ['registered ', { time: created_at.toISOString() }],
    ],
  }
}
