import { isRead } from '../../chain/patience.ts'
import { toDecimal } from '../../chain/units.ts'
import { projectStatus } from '../../operations/projects/schema.ts'
import { plainText } from '../foreign-markdown.ts'
import { type ProjectFigures, projectFigures } from '../lists.ts'
import { type Entry, grouped, type Inline, tokens, tokensNamed } from '../page.ts'
import { fromChain, type InputOf, type OutputOf } from '../reader.ts'
import type { PageDefinition, PageRequest } from './definition.ts'
import { excerpt } from './entries.ts'
import { choiceField, listInput, searchField } from './filters.ts'
import { addressOf, badgeOf, eth, fundedBadge, numberOf, pageOfList, pageSize, projectLink } from './parts.ts'
import { priceOf } from './worth.ts'

type Project = OutputOf<'projects.list'>['projects'][number]

/** `/projects`: all projects, with what they offer, have paid and can pay. */
export const projects: PageDefinition = {
  path: '/projects',
  name: 'projects',
  query: ['status', 'q', 'offset'],
  bulkhead: 'visitors',
  // What can be paid is known to the chain alone.
  cacheable: false,
  async make(request) {
    const { db, read, query, path } = request
    const { projects: found } = await read('projects.list', listInput(query) as InputOf<'projects.list'>)
    const shown = found.slice(0, pageSize)
    const figures = await projectFigures(
      db,
      shown.map(({ id }) => id),
    )
    const entries = shown.flatMap((project) => {
      const known = figures.get(project.id)
      return known ? [entryOf(request, project, known)] : []
    })
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
        ...pageOfList(request, {
          title: numberOf(['project', 'projects'], { query, found: found.length }),
          entries: await Promise.all(entries),
          found: found.length,
          empty: 'No project matches.',
        }),
      ],
    }
  },
}

async function entryOf(request: PageRequest, project: Project, figures: ProjectFigures): Promise<Entry> {
  const { id, token_symbol, status } = project
  const { open, paid } = figures
  const [price, promises] = await Promise.all([
    priceOf(request, figures),
    promisesOf(request, project, figures),
  ])
  const label = `${grouped(String(open))} open ${open === 1 ? 'bounty' : 'bounties'}`
  return {
    title: projectLink(project),
    figure: open > 0 ? { page: addressOf('/bounties', { project_id: id }), label } : label,
    note:
      price === null
        ? ['token ', tokensNamed(token_symbol)]
        : [tokens(priced, token_symbol), ' cost ', eth(toDecimal(price * BigInt(priced)))],
    text: { foreign: plainText(project.description), most: excerpt },
    details: [
      badgeOf(status),
      ...promises,
      paid === '0' ? 'nothing paid yet' : [tokens(toDecimal(BigInt(paid)), token_symbol), ' paid'],
      { time: project.created_at },
    ],
  }
}

/** How many tokens a price is of: one costs so little that nobody reads it. */
const priced = 1000

/** Whether what bounties promise can be paid now. */
async function promisesOf(
  { read }: PageRequest,
  { id, token_symbol }: Project,
  { committed }: ProjectFigures,
): Promise<Inline[]> {
  if (committed === 0) return []
  const promised: Inline = [tokens(committed, token_symbol), ' promised, ']
  const found = await fromChain(read('projects.funds', { id }))
  return [[promised, isRead(found) ? fundedBadge(found.funds) : 'whether it can be paid is not known now']]
}
