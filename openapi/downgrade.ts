import { usedBy } from './excerpt.ts'
import { nameOf } from './references.ts'
import type { Document, JsonObject, Schema } from './types.ts'

/** The document as OpenAPI 3.0.3, for clients that cannot read 3.1. It lacks what the service sends, which 3.0 has no place for. */
export function downgrade({ webhooks: _, components, ...document }: Document): Document {
  const { schemas } = components
  const { info, ...rest } = older(document, schemas) as Omit<Document, 'components'>
  // An SPDX identifier is new in 3.1; its predecessor is an address.
  const license = { name: 'MIT', url: 'https://opensource.org/license/mit' }
  const parts = usedBy(rest, older(components, schemas) as Document['components'])
  return { ...rest, info: { ...(info as JsonObject), license }, openapi: '3.0.3', components: parts }
}

/** `part` in the words of 3.0. What is no schema has none of the keywords that change, but may have fields of their names. */
function older(part: unknown, schemas: Record<string, Schema>): unknown {
  if (Array.isArray(part)) return part.map((item) => older(item, schemas))
  if (typeof part !== 'object' || part === null) return part
  const members = Object.entries(part).map(([name, member]) =>
    // The words of the service stay as they are.
    [name, name === 'example' ? member : older(member, schemas)],
  )
  return olderSchema(Object.fromEntries(members), schemas)
}

function olderSchema(schema: Schema, schemas: Record<string, Schema>): Schema {
  // Beside a reference 3.0 allows nothing.
  if (typeof schema.$ref === 'string') return { $ref: schema.$ref }
  const { examples, const: value, ...kept } = schema
  if (Array.isArray(examples)) kept.example = examples[0] ?? null
  if (value !== undefined) kept.enum = [value]
  // Generators that read a `date-time` as a date fail at its pattern, which says no more than the format.
  if (kept.format === 'date-time') delete kept.pattern
  delete kept.propertyNames
  if (Array.isArray(kept.type)) return nullable({ ...kept, type: kept.type[0] ?? 'object' })
  const [choice, nothing, ...more] = Array.isArray(kept.anyOf) ? kept.anyOf : []
  if (!choice || nothing?.type !== 'null' || more.length > 0) return kept
  // `nullable` counts only beside a `type`: a reference is written out.
  const target = choice.$ref ? older(schemas[nameOf(choice.$ref)], schemas) : choice
  if (!target) throw new Error(`${choice.$ref} does not exist`)
  delete kept.anyOf
  return { ...nullable(target as Schema), ...kept }
}

/** An `enum` has to name `null`. */
function nullable(schema: Schema): Schema {
  return { ...schema, nullable: true, ...(schema.enum && { enum: [...schema.enum, null] }) }
}
