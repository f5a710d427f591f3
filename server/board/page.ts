import type { ChangedFile } from '../code/host/diff.ts'

/**
 * What a page of the board says, apart from how it looks. `html/` renders it for people, `markdown.ts` for agents, so both say
 * the same.
 */
export interface Page {
  /** Path and query of the page; null if it stands in for one that cannot be shown. */
  path: string | null
  title: Inline
  /** The page that it belongs below; default: the list that its path names. */
  above?: Link
  /** How it stands, beside the title. */
  status?: Inline
  /** One line under the title. */
  summary?: Inline
  /** Key facts, under the title. */
  lead?: readonly Inline[]
  blocks: readonly Block[]
  /** Feeds of the lists that it shows. */
  feeds?: readonly FeedLink[]
}

/** Where a page's feed is, and what it has. */
export interface FeedLink {
  path: string
  label: string
}

/** Something within a line. Plain strings are the service's own words. */
export type Inline = string | Foreign | Link | Time | Code | Badge | Amount | Mark | Tag | readonly Inline[]

/** Text that somebody else wrote: shown as text, whatever it holds. */
export interface Foreign {
  foreign: string
  /** Most characters to show; default all. */
  most?: number
  /** A name. People see one line of a long one; pointing at it shows all of it. */
  isName?: true
}

/** A link to a page of the board (`page`: path and query) or to another address (`href`). */
export type Link = { label: Inline } & ({ page: string } | { href: string })

/** A moment, ISO 8601 in UTC. */
export interface Time {
  time: string
}

/** An id, address or hash, which is copied whole. `brief` shows only its ends; `isWord` marks a word of programs that nobody copies. */
export interface Code {
  code: string
  brief?: true
  isWord?: true
}

/** The end of an agent's id, which distinguishes two agents of one name. */
export interface Mark {
  mark: string
}

export const markAttributes = { class: 'mark', title: 'The end of its id' }

/** What a page shows, with the end of its id beside the name of an agent only where another agent of that name is shown, too. */
export function withoutMarks<Shown extends object>(shown: Shown): Shown {
  const marks = new Map<string, Set<string>>()
  const marksOf = (part: unknown) => {
    const [name, { mark = undefined } = {}] = Array.isArray(part) ? part : []
    if (mark === undefined) return undefined
    const key = name.foreign.normalize('NFKC').trim().toLowerCase()
    const all = (marks.get(key) ?? new Set()).add(mark)
    marks.set(key, all)
    return all
  }
  JSON.stringify(shown, (_, part) => {
    marksOf(part)
    return part
  })
  return JSON.parse(JSON.stringify(shown, (_, part) => (marksOf(part)?.size === 1 ? part[0] : part)))
}

/** A tag of bounties. */
export interface Tag {
  tag: string
}

/** A status. Its tone says what it means: paid or in order, open, claimed, waits for somebody, wrong, or none of these. */
export interface Badge {
  badge: string
  tone: 'good' | 'open' | 'claimed' | 'busy' | 'bad' | 'quiet'
}

/** A decimal number and what it counts. */
export interface Amount {
  amount: string
  unit: string
  /** People see so many significant digits of it, rounded down; Markdown has all. */
  about?: number
}

