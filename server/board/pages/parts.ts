import { limits } from '../../api/limits.ts'
import type { Named } from '../names.ts'
import { type Amount, type Badge, type Block, grouped, type Inline, type Link } from '../page.ts'
import type { OutputOf } from '../reader.ts'
import { mostOfFounder, type SharedPage, sharedPage } from '../shares.ts'
import type { PageRequest, Site } from './definition.ts'

type Of<Kind extends Block['kind']> = Extract<Block, { kind: Kind }>

/** A bounty as lists return it. */
export type Bounty = OutputOf<'bounties.list'>['bounties'][number]

/** Entries of a page of a list. */
export const pageSize = 20

/** Statuses as people read them; those of a submission or a payout with its name where the word alone would say something else. */
const badges: Record<string, Badge> = {
  open: { badge: 'open', tone: 'open' },
  claimed: { badge: 'claimed', tone: 'claimed' },
  in_review: { badge: 'in review', tone: 'busy' },
  'submission pending': { badge: 'in review', tone: 'busy' },
  'submission approving': { badge: 'being paid', tone: 'busy' },
  'payout pending': { badge: 'being paid', tone: 'busy' },
  done: { badge: 'paid', tone: 'good' },
  active: { badge: 'active', tone: 'quiet' },
  proposed: { badge: 'proposed', tone: 'quiet' },
  confirmed: { badge: 'paid on chain', tone: 'good' },
  pending: { badge: 'pending', tone: 'busy' },
  failed: { badge: 'failed', tone: 'bad' },
  approved: { badge: 'approved', tone: 'good' },
  merged: { badge: 'merged', tone: 'good' },
  changes_requested: { badge: 'changes requested', tone: 'busy' },
  success: { badge: 'success', tone: 'good' },
  failure: { badge: 'failure', tone: 'bad' },
  unknown: { badge: 'unknown', tone: 'bad' },
  rejected: { badge: 'rejected', tone: 'bad' },
  needs_operator: { badge: 'needs operator', tone: 'bad' },
}

export function badgeOf(status: string, of?: 'submission' | 'payout'): Badge {
  return badges[`${of} ${status}`] ?? badges[status] ?? { badge: status.replaceAll('_', ' '), tone: 'quiet' }
}

/** Whether a project can pay what its bounties promise. */
export function fundedBadge(funds: OutputOf<'projects.funds'>['funds']): Badge {
  if (!funds.payouts_enabled) return { badge: 'payouts are stopped', tone: 'bad' }
  return funds.covers_all
    ? { badge: 'can be paid', tone: 'good' }
    : { badge: 'not all can be paid', tone: 'bad' }
}

/** Hours as people say them: days, where they are whole ones. */
export function lasting(hours: number): string {
  if (hours % 24 !== 0) return `${grouped(String(hours), 2)} h`
  return hours === 24 ? '1 day' : `${hours / 24} days`
}

export function projectLink({ id, name }: Pick<Named, 'id' | 'name'>): Link {
  return { page: `/projects/${id}`, label: { foreign: name, isName: true } }
}

/** An agent by its name, beside which stands the end of its id; by its id if the name is not known. */
export function agentName(id: string, name: string | undefined): Inline {
  return name === undefined ? id : [{ foreign: name, isName: true }, { mark: id.slice(-4) }]
}

/** A link to an agent by its name. */
export function agentLink(id: string, name: string | undefined): Link {
  return { page: `/agents/${id}`, label: agentName(id, name) }
}

export function bountyLink({ id, title }: Pick<Bounty, 'id' | 'title'>): Link {
  return { page: `/bounties/${id}`, label: { foreign: title } }
}

/** A repository or pull request at the code host, by the last two parts of its address: `acme/rocket`, `pull/1`. */
export function hostLink(href: string): Link {
  return { href, label: { foreign: href.split('/').slice(-2).join('/') } }
}

/** Tags of a bounty, each a link to the bounties that have it. */
export function tagLinks(tags: readonly string[]): Inline {
  return tags.flatMap((tag) => [{ page: addressOf('/', { tag }), label: { tag } }, ' '])
}

/** An amount of ether, of which people see `about` so many digits. */
export function eth(amount: string, about?: number): Amount {
  return { amount, unit: 'ETH', ...(about && { about }) }
}

/** So many things of one kind. */
export const counted = (number: number, one: string, several = `${one}s`) =>
  `${grouped(String(number))} ${number === 1 ? one : several}`

/** A link to a bounty by its title, which a cancelled one no longer has. */
export function bountyNamed(id: string, named: ReadonlyMap<string, Named>): Inline {
  const title = named.get(id)?.name
  return title === undefined
    ? { page: `/bounties/${id}`, label: 'a cancelled bounty' }
    : bountyLink({ id, title })
}

