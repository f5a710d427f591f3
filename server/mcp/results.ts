import { fenced } from './fences.ts'
import type { Json } from './json.ts'
import type { BoundTool } from './tools/definitions.ts'

const mostBytes = 8000
const mostItems = 20

/** The result of a call as MCP returns it. */
export interface ToolResult {
  [key: string]: unknown
  content: [{ type: 'text'; text: string }]
  isError?: true
}

const isShort = (result: Json) => Buffer.byteLength(JSON.stringify(result)) <= mostBytes

/**
 * A result: an object as JSON in the one text that every client shows its model. It is not sent as `structuredContent` also:
 * of a result with both, some clients show the model only that, and most only the text, so each has to have everything.
 */
export function toResult(result: Json): ToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(result) }] }
}

/**
 * The response of an operation as the tool shows it: at most 20 items and 8 kB, texts by others fenced. The first of
 * {@link cuts} after which it fits is made.
 */
export function present(tool: BoundTool, body: Json, args: Json, readerId?: string): Json {
  const { list, name, longText, ownTexts: areOwn } = tool
  const long = longText && { field: longText, from: Number(args.text_from ?? 0), tool: name }
  const holder = (list?.in === undefined ? body : body[list.in]) as Json
  const items = list ? ((holder[list.of] ?? []) as Json[]) : []
  for (const { most, whole, chars } of cuts(items.length, list?.cutFirst !== undefined)) {
    const shown = atBoundary(items, most)
    const page = list && {
      ...holder,
      [list.of]: items.slice(0, shown).map((item, index) => pick(item, list, index < whole)),
      ...pageEnd(tool, { holder, items, shown, args }),
    }
    const seen = list?.in === undefined ? { ...body, ...page } : { ...body, [list.in]: page }
    const next_step = nextStep(tool, seen, items.length === 0)
    const said = withoutEmpty(seen, list?.of) as Json
    const result = { ...fenced(said, { chars, long, readerId, areOwn }), ...(next_step && { next_step }) }
    if (isShort(result)) return result
  }
  return {
    next_step: `The result of ${name} is too long to be shown. Read it with ${tool.target.method} ${tool.target.path}.`,
  }
}

/** Of these `null` says that nobody knows yet, or that there is no more, which is no less than a value. */
const maybeNull = ['payable', 'mergeable', 'value_eth', 'submitted_head_sha', 'total', 'diff_next']

/** Of these `false` is what is expected, and the next step says what to do if they are true. */
const rarelyTrue = ['has_more', 'more_comments', 'truncated', 'overdue']

/** A model reads every result again with each of its turns: what is `null` or empty is not in it, but for the list `kept`. */
function withoutEmpty(value: unknown, kept?: string): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutEmpty(item))
  if (typeof value !== 'object' || value === null) return value
  const isEmpty = (name: string, member: unknown) =>
    member === null ||
    (member === false && rarelyTrue.includes(name)) ||
    (typeof member === 'object' && Object.keys(member).length === 0)
  const members = Object.entries(value).map(([name, member]) => [name, withoutEmpty(member, kept)] as const)
  return Object.fromEntries(
    members.filter(([name, member]) => name === kept || maybeNull.includes(name) || !isEmpty(name, member)),
  )
}

/** The tool that reads what a call of another one was about, and the arguments for it. */
export function readerOf({ operation }: BoundTool, body: Json, args: Json): { name: string; args: Json } {
  if (operation.startsWith('submissions.'))
    return { name: 'get_submission', args: { submission_id: args.submission_id } }
  const { bounty } = body as { bounty?: { id?: string } }
  return { name: 'get_bounty', args: { bounty_id: bounty?.id ?? args.bounty_id } }
}

/** A result that an earlier call with the same key has stored, beside the present state as its reader shows it. */
export function replayed(stored: Json, now: Json): Json {
  const next_step = `Nothing was done again: this is the result of an earlier call with this idempotency key, and \`now\` is how things stand. ${now.next_step ?? ''}`
  const result = { ...stored, replayed: true, now, next_step }
  return isShort(result) ? result : { ...now, replayed: true }
}

/** What may be cut, the least first: the field `cutFirst` of the last items, the last items, then the ends of all texts. */
function* cuts(count: number, hasSpare: boolean) {
  const all = Math.min(count, mostItems)
  const chars = mostBytes
  if (hasSpare) for (let whole = all; whole > 0; whole--) yield { most: all, whole, chars }
  for (let most = all; most > 1; most--) yield { most, whole: 0, chars }
  for (let fewer = chars; fewer >= 1; fewer = Math.floor(fewer * 0.8))
    yield { most: Math.min(all, 1), whole: 0, chars: fewer }
}

function nextStep({ name, list, nextStep }: BoundTool, body: Json, isEmpty: boolean): string | undefined {
  if (isEmpty && list?.whenEmpty) return list.whenEmpty
  const usual = typeof nextStep === 'function' ? nextStep(body) : nextStep
  const more = typeof body.next === 'string' && `There is more: call ${name} with cursor ${body.next}.`
  return [more, usual].filter(Boolean).join(' ') || undefined
}

interface Cut {
  /** The object that has the list. */
  holder: Json
  items: Json[]
  shown: number
  args: Json
}

/** Where the next page begins, if the list was cut here or by its operation; or how many items were left out. */
function pageEnd({ fieldOf, fixed }: BoundTool, { holder, items, shown, args }: Cut): Json {
  const isCut = shown < items.length
  const cursor = fieldOf.get('cursor')
  if (cursor === 'offset')
    return { next: isCut || items.length === fixed?.limit ? String(Number(args.cursor ?? 0) + shown) : null }
  if (!isCut) return {}
  if (cursor === undefined) return { left_out: items.length - shown, has_more: true }
  const place = pageIdOf(items[shown - 1])
  return 'cursor' in holder ? { cursor: place, has_more: true } : { next: place }
}

/** The id by which lists are paged: balances have an entry for each wallet of a project. */
function pageIdOf(item: Json | undefined): unknown {
  return item?.id ?? item?.project_id
}

/** At most `most` items, without dividing those that a cursor cannot tell apart. */
function atBoundary(items: Json[], most: number): number {
  let end = most
  while (end > 1 && end < items.length && pageIdOf(items[end]) === pageIdOf(items[end - 1])) end--
  return end
}

function pick(
  item: Json,
  { shows, cutFirst }: { shows?: readonly string[]; cutFirst?: string },
  isWhole: boolean,
): Json {
  const names = shows ?? Object.keys(item).filter((name) => isWhole || name !== cutFirst)
  return Object.fromEntries(names.filter((name) => name in item).map((name) => [name, item[name]]))
}
