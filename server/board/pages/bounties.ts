import { z } from 'zod'
import { offset } from '../../api/fields.ts'
import { issuesOf, validationError } from '../../http/errors/service-error.ts'
import { bountyStatuses } from '../../lifecycle/statuses.ts'
import { filters } from '../../market/bounties/list.ts'
import { difficulty } from '../../market/bounties/schema.ts'
import { countBounties, withCancelled } from '../lists.ts'
import { capitalized, type Field, type Inline, type Tab } from '../page.ts'
import type { InputOf } from '../reader.ts'
import { type SharedPage, sharedPage } from '../shares.ts'
import type { PageDefinition, PageRequest } from './definition.ts'
import { bountyEntries } from './entries.ts'
import { bountyFeedLink } from './feeds.ts'
import { choiceField, listInput, searchField } from './filters.ts'
import {
  addressOf,
  type Bounty,
  leftOutNote,
  numberOf,
  offsetOf,
  pageOfList,
  pageSize,
  projectLink,
  searchEnd,
  wholeNumberIn,
} from './parts.ts'
import { worthOf } from './worth.ts'

type Query = PageRequest['query']
type Filter = Parameters<typeof countBounties>[1] & { q?: string }

const every = 'all'

/** `/bounties`: the open bounties, or those of another status, by filters in the address. */
export const bounties: PageDefinition = {
  path: '/bounties',
  name: 'bounties',
  query: ['status', 'difficulty', 'project_id', 'tag', 'min_reward', 'sort', 'q', 'offset'],
  // Parameters of a curve that no page has shown yet come from the chain, which may be silent.
  bulkhead: 'visitors',
  cacheable: true,
  async make(request) {
    const { query } = request
    const { status = 'open', sort, min_reward } = query
    const filter: Filter = {
      ...listInput(query),
      ...(min_reward && { min_reward: wholeNumberIn(min_reward) }),
    }
    const page = await find(request, filter)
    const { rows: shown, read, next } = page
    const [{ stats }, counts, worth, summary] = await Promise.all([
      request.read('dashboard.stats', {}),
      countsOf(request, filter),
      worthOf(
        request,
        shown.filter(({ status }) => !['done', 'cancelled'].includes(status)),
      ),
      summaryOf(request),
    ])
    const ofTabs = counts && { ...counts, all: sumOf(counts) }
    // By worth, a list leaves out what sells for nothing; by dollars, what has none.
    const count = isSorted(query) && sort !== 'reward' ? undefined : ofTabs?.[status as keyof typeof ofTabs]
    return {
      path: request.path,
      title: 'Bounties',
      summary,
      feeds: [bountyFeedLink(query)],
      blocks: [
        { kind: 'tabs', label: 'Status', tabs: tabsOf(query, ofTabs) },
        ...(status === 'cancelled'
          ? []
          : [{ kind: 'filters', action: '/bounties', fields: fields(query) } as const]),
        ...pageOfList(request, {
          title: numberOf(['bounty', 'bounties'], { query, read, next, count }),
          entries: await bountyEntries(request, shown, worth),
          read,
          next,
          empty: nothing(query),
        }),
        ...(await leftOutNote(request, page)),
        ...searchEnd(query, page, sumOf(stats.bounties)),
      ],
    }
  },
}

const sumOf = (counts: Record<string, number>) => Object.values(counts).reduce((sum, one) => sum + one, 0)

/** The bounties of a page. A list of one project has all of them. */
async function find(request: PageRequest, filter: Filter): Promise<SharedPage<Listed>> {
  const { db, query } = request
  const offset = offsetOf(query)
  const list = (page: object) => listed(request, { ...filter, ...page })
  if (query.project_id === undefined)
    return sharedPage(db, { offset, size: pageSize }, ({ project_id }) => project_id, list)
  const found = await list({})
  const rows = found.slice(0, pageSize)
  const next = found.length > pageSize ? offset + pageSize : null
  return { rows, read: rows.length, next, leftOut: new Map() }
}

