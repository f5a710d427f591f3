import { z } from 'zod'
import type { Operation } from '../../http/adapter/operations.ts'
import type { Schema, Tool } from './tool.ts'
import { tools } from './tools.ts'

/** A tool as `tools/list` returns it. */
export interface ToolDefinition {
  name: string
  description: string
  inputSchema: Schema & { type: 'object'; properties: Record<string, Schema> }
  /** Those that differ from what MCP assumes without them. */
  annotations: Partial<Record<'readOnlyHint' | 'destructiveHint' | 'idempotentHint', boolean>>
}

/** A tool with its operation. */
export interface BoundTool extends Tool {
  definition: ToolDefinition
  target: Operation
  /** The fields of the operation that the tool offers, by the names of its arguments. */
  fieldOf: ReadonlyMap<string, string>
  /** The arguments that a call has to have. */
  required: readonly string[]
  /** The argument with which it goes on with earlier work; it needs no other. */
  resumingArgument: string | undefined
}

const pageSize = 20
const cursors = ['after', 'offset']

/** The tools of `table` whose operations are among `operations`. */
export function bindTools(operations: readonly Operation[], table = tools): BoundTool[] {
  const find = (wanted: string | undefined) => operations.find(({ id }) => id === wanted)
  return table.flatMap((tool) => {
    const target = find(tool.operation)
    return target ? [bind(tool, target, find(tool.resumedBy))] : []
  })
}

function bind(tool: Tool, target: Operation, resumption: Operation | undefined): BoundTool {
  const { name, description, isKeyed = false, hints = [], requires = [], omits = [], actions } = tool
  const { properties = {}, required = [] } = inputOf(target)
  const fixed = { ...('limit' in properties && { limit: pageSize }), ...tool.fixed }
  const resuming = resumption ? argumentsOf(resumption, inputOf(resumption).properties) : []
  const taken = Object.entries(tool.takes ?? {})
  const action = { type: 'string', enum: Object.keys(actions ?? {}) }
  const offered = [
    ...argumentsOf(target, properties).filter(({ field }) => !(field in fixed || omits.includes(field))),
    ...(actions ? [{ argument: 'action', field: 'action', schema: action }] : []),
    ...taken.map(([argument, schema]) => ({ argument, field: argument, schema })),
  ]
  const all = [...resuming, ...offered]
  const fieldOf = new Map(all.map(({ argument, field }) => [argument, field]))
  const described = all.map(({ argument, field, schema }) => [
    argument,
    withoutTheObvious(argument, { ...schema, ...tool.narrowed?.[field] }),
  ])
  const isRequired = (field: string) =>
    required.includes(field) || requires.includes(field) || field === 'action'
  const needed = [
    ...offered.filter(({ field }) => isRequired(field)).map(({ argument }) => argument),
    ...(isKeyed ? ['idempotency_key'] : []),
  ]
  const listed = resumption ? [] : needed
  const isRead = target.method === 'GET'
  return {
    ...tool,
    fixed,
    fieldOf,
    target,
    required: needed,
    resumingArgument: resuming[0]?.argument,
    definition: {
      name,
      description,
      inputSchema: {
        type: 'object',
        properties: {
          ...Object.fromEntries(described),
          ...(tool.longText && { text_from: textFrom }),
          ...(isKeyed && { idempotency_key: idempotencyKey }),
        },
        ...(listed.length > 0 && { required: listed }),
      },
      annotations: {
        ...(isRead && { readOnlyHint: true }),
        ...(!isRead && !hints.includes('destructiveHint') && { destructiveHint: false }),
        ...(!isRead && hints.includes('idempotentHint') && { idempotentHint: true }),
      },
    },
  }
}

const cursor = { type: 'string', description: '`next` of the previous result.' }
const textFrom = { type: 'integer', description: 'Where to read on in a cut text.' }
const idempotencyKey = {
  type: 'string',
  description:
    'A random UUID. If the outcome is unknown, repeat it with the same arguments: it happens once.',
}

/** Arguments whose values a model copies, or whose form it knows. */
const copied = /(_id|_sha|_url|_dollars|^amount|^cursor|^types|^q)$/

/** A schema is read by a model with every list of tools: what nobody gets wrong is not in it, and is checked all the same. */
function withoutTheObvious(argument: string, schema: Schema): Schema {
  const isObvious = ([keyword, value]: [string, unknown]) =>
    ['minLength', 'uniqueItems'].includes(keyword) ||
    value === Number.MAX_SAFE_INTEGER ||
    (['pattern', 'maxLength'].includes(keyword) && copied.test(argument)) ||
    (keyword === 'description' && ['', `Id of the ${argument.replace('_id', '')}.`].includes(String(value)))
  return Object.fromEntries(Object.entries(schema).filter((entry) => !isObvious(entry)))
}

/** The arguments for the fields of an operation: `id` in `/api/bounties/{id}` is `bounty_id`, the place in a list `cursor`. */
function argumentsOf({ path, pathParameters }: Operation, properties: Record<string, Schema> = {}) {
  const [, resource = ''] = path.match(/\/(\w+)\/\{/) ?? []
  const noun = resource === 'bounties' ? 'bounty' : resource.replace(/s$/, '')
  return Object.entries(properties).map(([field, schema]) => {
    // The cursor of events has a form and a description of its own.
    if (cursors.includes(field))
      return { argument: 'cursor', field, schema: schema.pattern ? schema : cursor }
    // In a query a truth value is a word.
    if (String(schema.enum) === 'true,false')
      return {
        argument: field,
        field,
        schema: { type: 'boolean', description: schema.description, default: schema.default === 'true' },
      }
    const [either] = (schema.anyOf as Schema[] | undefined) ?? []
    const argument = pathParameters.includes(field) ? `${noun}_${field}` : field
    // `null` counts as absent.
    return { argument, field, schema: either ?? schema }
  })
}

/** The schema of an operation's input without references: many clients cannot follow them. */
function inputOf({ input }: Operation): Schema {
  if (!input) return {}
  const { $defs = {}, ...schema } = z.toJSONSchema(input, { io: 'input' }) as Schema & {
    $defs?: Record<string, Schema>
  }
  const inline = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inline)
    if (typeof value !== 'object' || value === null) return value
    const { $ref, ...own } = value as Schema
    const members = Object.entries({ ...$defs[String($ref).replace('#/$defs/', '')], ...own })
    // Both are objects where they are properties. Else they are names for the document, and examples that a model might send.
    const kept = members.filter(
      ([key, member]) => !(['id', 'example'].includes(key) && typeof member !== 'object'),
    )
    return Object.fromEntries(kept.map(([key, member]) => [key, inline(member)]))
  }
  return inline(schema) as Schema
}
