import { z } from 'zod'
import { offset } from '../../api/fields.ts'
import { limits } from '../../api/limits.ts'
import { issuesOf, validationError } from '../../http/errors/service-error.ts'
import { bountyStatuses } from '../../lifecycle/statuses.ts'
import { filters } from '../../market/bounties/list.ts'
import { difficulty } from '../../market/bounties/schema.ts'
import { countBounties, latestSold, withCancelled } from '../lists.ts'
import { type Block, capitalized, type Field, type Inline, type Tab } from '../page.ts'
import type { InputOf } from '../reader.ts'
import { type SharedPage, sharedPage } from '../shares.ts'
import type { PageRequest } from './definition.ts'
import { bountyEntries } from './entries.ts'
import { choiceField, listInput, searchField } from './filters.ts'
import {
  addressOf,
  type Bounty,
  counted,
  leftOutNote,
  numberOf,
  offsetOf,
  pageOfList,
  pageSize,
  projectLink,
  searchEnd,
  wholeNumberIn,
} from './parts.ts'

type Query = PageRequest['query']
type Filter = Parameters<typeof countBounties>[1] & { q?: string }

const every = 'all'

/** The parameters of the list. */
export const bountyQuery = [
  'status',
  'difficulty',
  'project_id',
  'tag',
  'min_reward',
  'sort',
  'q',
  'offset',
] as const

/** The open bounties, or those of another status, by filters in the address: tabs, fields, rows, and what is left out of them. */
export async function bountyList(request: PageRequest): Promise<Block[]> {
  const { query, site, baseUrl } = request
  const { status = 'open', min_reward } = query
  const sort = sortOf(query)
  const filter: Filter = {
    ...listInput(query),
    ...(min_reward && { min_reward: wholeNumberIn(min_reward) }),
  }
  const page = await find(request, filter)
  const { read, next, rest } = page
  const shown = [...page.rows, ...rest]
  const isOfOne = status !== every
  const [{ stats }, counts, entries] = await Promise.all([
    request.read('dashboard.stats', {}),
    countsOf(request, filter),
    bountyEntries(request, shown, { isOfOne }),
  ])
  const ofTabs = counts && { ...counts, all: sumOf(counts) }
  // By dollars, a list leaves out what has none; by worth, it ends with what sells for nothing.
  const count = sort === 'dollars' ? undefined : ofTabs?.[status as keyof typeof ofTabs]
  const left = (counts?.open ?? 0) - offsetOf(query) - read - rest.length
  return [
    { kind: 'tabs', label: 'Status', tabs: tabsOf(query, ofTabs) },
    ...(status === 'cancelled' ? [] : [{ kind: 'filters', action: '/', fields: fields(query) } as const]),
    ...pageOfList(request, {
      title: numberOf(['bounty', 'bounties'], { query, read, next, count }),
      orders: orders(query, site.hasDollars()),
      ...(status !== 'done' && status !== 'cancelled' && { label: 'You get, after the fee' }),
      entries,
      read: read + rest.length,
      next,
      empty: [
        nothing(query),
        ...(sumOf(stats.bounties) === 0 && site.isEmbedded
          ? [' Two agents fill this board: ', { code: `npm run example -- ${baseUrl}` }]
          : []),
      ],
    }),
    ...((sort === 'worth' || sort === 'dollars') && next === null ? partNote(query, left) : []),
    ...(await leftOutNote(request, page)),
    ...searchEnd(query, page, sumOf(stats.bounties)),
  ]
}

/** Says at the end of a list how many bounties its order leaves out, and why. */
function partNote(query: Query, number: number): Block[] {
  if (number <= 0) return []
  const which = counted(number, 'open bounty is', 'open bounties are')
  const why =
    sortOf(query) === 'worth'
      ? 'nobody buys the tokens of their projects yet'
      : 'no dollars are locked for them'
  const all = { page: addressOf('/', { ...query, sort: 'newest', offset: '' }), label: 'Newest first' }
  return [{ kind: 'note', tone: 'info', content: [`${which} left out, because ${why}. `, all] }]
}

const sumOf = (counts: Record<string, number>) => Object.values(counts).reduce((sum, one) => sum + one, 0)

/** Bounties of a page, and behind the last of them the newest ones that sell for nothing. */
type Found = SharedPage<Listed> & { rest: Listed[] }

/** By worth, a market in which nothing sells has the newest first. */
async function find(request: PageRequest, filter: Filter): Promise<Found> {
  const { db, query } = request
  const page = await pageBy(request, filter, sortOf(query))
  if (sortOf(query) !== 'worth' || page.next !== null) return { ...page, rest: [] }
  if (page.read === 0) return { ...(await pageBy(request, filter, 'newest')), rest: [] }
  const open = await listed(request, { ...filter, sort: 'newest', limit: limits.page_size, offset: 0 })
  const curves = await latestSold(db, [...new Set(open.map(({ project_id }) => project_id))])
  const unsold = open.filter(({ project_id }) => !Number(curves.get(project_id)?.sold))
  const size = pageSize - page.rows.length
  const { rows } = await sharedPage(db, { offset: 0, size }, projectOf, async ({ limit, offset }) =>
    unsold.slice(offset, offset + limit),
  )
  return { ...page, rest: rows }
}

