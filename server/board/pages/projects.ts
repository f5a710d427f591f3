import { z } from 'zod'
import { keyword, offset } from '../../api/fields.ts'
import { issuesOf, validationError } from '../../http/errors/service-error.ts'
import type { ProjectRow } from '../../market/projects/queries.ts'
import { projectStatus } from '../../market/projects/schema.ts'
import { isRead } from '../../money/chain/patience.ts'
import { toDecimal } from '../../money/chain/units.ts'
import { freshProjects, type ProjectFigures, projectFigures } from '../lists.ts'
import { type Entry, type Inline, tokens, tokensNamed } from '../page.ts'
import { fromChain } from '../reader.ts'
import { sharedPage } from '../shares.ts'
import type { PageDefinition, PageRequest } from './definition.ts'
import { choiceField, listInput, searchField } from './filters.ts'
import {
  addressOf,
  badgeOf,
  counted,
  fundedBadge,
  leftOutNote,
  numberOf,
  pageOfList,
  pageSize,
  projectLink,
  searchEnd,
} from './parts.ts'
import { priceOf } from './worth.ts'

const input = z.object({ status: projectStatus.optional(), q: keyword.optional(), offset, limit: z.int() })

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
    const wanted = input.safeParse(listInput(query))
    if (!wanted.success) throw validationError(issuesOf(wanted.error))
    const found = await sharedPage(
      db,
      { offset: wanted.data.offset, size: pageSize },
      ({ id }: ProjectRow) => id,
      (page) => freshProjects(db, { ...wanted.data, ...page }),
    )
    const { rows: shown, read: covered, next } = found
    const { stats } = await read('dashboard.stats', {})
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
        'Each project has a repository, a token, and a curve that sells and buys that token. Newest first. A project that nobody has activated within a day is no longer listed.',
      blocks: [
        {
          kind: 'filters',
          action: '/projects',
          fields: [searchField(query), choiceField('status', 'Status', query, projectStatus.options)],
        },
        ...pageOfList(request, {
          title: numberOf(['project', 'projects'], { query, read: covered, next }),
          label: 'Price now',
          entries: await Promise.all(entries),
          read: covered,
          next,
          empty: 'No project matches.',
        }),
        ...(await leftOutNote(request, found)),
        ...searchEnd(query, found, stats.projects.active + stats.projects.proposed),
      ],
    }
  },
}

async function entryOf(request: PageRequest, project: ProjectRow, figures: ProjectFigures): Promise<Entry> {
  const { id, token_symbol, status } = project
  const { open, paid, sold } = figures
  const [price, promises] = await Promise.all([
    priceOf(request, figures, token_symbol),
    promisesOf(request, project, figures),
  ])
  const label = counted(open, 'open bounty', 'open bounties')
  const isBought = sold !== null && sold !== '0'
  return {
    title: projectLink(project),
    figure:
      price === null ? 'no token yet' : isBought ? price : `nobody buys ${tokensNamed(token_symbol)} yet`,
    note: open > 0 ? { page: addressOf('/', { project_id: id }), label } : label,
    details: [
      ...(status === 'proposed' ? [badgeOf(status)] : []),
      ...promises,
      paid === '0' ? 'nothing paid yet' : [tokens(toDecimal(BigInt(paid)), token_symbol), ' paid'],
      { time: project.created_at.toISOString() },
    ],
  }
}

/** Whether what bounties promise can be paid now. */
async function promisesOf(
  { read }: PageRequest,
  { id, token_symbol }: ProjectRow,
  { committed }: ProjectFigures,
): Promise<Inline[]> {
  if (committed === 0) return []
  const found = await fromChain(read('projects.funds', { id }))
  const paid = isRead(found) ? fundedBadge(found.funds) : 'whether it can be paid is not known now'
  return [paid, [tokens(committed, token_symbol), ' promised']]
}
