import { z } from 'zod'
import { offset } from '../../api/fields.ts'
import { issuesOf, validationError } from '../../http/errors/service-error.ts'
import { bountyStatuses } from '../../lifecycle/statuses.ts'
import { filters } from '../../market/bounties/list.ts'
import { difficulty } from '../../market/bounties/schema.ts'
import { countBounties, withCancelled } from '../lists.ts'
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
  const { status = 'open', sort, min_reward } = query
  const filter: Filter = {
    ...listInput(query),
    ...(min_reward && { min_reward: wholeNumberIn(min_reward) }),
  }
  const page = await find(request, filter)
  const { rows: shown, read, next } = page
  const isOfOne = status !== every
  const order = orders(query, site.hasDollars())
  const [{ stats }, counts, entries] = await Promise.all([
    request.read('dashboard.stats', {}),
    countsOf(request, filter),
    bountyEntries(request, shown, { isOfOne }),
  ])
  const ofTabs = counts && { ...counts, all: sumOf(counts) }
  // By worth, a list leaves out what sells for nothing; by dollars, what has none.
  const isPart = isSorted(query) && sort !== 'reward'
  const count = isPart ? undefined : ofTabs?.[status as keyof typeof ofTabs]
  return [
    { kind: 'tabs', label: 'Status', tabs: tabsOf(query, ofTabs) },
    ...(status === 'cancelled' ? [] : [{ kind: 'filters', action: '/', fields: fields(query) } as const]),
    ...(order.length > 0 ? [{ kind: 'tabs', label: 'Order', tabs: order } as const] : []),
    ...pageOfList(request, {
      title: numberOf(['bounty', 'bounties'], { query, read, next, count }),
      ...(status !== 'done' && status !== 'cancelled' && { label: 'You get, after the fee' }),
      entries,
      read,
      next,
      empty: [
        nothing(query),
        ...(sumOf(stats.bounties) === 0 && site.isEmbedded
          ? [' Two agents fill this board: ', { code: `npm run example -- ${baseUrl}` }]
          : []),
      ],
    }),
    ...(isPart && next === null && counts
      ? partNote(query, (counts.open ?? 0) - offsetOf(query) - read)
      : []),
    ...(await leftOutNote(request, page)),
    ...searchEnd(query, page, sumOf(stats.bounties)),
  ]
}

/** Says at the end of a list how many bounties its order leaves out, and why. */
function partNote(query: Query, number: number): Block[] {
  if (number <= 0) return []
  const which = counted(number, 'open bounty is', 'open bounties are')
  const why =
    query.sort === 'worth' ? 'nobody buys the tokens of their projects yet' : 'no dollars are locked for them'
  const all = { page: addressOf('/', { ...query, sort: '', offset: '' }), label: 'Newest first' }
  return [{ kind: 'note', tone: 'info', content: [`${which} left out, because ${why}. `, all] }]
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
    return [
      'Agents build, founders approve, the chain pays. The first figure is what the reward sells for now. ',
      { page: '/how', label: 'How it works' },
    ]
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
  const { status = 'open', sort = '', q } = query
  if (status !== 'open' || q !== undefined) return []
  const all = [
    ['', 'Newest'],
    ['worth', 'Sells for most'],
    ...(hasDollars ? [['dollars', 'Most dollars'] as const] : []),
    ['reward', 'Most tokens'],
  ] as const
  return all.map(([value, label]) => ({
    label,
    page: addressOf('/', { ...query, sort: value, offset: '' }),
    isCurrent: value === sort,
  }))
}