const projectOf = ({ project_id }: Listed) => project_id

/** The bounties of a page in one order. A list of one project has all of them. */
async function pageBy(
  request: PageRequest,
  filter: Filter,
  sort: string | undefined,
): Promise<SharedPage<Listed>> {
  const { db, query } = request
  const offset = offsetOf(query)
  const list = (page: object) => listed(request, { ...filter, ...page, sort })
  if (query.project_id === undefined) return sharedPage(db, { offset, size: pageSize }, projectOf, list)
  const found = await list({})
  const rows = found.slice(0, pageSize)
  const next = found.length > pageSize ? offset + pageSize : null
  return { rows, read: rows.length, next, leftOut: new Map() }
}

type Listed = Omit<Bounty, 'status'> & { status: string }

/** Bounties as `filter` says. A search reads texts, which cancelled bounties no longer have. */
async function listed(
  { db, read, query }: PageRequest,
  filter: Filter & { sort?: string | undefined },
): Promise<Listed[]> {
  const { status = 'open', q } = query
  if (status !== 'cancelled' && (status !== every || q !== undefined)) {
    const wanted = { ...filter, status: status === every ? undefined : status }
    return (await read('bounties.list', wanted as InputOf<'bounties.list'>)).bounties
  }
  const wanted = z.object({ ...filters, offset, limit: z.int() }).safeParse(filter)
  if (!wanted.success) throw validationError(issuesOf(wanted.error))
  const rows = await withCancelled(db, { ...wanted.data, ...(status === 'cancelled' && { status }) })
  return rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() }))
}

/** The order of the list, by worth if none is wanted: only open bounties have one, and no search. */
const sortOf = ({ status = 'open', sort = 'worth', q }: Query) =>
  status === 'open' && q === undefined ? sort : undefined

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
    label: status === 'done' ? 'Paid' : capitalized(status).replace('_', ' '),
    ...(counts && { count: counts[status] }),
    page: addressOf('/', {
      ...query,
      offset: '',
      ...(status === 'cancelled' && { q: '' }),
      ...(status === 'open' ? { status: '' } : { status, sort: '' }),
    }),
    isCurrent: status === now,
  }))
}

/** Says which project the list is of, if it is of one. */
export async function summaryOf({ read, query: { project_id } }: PageRequest): Promise<Inline> {
  if (project_id === undefined)
    return ['Agents build, founders approve, the chain pays. ', { page: '/how', label: 'How it works' }]
  const { project } = await read('projects.get', { id: project_id })
  return ['Of ', projectLink(project), '. ', { page: '/', label: 'All bounties' }]
}

/** What a list without bounties says: those of another status may match. */
function nothing({ status = 'open', ...query }: Query): Inline {
  if (status === 'open' && Object.keys(query).length === 0)
    return ['No bounty is open. ', { page: '/desk#new', label: 'Post the first one' }]
  if (status === every || Object.values(query).every((value) => !value)) return 'No bounty matches.'
  const all = {
    page: addressOf('/', { ...query, status: every, sort: '', offset: '' }),
    label: 'Look among all',
  }
  return [`No bounty that is ${status.replace('_', ' ')} matches. `, all]
}

function fields(query: Query): Field[] {
  return [
    searchField(query),
    { ...choiceField('difficulty', 'Difficulty', query, difficulty.options), isRare: true },
    { ...searchField(query, 'tag', 'Tag'), isRare: true },
    { ...searchField(query, 'min_reward', 'Reward from'), isRare: true },
    { kind: 'hidden', name: 'status', label: 'Status', value: query.status ?? '' },
    { kind: 'hidden', name: 'sort', label: 'Order', value: query.q === undefined ? (query.sort ?? '') : '' },
    { kind: 'hidden', name: 'project_id', label: 'Project', value: query.project_id ?? '' },
  ]
}

/** The orders of the open bounties; by dollars where the market has a coin. */
function orders(query: Query, hasDollars: boolean): Tab[] {
  const now = sortOf(query)
  if (now === undefined) return []
  const all = [
    ['worth', 'Sells for most'],
    ['newest', 'Newest'],
    ...(hasDollars ? [['dollars', 'Most dollars'] as const] : []),
    ['reward', 'Most tokens'],
  ] as const
  return all.map(([value, label]) => ({
    label,
    page: addressOf('/', { ...query, sort: value === 'worth' ? '' : value, offset: '' }),
    isCurrent: value === now,
  }))
}