type Listed = Omit<Bounty, 'status'> & { status: string }

/** Bounties as `filter` says. A search reads texts, which cancelled bounties no longer have. */
async function listed({ db, read, query }: PageRequest, filter: Filter): Promise<Listed[]> {
  const { status = 'open', sort, q } = query
  if (status !== 'cancelled' && (status !== every || q !== undefined)) {
    const given = { ...filter, status: status === every ? undefined : status }
    const wanted = { ...given, sort: isSorted(query) ? sort : undefined } as InputOf<'bounties.list'>
    return (await read('bounties.list', wanted)).bounties
  }
  const wanted = z.object({ ...filters, offset, limit: z.int() }).safeParse(filter)
  if (!wanted.success) throw validationError(issuesOf(wanted.error))
  const rows = await withCancelled(db, { ...wanted.data, ...(status === 'cancelled' && { status }) })
  return rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() }))
}

/** Whether the list is by reward, worth or dollars: only open bounties are, and no search. */
const isSorted = ({ status = 'open', sort, q }: Query) =>
  sort !== undefined && status === 'open' && q === undefined

/** How many bounties of each status the other filters leave; not for a search, which counting would repeat for each status. */
async function countsOf({ db, read }: PageRequest, filter: Filter) {
  const { q, project_id, difficulty, tag, min_reward } = filter
  if (q !== undefined) return undefined
  if ([project_id, difficulty, tag, min_reward].some((value) => value !== undefined))
    return countBounties(db, filter)
  const cancelled = await countBounties(db, {}, ['cancelled'])
  return cancelled && { ...(await read('dashboard.stats', {})).stats.bounties, ...cancelled }
}

function tabsOf(query: Query, counts: Record<string, number> | undefined): Tab[] {
  const { status: now = 'open' } = query
  return [...bountyStatuses, every].map((status) => ({
    label: capitalized(status).replace('_', ' '),
    ...(counts && { count: counts[status] }),
    page: addressOf('/bounties', {
      ...query,
      offset: '',
      ...(status === 'cancelled' && { q: '' }),
      ...(status === 'open' ? { status: '' } : { status, sort: '' }),
    }),
    isCurrent: status === now,
  }))
}

/** Says which project the list is of, if it is of one. */
async function summaryOf({ read, query: { project_id } }: PageRequest): Promise<Inline> {
  if (project_id === undefined)
    return 'A bounty pays for one piece of work, in the token of its project. What that sells for is as of the latest known trade.'
  const { project } = await read('projects.get', { id: project_id })
  return ['Of ', projectLink(project), '. ', { page: '/bounties', label: 'All bounties' }]
}

/** What a list without bounties says: those of another status may match. */
function nothing({ status = 'open', ...query }: Query): Inline {
  if (status === every || Object.values(query).every((value) => !value)) return 'No bounty matches.'
  const all = {
    page: addressOf('/bounties', { ...query, status: every, sort: '', offset: '' }),
    label: 'Look among all',
  }
  return [`No bounty that is ${status.replace('_', ' ')} matches. `, all]
}

function fields(query: Query): Field[] {
  const { status = 'open', q } = query
  return [
    searchField(query),
    ...(status === 'open' && q === undefined ? [sortField(query)] : []),
    { ...choiceField('difficulty', 'Difficulty', query, difficulty.options), isRare: true },
    { ...searchField(query, 'tag', 'Tag'), isRare: true },
    { ...searchField(query, 'min_reward', 'Reward from'), isRare: true },
    { kind: 'hidden', name: 'status', label: 'Status', value: query.status ?? '' },
    { kind: 'hidden', name: 'project_id', label: 'Project', value: query.project_id ?? '' },
  ]
}

function sortField({ sort = '' }: Query): Field {
  const options = [
    ['', 'newest first'],
    ['reward', 'highest reward'],
    ['worth', 'sells for most'],
    ['dollars', 'most dollars'],
  ] as const
  return { kind: 'choice', name: 'sort', label: 'Order', value: sort, options }
}