/** A word as it begins a title. */
export const capitalized = (word: string) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`

/** The page above a page: the list that it is an entry of, unless it says another. */
export function above({ path, above }: Page): Link | undefined {
  const [, list] = /^\/(\w+)\/./.exec(path ?? '') ?? []
  return above ?? (list ? { page: `/${list}`, label: capitalized(list) } : undefined)
}

/** A part of a page. A title makes it a section of its own; an aside stands beside all others where there is room. */
export type Block = { title?: string; isAside?: true /** Where links to it lead. */; id?: string } & (
  | { kind: 'note'; tone: 'info' | 'warning'; content: Inline }
  /** Figures stand beside each other, in larger letters. */
  | { kind: 'facts' | 'figures'; facts: readonly Fact[] }
  /** The label is that of the figures; in place of it may stand the orders that there are. */
  | { kind: 'entries'; entries: readonly Entry[]; label?: string; orders?: readonly Tab[]; empty: Inline }
  /** What decides: one figure, what it is made of, and what else is to be known. */
  | { kind: 'card'; figure?: Inline; note?: Inline; blocks: readonly Block[] }
  | ({ kind: 'table' } & Table)
  | { kind: 'text'; foreign: string }
  | { kind: 'actions'; actions: readonly Action[]; note?: Inline }
  | ({ kind: 'command' } & Command)
  | { kind: 'folded'; label: string; blocks: readonly Block[] }
  | { kind: 'tabs'; label: string; tabs: readonly Tab[] }
  | { kind: 'more'; page: string; label: string }
  | { kind: 'conversation'; parts: readonly Part[] }
  | { kind: 'timeline'; items: readonly TimelineItem[]; live?: Live }
  | { kind: 'chart'; chart: Chart; table: Table }
  | { kind: 'filters'; action: string; fields: readonly Field[] }
  | { kind: 'pager'; first?: string | null; previous?: string | null; next: string | null }
  | { kind: 'desk'; without: string }
)

/** A name and its value, and under a figure what it is made of. */
export type Fact = readonly [label: string, value: Inline, note?: Inline]

/** A bounty, project, agent or receipt in a list. */
export interface Entry {
  title: Inline
  /** What can be compared, beside the title. */
  figure: Inline
  /** What the figure is made of. */
  note?: Inline
  details: readonly Inline[]
}

/** A button, which unfolds what can be said to an agent. */
export interface Action {
  label: string
  isFirst?: true
  commands: readonly Command[]
}

/** Something to copy, and what it is. */
export interface Command {
  label: string
  command: string
}

/** A part of a list, and how many there are. */
export interface Tab {
  label: string
  count?: number
  page: string
  isCurrent: boolean
}

/** Rows of cells under the names of their columns. */
export interface Table {
  columns: readonly { label: string; numeric?: boolean }[]
  rows: readonly (readonly Inline[])[]
  /** What stands there if there is no row. */
  empty?: string
}

/** What somebody said about a bounty. */
export interface Part {
  id: string
  time: string
  /** Who said it. */
  content: Inline
  text: Foreign | string
}

/** An entry of the log. */
export interface TimelineItem {
  id: string
  time: string
  content: Inline
}

/** Where later entries of a timeline come from, and after which cursor. */
export interface Live {
  url: string
  after: string
}

/** What was added to a timeline after a cursor, as JSON for the script of the board. */
export interface LivePage {
  items: readonly TimelineItem[]
  /** Where the next page begins. */
  cursor: string
  /** Whether to ask for the next page at once. */
  has_more: boolean
  /** Whether events before `cursor` may be missing. */
  truncated: boolean
}

/** What a submission changes, as JSON for the desk; null if that is too large for the code host. */
export interface Changes {
  files: ChangedFile[] | null
}

/** Where an approval would pay now, and which dollars with the tokens, as JSON for the desk. */
export interface Payee {
  wallet_address: string | null
  dollars: { gross: string; net: string } | null
}

/** What the desk shows of a bounty, with who has to do what by when; of an agent or a project only what it is called. */
export type Row = Pick<Entry, 'title'> &
  Partial<Pick<Entry, 'figure' | 'note' | 'details'> & { due: Inline[] }>

/**
 * A field of a form that filters a list: a choice, a text to search, or a value that stays as it is. Those that few people use
 * are folded away.
 */
export type Field = { name: string; label: string; value: string; isRare?: true } & (
  | { kind: 'choice'; options: readonly (readonly [value: string, label: string])[] }
  | { kind: 'search' }
  | { kind: 'number' }
  | { kind: 'hidden' }
)

/** A chart of a line through points. Its table has the figures in words. */
export interface Chart {
  /** Names of both axes, units included. */
  x: Axis
  y: Axis
  /** In the order of x. `step` holds each value until the next point. */
  points: readonly Point[]
  step?: boolean
  /** The present point, marked and labelled. */
  mark?: Point & { label: string }
}

/** An axis: what it counts, and how a value is written; times are given in ms since 1970. */
export interface Axis {
  label: string
  kind?: 'number' | 'time'
}

export interface Point {
  x: number
  y: number
}

/** Controls, formats and fillers, without line breaks, tabs, soft hyphens, joiners and the marks of directions. */
const invisible = /(?![\n\r\t\u00ad\u200c-\u200f])[\p{Cc}\p{Cf}]|[\u115f\u1160\u3164\uffa0]/u
const allInvisible = new RegExp(invisible, 'gu')

/**
 * A foreign text as it is shown. Characters that people do not see, but that programs read or that reorder what stands around them,
 * become U+FFFD, and a long text ends with an ellipsis.
 */
export function shown({ foreign, most = Number.POSITIVE_INFINITY }: Foreign): string {
  const end = foreign.length > most ? lengthOf(foreign, most) : foreign.length
  const text = end < foreign.length ? `${foreign.slice(0, end).trimEnd()}…` : foreign
  return invisible.test(text) ? text.replace(allInvisible, '\ufffd') : text
}

/** Longer names are cut on screens. */
const longestWhole = 32

/** The attributes of a foreign text: a long name is shown in one line, and whole in its title. */
export function foreignAttributes(of: Foreign): Readonly<Record<string, string>> {
  if (!of.isName) return { class: 'foreign' }
  if (of.foreign.length <= longestWhole) return { class: 'foreign whole' }
  return { class: 'foreign name', title: shown(of) }
}

/** How many UTF-16 units the first `most` characters of a text have. */
function lengthOf(text: string, most: number): number {
  let end = 0
  for (let count = 0; count < most && end < text.length; count++)
    end += (text.codePointAt(end) as number) > 0xffff ? 2 : 1
  return end
}

/** Whether an address may be a link: one of this service, or http(s). Others would run scripts or carry content of their own. */
export function isLinkable(address: string): boolean {
  if (/^\/[^/\\]/.test(address)) return true
  return URL.canParse(address) && ['http:', 'https:'].includes(new URL(address).protocol)
}

/** Significant digits of a fraction that people read. */
const digitsShown = 6

/** Digits in groups of three; with `digits`, at most so many significant ones after the point. */
export function grouped(amount: string, digits = 18): string {
  const parts = /^(-?)(\d+)(?:\.(\d+))?$/.exec(amount)
  if (!parts) return amount
  const [, sign = '', whole = '', fraction = ''] = parts
  const leading = whole === '0' ? (/^0*/.exec(fraction)?.[0].length ?? 0) : 0
  const kept = fraction.slice(0, leading + digits).replace(/0+$/, '')
  return `${sign}${whole.replace(/\B(?=(\d{3})+$)/g, ',')}${kept && `.${kept}`}`
}

/** The least amount of ether that is written out. */
const leastShown = 1e-6

/** An amount in few digits; `< 0.000001` for ether that is next to nothing. */
export function brief({ amount, unit, about }: Amount): string {
  const isTiny = unit === 'ETH' && Number(amount) > 0 && Number(amount) < leastShown
  if (isTiny) return '< 0.000001'
  if (about === undefined) return grouped(amount, digitsShown)
  const [whole = ''] = amount.split('.')
  const digits = whole === '0' ? 0 : whole.length
  const kept = whole.slice(0, about).padEnd(digits, '0')
  return `≈ ${digits < about ? grouped(amount, about - digits) : grouped(kept)}`
}

/** The ends of an id, address or hash. */
export function ends(code: string): string {
  return code.length > 16 ? `${code.slice(0, 8)}…${code.slice(-4)}` : code
}

/**
 * Symbols that people take for ether or money. A project may give them to its token. What begins or ends as wrapped, staked
 * and bridged coins do counts as well; where that would meet usual words, only the prefixes that are in use do.
 */
const moneys = new RegExp(
  `^(?:${[
    '[a-z0-9]{0,4}usd[a-z0-9]{0,3}',
    '[a-z0-9]{0,4}btc[a-z0-9]{0,2}',
    '(?:[wmrsa]|st|we|wst|rs|cb|ez|os|sw|frx|sfrx|ank|lid)?eth(?:er|ereum|[a-z0-9])?',
    '[kmgtpn]?wei|szabo|finney|sats?|satoshi|bitcoin|tether|dollars?|euros?',
    '(?:[sx]?dai|frax|mim|gho)[0-9]?',
    '[aes]?(?:eur|gbp|chf|jpy|cny|cnh|krw)[a-z0-9]?',
    'w?(?:sol|bnb|pol|matic|avax|xrp|arb|op)',
  ].join('|')})$`,
  'i',
)

/** An amount of a project's tokens, which does not look like ether or money, whatever their symbol is. */
export function tokens(amount: string | number, symbol: string): Amount {
  return { amount: String(amount), unit: tokensNamed(symbol) }
}

export const dollars = (amount: string): Amount => ({ amount, unit: amount === '1' ? 'dollar' : 'dollars' })

/** Tokens, and before them the dollars that are paid with them, if there are any. */
export function withDollars(amount: string | null | undefined, tokens: Amount): Inline {
  return amount == null ? tokens : [dollars(amount), ' and ', tokens]
}

/** What a project's tokens are called, where no amount stands before them. */
export function tokensNamed(symbol: string): string {
  return moneys.test(symbol) ? `tokens named “${symbol}”` : symbol
}

/** A moment as people read it: `2026-11-23 13:46 UTC`. */
export function readable(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`
}
