import { ServiceError } from '../errors.ts'
import { issueAt, issuesOf, validationError } from '../http/errors/service-error.ts'
import { idPrefixes } from '../ids.ts'
import { withoutMarks } from './fences.ts'
import type { Json } from './json.ts'
import type { BoundTool } from './tools/definitions.ts'

/** Whether a call goes on with what an earlier one has made. */
const isResumed = ({ resumingArgument }: BoundTool, args: Json) =>
  resumingArgument !== undefined && (args[resumingArgument] ?? null) !== null

/**
 * Reads the arguments of a call into the input of its operation. Checked is only what the tool adds, and what would make
 * another URL; the operation checks the rest. Where something is wrong here, it is asked what else is. `null` counts as absent,
 * and the marks around a whole text as copied with it.
 * @throws ServiceError `validation_failed`
 */
export function readArguments(tool: BoundTool, args: Json): Json {
  const { fieldOf, fixed, narrowed = {}, target } = tool
  const given = new Map(
    Object.entries(args)
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([name, value]) => [name, withoutMarks(value)]),
  )
  const resumes = isResumed(tool, args)
  const missing = resumes ? [] : tool.required.filter((name) => !given.has(name))
  const issues = missing.map((name) => issueAt(name, 'is required'))
  const extra = resumes ? [...given.keys()].filter((name) => !goesWithResuming(tool, name)) : []
  issues.push(
    ...extra.map((name) =>
      issueAt(name, `is for something new: leave out either it or ${tool.resumingArgument}`),
    ),
  )
  const defaults = Object.entries(narrowed).filter(([, rule]) => 'default' in rule)
  const input: Json = {
    ...fixed,
    ...Object.fromEntries(defaults.map(([field, rule]) => [field, rule.default])),
  }
  for (const [name, value] of given) {
    const problem = problemOf(tool, name, value) ?? problemOfAction(tool, name, given.get('action'))
    if (problem) issues.push(issueAt(name, problem))
    const field = fieldOf.get(name)
    if (field !== undefined) input[field] = value
  }
  if (issues.length === 0) return input
  const named = new Set(issues.map(({ path }) => path))
  // The fields of a query become strings on their way, so their types say nothing here.
  const isChecked = !resumes && target.method !== 'GET'
  const { action: _, ...own } = input
  const found = isChecked ? issuesOf(target.input?.safeParse(own).error) : []
  const others = found.map((issue) => ({ ...issue, path: argumentOf(tool, issue.path) }))
  const isOwn = ({ path }: { path: string }) => named.has(path) || path in (tool.takes ?? {})
  throw validationError([...issues, ...others.filter((issue) => !isOwn(issue))])
}

const goesWithResuming = (tool: BoundTool, name: string) =>
  [tool.resumingArgument, 'idempotency_key'].includes(name) || !tool.fieldOf.has(name)

/** The error of an operation, whose issues name arguments of the tool. */
export function toArguments(
  tool: BoundTool,
  { code, message, issues, retryAfter }: ServiceError,
): ServiceError {
  if (!issues) return new ServiceError(code, message, retryAfter === undefined ? {} : { retryAfter })
  return validationError(issues.map((issue) => ({ ...issue, path: argumentOf(tool, issue.path) })))
}

/** The argument for a field of the operation. */
function argumentOf(tool: BoundTool, path: string): string {
  return [...tool.fieldOf].find(([, field]) => field === path)?.[0] ?? path
}

function problemOf(tool: BoundTool, name: string, value: unknown): string | undefined {
  const { target, fieldOf, definition } = tool
  const names = Object.keys(definition.inputSchema.properties)
  if (!names.includes(name))
    return `is not an argument of ${tool.name}, which takes ${names.join(', ') || 'none'}`
  if (name === 'action') {
    const actions = Object.keys(tool.actions ?? {})
    return actions.includes(String(value)) ? undefined : `must be one of ${actions.join(', ')}`
  }
  if (name === 'text_from' || name === 'diff_from')
    return /^\d{1,15}$/.test(String(value)) ? undefined : 'must be a whole number from 0'
  if (name === 'idempotency_key') return typeof value === 'string' ? undefined : 'must be a string'
  const wrongForm = problemOfForm(tool, name, value)
  if (wrongForm) return wrongForm
  // A path made of dots would lead to another operation.
  const isInPath = name === tool.resumingArgument || target.pathParameters.includes(fieldOf.get(name) ?? '')
  if (isInPath && !(typeof value === 'string' && /[^.\s]/.test(value)))
    return 'must be a string that is not blank'
  if (!isInPath && target.method !== 'GET') return undefined
  if (typeof value === 'object') return 'must be a string or a number'
  return /\p{Surrogate}/u.test(String(value)) ? 'must be valid Unicode' : undefined
}

/** What models often send in place of the type: a number or a truth value in quotes, a list, the id of something else. */
function problemOfForm({ target, definition }: BoundTool, name: string, value: unknown): string | undefined {
  const { type } = definition.inputSchema.properties[name] ?? {}
  if (Array.isArray(value))
    return type === 'string' || type === 'integer' ? 'must be one value, not a list' : undefined
  if (typeof value !== 'string') return undefined
  // A query is text anyway.
  const hasTypes = target.method !== 'GET'
  if (type === 'integer' && hasTypes && /^\d+$/.test(value)) return 'must be a whole number, without quotes'
  if (type === 'boolean' && hasTypes && /^(true|false)$/.test(value))
    return 'must be true or false, without quotes'
  const kinds = Object.entries(idPrefixes)
  const [, prefix] = kinds.find(([kind]) => `${kind}_id` === name) ?? []
  const [, given] = kinds.find(([, other]) => value.startsWith(other)) ?? []
  if (prefix === undefined || given === undefined || given === prefix) return undefined
  return `must be an id that begins with ${prefix}, not with ${given}`
}

/** An argument that only another action takes. */
function problemOfAction(tool: BoundTool, name: string, action: unknown): string | undefined {
  const only = tool.onlyWith?.[name]
  return only === undefined || action === only || action === undefined
    ? undefined
    : `goes only with the action ${only}`
}
