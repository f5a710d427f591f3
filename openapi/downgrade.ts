import { Converter } from '@apiture/openapi-down-convert'
import type { Document, JsonObject, Schema } from './types.ts'

/**
 * The document as OpenAPI 3.0.3, for clients that cannot read 3.1. The library translates everything except the choice
 * between a schema and `null`, which is `nullable` in 3.0, and leaves out what the service sends, which 3.0 has no place for.
 */
export function downgrade({ webhooks: _, ...document }: Document): Document {
  const copy = simplified(document)
  const { schemas } = copy.components
  const translated = new Converter(withNullable(copy, schemas) as object).convert()
  const { info, ...rest } = withoutUnused(translated as Document)
  // An SPDX identifier is new in 3.1; its predecessor is an address.
  const license = { name: 'MIT', url: 'https://opensource.org/license/mit' }
  return { ...rest, info: { ...(info as JsonObject), license }, openapi: '3.0.3' }
}

/**
 * A copy that older generators understand. Those that read a `date-time` as a date fail at its pattern, which says no more than
 * the format. Beside a reference 3.0 allows nothing, and of a reference inside `allOf` some make an object of no type.
 */
function simplified<Part>(part: Part): Part {
  return JSON.parse(JSON.stringify(part), (_, value) => {
    if (value?.format === 'date-time') delete value.pattern
    return typeof value?.$ref === 'string' ? { $ref: value.$ref } : value
  })
}

/** Removes schemas that only nullable fields referred to, which are written out now. */
function withoutUnused(document: Document): Document {
  const text = JSON.stringify(document)
  const used = Object.entries(document.components.schemas).filter(([name]) =>
    text.includes(`"#/components/schemas/${name}"`),
  )
  return { ...document, components: { ...document.components, schemas: Object.fromEntries(used) } }
}

function withNullable(value: unknown, schemas: Record<string, Schema>): unknown {
  if (Array.isArray(value)) return value.map((item) => withNullable(item, schemas))
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([name, member]) => [name, withNullable(member, schemas)])
  const translated = Object.fromEntries(members) as Schema
  const [choice, nothing, ...more] = translated.anyOf ?? []
  if (!choice || nothing?.type !== 'null' || more.length > 0) return translated
  const { anyOf: _, ...own } = translated
  return { ...nullable(choice, schemas), ...own }
}

/** A value of `nullable` counts only beside a `type`, and an `enum` has to name `null`: a reference is written out. */
function nullable(schema: Schema, schemas: Record<string, Schema>): object {
  const target = schema.$ref ? schemas[schema.$ref.split('/').at(-1) ?? ''] : schema
  if (!target) throw new Error(`${schema.$ref} does not exist`)
  return { ...target, nullable: true, ...(target.enum && { enum: [...target.enum, null] }) }
}
