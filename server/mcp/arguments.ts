import type { FieldIssue } from '../errors.ts'
import { issueAt, validationError } from '../http/errors/service-error.ts'
import type { BoundTool } from './definitions.ts'
import type { Json } from './json.ts'

/**
 * Reads the arguments of a call into the input of its operation. Checked is only what the tool adds; the operation checks
 * the rest. `null` counts as absent.
 * @throws ServiceError `validation_failed`
 */
export function readArguments(tool: BoundTool, args: Json): Json {
  const { definition, fieldOf, fixed, narrowed = {} } = tool
  const { properties = {}, required = [] } = definition.inputSchema
  const given = Object.entries(args).filter(([, value]) => value !== null && value !== undefined)
  const missing = required.filter((name) => !given.some(([other]) => other === name))
  const issues: FieldIssue[] = missing.map((name) => issueAt(name, 'is required'))
  const defaults = Object.entries(narrowed).map(([field, rule]) => [field, rule.default])
  const input: Json = { ...fixed, ...Object.fromEntries(defaults) }
  for (const [name, value] of given) {
    const field = fieldOf[name]
    const problem = Object.hasOwn(properties, name)
      ? problemOf(tool, name, value)
      : `is not an argument of ${tool.name}, which takes ${Object.keys(properties).join(', ') || 'none'}`
    if (problem) issues.push(issueAt(name, problem))
    const maximum = Number(narrowed[field ?? '']?.maximum ?? Number.POSITIVE_INFINITY)
    if (field) input[field] = typeof value === 'number' ? Math.min(value, maximum) : value
  }
  if (issues.length > 0) throw validationError(issues)
  return input
}

function problemOf({ target, fieldOf }: BoundTool, name: string, value: unknown): string | undefined {
  if (name === 'text_from')
    return Number.isSafeInteger(value) && Number(value) >= 0 ? undefined : 'must be a whole number from 0'
  // A path made of dots would lead to another operation.
  if (target.pathParameters.includes(fieldOf[name] ?? '') || name === 'idempotency_key')
    return typeof value === 'string' && /[^.]/.test(value) ? undefined : 'must be a string that is not blank'
  if (target.method === 'GET' && typeof value === 'object') return 'must be a string or a number'
  return undefined
}
