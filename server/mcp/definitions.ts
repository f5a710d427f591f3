import { z } from 'zod'
import type { Operation } from '../http/adapter/operations.ts'
import { type Annotations, type Tool, tools } from './tools.ts'

/** A JSON Schema. */
export interface Schema {
  [keyword: string]: unknown
  properties?: Record<string, Schema>
  required?: string[]
}

/** A tool as `tools/list` returns it. */
export interface ToolDefinition {
  name: string
  title: string
  description: string
  inputSchema: Schema & { type: 'object' }
  annotations: Annotations
}

/** A tool with its operation. */
export interface BoundTool extends Tool {
  definition: ToolDefinition
  target: Operation
  /** The fields of the operation that the tool offers, by the names of its arguments. */
  fieldOf: Record<string, string>
}

const pageSize = 20
const cursors = ['after', 'before', 'offset']

/** The tools whose operations are among `operations`. */
export function bindTools(operations: readonly Operation[]): BoundTool[] {
  return tools.flatMap((tool) => {
    const target = operations.find(({ id }) => id === tool.operation)
    return target ? [bind(tool, target)] : []
  })
}

function bind(tool: Tool, target: Operation): BoundTool {
  const { properties = {}, required = [] } = inputOf(target)
  const fixed = { ...('limit' in properties && { limit: pageSize }), ...tool.fixed }
  const offered = Object.keys(properties).filter((field) => !(field in fixed))
  const fieldOf = Object.fromEntries(offered.map((field) => [argumentOf(field, target), field]))
  const described = Object.entries(fieldOf).map(([name, field]) => [
    name,
    {
      ...(name === 'cursor' && tool.name !== 'wait_for_events' ? cursor : properties[field]),
      ...tool.narrowed?.[field],
    },
  ])
  const inputSchema = {
    type: 'object' as const,
    properties: {
      ...Object.fromEntries(described),
      ...(tool.longText && { text_from: textFrom }),
      ...(tool.isKeyed && { idempotency_key: idempotencyKey }),
    },
    required: [
      ...Object.keys(fieldOf).filter((name) => required.includes(fieldOf[name] ?? '')),
      ...(tool.isKeyed ? ['idempotency_key'] : []),
    ],
    additionalProperties: false,
  }
  const { name, title, description, annotations } = tool
  return {
    ...tool,
    fixed,
    fieldOf,
    target,
    definition: { name, title, description, inputSchema, annotations },
  }
}

const cursor = {
  type: 'string',
  description: 'Where to go on: `next` of the previous result. Without it the list begins.',
}
const textFrom = {
  type: 'integer',
  minimum: 0,
  default: 0,
  description:
    'The character from which a long text is shown. A text that was cut says which number reads on.',
}
const idempotencyKey = {
  type: 'string',
  minLength: 1,
  maxLength: 255,
  description:
    'Decides that it happens once: a random UUID that you keep. Call again with the same key and arguments if you do not know the outcome.',
}

/** The argument for a field: `id` in `/api/bounties/{id}` is `bounty_id`, the place in a list `cursor`. */
function argumentOf(field: string, { path, pathParameters }: Operation): string {
  if (cursors.includes(field)) return 'cursor'
  if (!pathParameters.includes(field)) return field
  const [, resource = ''] = path.match(/\/(\w+)\/\{/) ?? []
  return `${{ bounties: 'bounty' }[resource] ?? resource.replace(/s$/, '')}_${field}`
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
    // Both are strings where they are no properties: names for the document, and examples that a model might send.
    const kept = members.filter(
      ([key, member]) => !(['id', 'example'].includes(key) && typeof member === 'string'),
    )
    return Object.fromEntries(kept.map(([key, member]) => [key, inline(member)]))
  }
  return inline(schema) as Schema
}
