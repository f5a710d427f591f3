import type { BoundTool } from './definitions.ts'
import { createFences } from './fences.ts'
import type { Json } from './json.ts'
import { isObject } from './json.ts'

const mostBytes = 8000
const mostItems = 20

/** The result of a call as MCP returns it. */
export interface ToolResult {
  [key: string]: unknown
  structuredContent: Json
  content: [{ type: 'text'; text: string }]
  isError?: true
}

/** A result: the object, and the same as text. */
export function toResult(structuredContent: Json): ToolResult {
  return { structuredContent, content: [{ type: 'text', text: JSON.stringify(structuredContent) }] }
}

/**
 * The response of an operation as the tool shows it: at most 20 items and 8 kB, texts by others fenced. What does not fit
 * is cut: first the list, whose cursor then leads to the rest, then the longest texts.
 */
export function present(tool: BoundTool, body: Json, args: Json): Json {
  const { list, name, longText } = tool
  const long = longText && { field: longText, from: Number(args.text_from ?? 0), tool: name }
  const holder = list && holderOf(body, list.of)
  const items = (holder?.[list?.of ?? ''] ?? []) as Json[]
  let shown = atBoundary(items, Math.min(items.length, mostItems))
  for (let chars = mostBytes; chars >= 1; ) {
    const fences = createFences()
    const end = holder === body ? pageEnd(tool, body, { items, shown, args }) : leftOut(items, shown)
    const page = list && { [list.of]: items.slice(0, shown).map((item) => pick(item, list.shows)), ...end }
    const seen = holder === body ? { ...body, ...page } : replace(body, holder, page)
    const next_step = nextStep(tool, seen)
    const result = {
      ...(fences.apply(seen, { chars, long }) as Json),
      ...fences.note(),
      ...(next_step && { next_step }),
    }
    if (Buffer.byteLength(JSON.stringify(result)) <= mostBytes) return result
    if (shown > 1) shown = atBoundary(items, shown - 1)
    else chars = Math.floor(chars * 0.8)
  }
  return {
    next_step: `The result of ${name} is too long to be shown. Read it with ${tool.target.method} ${tool.target.path}.`,
  }
}

function nextStep({ name, nextStep }: BoundTool, body: Json): string | undefined {
  const usual = typeof nextStep === 'function' ? nextStep(body) : nextStep
  const more = typeof body.next === 'string' && `There is more: call ${name} with cursor ${body.next}.`
  return [more, usual].filter(Boolean).join(' ') || undefined
}

/** The object that holds the list: the response, or the resource in it. */
function holderOf(body: Json, field: string): Json | undefined {
  return [body, ...Object.values(body)].filter(isObject).find((candidate) => field in candidate)
}

function replace(body: Json, holder: Json | undefined, change: object | undefined): Json {
  if (!holder) return body
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, value === holder ? { ...holder, ...change } : value]),
  )
}

function leftOut(items: Json[], shown: number): Json {
  return shown < items.length ? { left_out: items.length - shown } : {}
}

/** Where the next page begins, if the list was cut here or by its operation. */
function pageEnd({ fieldOf, fixed }: BoundTool, body: Json, { items, shown, args }: Cut): Json {
  const isCut = shown < items.length
  if (fieldOf.cursor === 'offset')
    return { next: isCut || items.length === fixed?.limit ? String(Number(args.cursor ?? 0) + shown) : null }
  const last = items[shown - 1]
  if (!isCut || !last) return {}
  const place = 'cursor' in body ? 'cursor' : 'next'
  return { ...(fieldOf.cursor && { [place]: pageIdOf(last) }), has_more: true }
}

interface Cut {
  items: Json[]
  shown: number
  args: Json
}

/** The id by which lists are paged: balances have an entry for each wallet of a project. */
function pageIdOf(item: Json): unknown {
  return item.id ?? item.project_id
}

/** At most `shown`, without dividing what has one place in the list. */
function atBoundary(items: Json[], shown: number): number {
  let end = shown
  while (end > 1 && end < items.length && pageIdOf(items[end] ?? {}) === pageIdOf(items[end - 1] ?? {})) end--
  return end
}

function pick(item: Json, names: readonly string[] | undefined): Json {
  return names ? Object.fromEntries(names.map((name) => [name, item[name]])) : item
}