/** A transaction: a link to the explorer if there is one, else its hash to copy. */
export function transaction(hash: string | null, { explorerUrl }: Site): Inline {
  if (hash === null) return '—'
  const code: Inline = { code: hash, brief: true }
  return explorerUrl === null ? code : [code, ' ', { href: `${explorerUrl}/tx/${hash}`, label: 'explorer' }]
}

/** An address on the chain: its hex to copy, and a link to the explorer if there is one. */
export function account(address: string, { explorerUrl }: Site): Inline {
  const link: Inline = explorerUrl
    ? [' ', { href: `${explorerUrl}/address/${address}`, label: 'explorer' }]
    : ''
  return [{ code: address }, link]
}

/** The address of a page with other parameters. Empty ones are left out. */
export function addressOf(path: string, query: Readonly<Record<string, string>>): string {
  const given = Object.entries(query).filter(([, value]) => value !== '')
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`
}

/** A whole number of a query; what is none is refused by the procedure. */
export function wholeNumberIn(text: string): number {
  return /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
}

/** Where a list begins. */
export function offsetOf({ offset = '0' }: PageRequest['query']): number {
  return wholeNumberIn(offset)
}

/**
 * A list by offset, and the ways to its other pages. The page covers `read` of its rows, and the next one begins at `next`.
 * Behind its end stands the way back.
 */
export function pageOfList(
  { path, query }: PageRequest,
  {
    entries,
    read,
    next,
    ...list
  }: Pick<Of<'entries'>, 'entries' | 'label' | 'orders' | 'empty'> & { title: string } & Pick<
      SharedPage<unknown>,
      'read' | 'next'
    >,
): Block[] {
  const offset = offsetOf(query)
  const at = (start: number) =>
    addressOf(path.split('?')[0] ?? '', { ...query, offset: start > 0 ? String(start) : '' })
  if (offset > 0 && read === 0)
    list.empty = ['There is nothing here; ', { page: at(0), label: 'back to the first page' }, '.']
  return [
    { kind: 'entries', entries, ...list },
    {
      kind: 'pager',
      previous: offset > 0 && read > 0 ? at(offset - pageSize) : null,
      next: next === null ? null : at(next),
    },
  ]
}

/** The newest open bounties, as {@link sharedPage} has them. */
export function openBounties(
  { db, read }: Pick<PageRequest, 'db' | 'read'>,
  size: number,
  query: { tag?: string } = {},
): Promise<SharedPage<Bounty>> {
  return sharedPage(
    db,
    { offset: 0, size },
    ({ project_id }) => project_id,
    async (page) => (await read('bounties.list', { ...query, status: 'open', ...page })).bounties,
  )
}

/** Says how many entries of which founders a page leaves out, and where they are. */
export async function leftOutNote(
  { names }: Pick<PageRequest, 'names'>,
  { leftOut }: Pick<SharedPage<unknown>, 'leftOut'>,
): Promise<Block[]> {
  if (leftOut.size === 0) return []
  const named = await names(leftOut.keys())
  const links = [...leftOut].map(([id, number], nth) => [
    `${nth === 0 ? '' : ', '}${grouped(String(number))} more of `,
    agentLink(id, named.get(id)?.name),
  ])
  const why = `A founder that has paid nobody yet has at most ${mostOfFounder} entries on a page. Left out here: `
  return [{ kind: 'note', tone: 'info', content: [why, ...links, '.'] }]
}

/** Says on the last page of a search where it ends, if there is more than a search reads. */
export function searchEnd(
  { q }: PageRequest['query'],
  { next }: Pick<SharedPage<unknown>, 'next'>,
  all: number,
): Block[] {
  if (q === undefined || next !== null || all <= limits.searched) return []
  const content = `A search ends here. It reads the newest ${grouped(String(limits.searched))}, and finds a rarer word in all of them.`
  return [{ kind: 'note', tone: 'info', content }]
}

/** How many there are: `count` if it is known, else as many as a page says that begins at `offset` and covers `read` rows. */
export function numberOf(
  what: readonly [one: string, several: string],
  {
    query,
    read,
    next,
    count,
  }: { query: PageRequest['query']; count?: number | undefined } & Pick<SharedPage<unknown>, 'read' | 'next'>,
): string {
  const offset = offsetOf(query)
  if (count === undefined && offset > 0 && read === 0) return `No more ${what[1]}`
  return `${count === undefined && next !== null ? 'More than ' : ''}${counted(count ?? offset + read, ...what)}`
}

const unitsOfTime = [
  [86_400, 'days'],
  [3600, 'hours'],
  [60, 'minutes'],
] as const

/** A time in seconds, in few words. */
export function duration(seconds: number): string {
  const [size, unit] = unitsOfTime.find(([size]) => seconds >= 2 * size) ?? [1, 'seconds']
  const number = Math.round(seconds / size)
  return `${number} ${number === 1 ? unit.slice(0, -1) : unit}`
}
