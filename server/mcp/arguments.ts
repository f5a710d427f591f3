import { issueAt, validationError } from '../http/errors/service-error.ts'
import type { BoundTool } from './definitions.ts'
import type { Json } from './json.ts'

/**
 * Reads the arguments of a call into the input of its operation. Checked is only what the tool adds, and what would make
 * another URL; the operation checks the rest. `null` counts as absent.
 * @throws ServiceError `validation_failed`
 */
export function readArguments(tool: BoundTool, args: Json): Json {
  const { fieldOf, fixed, narrowed = {} } = tool
  const given = new Map(Object.entries(args).filter(([, value]) => value !== null && value !== undefined))
  const resumes = tool.resumingArgument !== undefined && given.has(tool.resumingArgument)
  const missing = resumes ? [] : tool.required.filter((name) => !given.has(name))
  const issues = missing.map((name) => issueAt(name, 'is required'))
  const defaults = Object.entries(narrowed).filter(([, rule]) => 'default' in rule)
  const input: Json = {
    ...fixed,
    ...Object.fromEntries(defaults.map(([field, rule]) => [field, rule.default])),
  }
  for (const [name, value] of given) {
    const problem = problemOf(tool, name, value)
    if (problem) issues.push(issueAt(name, problem))
    const field = fieldOf.get(name)
    if (field !== undefined) input[field] = value
  }
  if (issues.length > 0) throw validationError(issues)
  return input
}

function problemOf(tool: BoundTool, name: string, value: unknown): string | undefined {
  const { target, fieldOf, definition } = tool
  const names = Object.keys(definition.inputSchema.properties)
  if (!names.includes(name))
    return `is not an argument of ${tool.name}, which takes ${names.join(', ') || 'none'}`
  if (name === 'text_from')
    return Number.isSafeInteger(value) && Number(value) >= 0 ? undefined : 'must be a whole number from 0'
  const maximum = tool.narrowed?.[name]?.maximum
  if (maximum !== undefined && Number(value) > Number(maximum)) return `must be at most ${maximum}`
  if (name === 'idempotency_key') return typeof value === 'string' ? undefined : 'must be a string'
  // A path made of dots would lead to another operation.
  const isInPath = name === tool.resumingArgument || target.pathParameters.includes(fieldOf.get(name) ?? '')
  if (isInPath && !(typeof value === 'string' && /[^.\s]/.test(value)))
    return 'must be a string that is not blank'
  if (!isInPath && target.method !== 'GET') return undefined
  if (typeof value === 'object') return 'must be a string or a number'
  return /\p{Surrogate}/u.test(String(value)) ? 'must be valid Unicode' : undefined
}
