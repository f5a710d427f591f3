import { nameOf } from '../references.ts'
import type { Document, DocumentedOperation, Json, JsonObject, Schema } from '../types.ts'
import { particulars, wording } from './example-values.ts'

/**
 * Adds one example to every request and success body, built from its schema and from values for the operation, and beside every
 * parameter of a path, where tools that send requests look for it.
 */
export function addExamples(document: Document, operations: DocumentedOperation[]): void {
  const { schemas, parameters: shared = {} } = document.components
  const parameters = operations.flatMap(({ operation }) => operation.parameters ?? [])
  for (const parameter of [...parameters, ...Object.values(shared)])
    if (parameter.in === 'path' && parameter.schema) parameter.example = sample(parameter.schema, schemas)
  for (const { id, meta, operation } of operations) {
    const { request, response } = particulars[id] ?? {}
    const bodies = [
      [operation.requestBody, request],
      [operation.responses[meta.status], response],
    ] as const
    for (const [body, special] of bodies) {
      const media = body?.content?.['application/json']
      if (media?.schema) media.example = adjusted(sample(media.schema, schemas), special)
    }
  }
}

/** `example` with the members of `special` instead of its own; `undefined` removes a member. */
function adjusted(example: Json, special: unknown): Json {
  if (special === undefined) return example
  if (typeof special !== 'object' || special === null || typeof example !== 'object' || example === null)
    return special as Json
  if (Array.isArray(example))
    return (special as Json[]).map((item, index) => adjusted(example[index] ?? item, item))
  const merged = { ...example }
  for (const [name, value] of Object.entries(special)) {
    if (value === undefined) delete merged[name]
    else merged[name] = adjusted(merged[name] ?? value, value)
  }
  return merged
}

/** A value that satisfies `schema`. */
export function sample(schema: Schema, schemas: Record<string, Schema>, field = ''): Json {
  if (schema.$ref) {
    const name = nameOf(schema.$ref)
    const target = schemas[name]
    if (!target) throw new Error(`no component ${name}`)
    return sample(target, schemas, field)
  }
  const stated =
    schema.examples?.[0] ??
    schema.const ??
    schema.default ??
    schema.enum?.[0] ??
    schema['x-extensible-enum']?.[0]
  if (stated !== undefined) return stated
  const choice = schema.anyOf ?? schema.oneOf
  if (choice?.[0]) return sample(choice[0], schemas, field)
  if (schema.allOf)
    return Object.assign({}, ...schema.allOf.map((part) => sample(part, schemas, field))) as JsonObject
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  if (type === 'object')
    return Object.fromEntries(
      Object.entries(schema.properties ?? {}).map(([name, part]) => [name, sample(part, schemas, name)]),
    )
  if (type === 'array') return schema.items ? [sample(schema.items, schemas, field)] : []
  const worded = wording[field]
  return fits(worded, type) ? worded : plain(schema, type, field)
}

function fits(value: Json | undefined, type: string | undefined): value is Json {
  return typeof value === (type === 'integer' ? 'number' : type)
}

function plain(schema: Schema, type: string | undefined, field: string): Json {
  if (type === 'boolean') return true
  if (type === 'integer' || type === 'number') return Math.max(schema.minimum ?? 1, 1)
  if (type === 'null') return null
  if (schema.format === 'uri') return 'https://example.org'
  if (schema.pattern?.includes('64')) return `0x${'5c'.repeat(32)}`
  return field || 'text'
}
