import type { Document, Json, JsonObject, Schema } from './types.ts'

/** Members of a schema or parameter that are only for readers. */
const words = new Set(['description', 'summary', 'title', 'example', 'examples'])

/** The document without texts, which the library would compare as part of a choice of schemas. */
export function withoutWords(document: Document): Document {
  return stripped(document as unknown as Json) as unknown as Document
}

function stripped(value: Json, areNames = false): Json {
  if (Array.isArray(value)) return value.map((item) => stripped(item))
  if (value === null || typeof value !== 'object') return value
  // A field may be called `description`.
  const kept = Object.entries(value).filter(([name]) => areNames || !words.has(name))
  return Object.fromEntries(
    kept.map(([name, member]) => [name, stripped(member, !areNames && name === 'properties')]),
  ) as JsonObject
}

/** `after` without newly allowed `null` in requests: to allow more breaks nobody. */
export function withoutNewNulls(before: Document, after: Document): Document {
  const schemas = Object.entries(after.components.schemas).map(([name, schema]): [string, Schema] => {
    const earlier = before.components.schemas[name]?.properties
    if (!name.endsWith('Request') || !earlier || !schema.properties) return [name, schema]
    const properties = Object.entries(schema.properties).map(([field, now]): [string, Schema] => {
      const then = earlier[field]
      return [field, then && !takesNull(then) ? withoutNull(now) : now]
    })
    return [name, { ...schema, properties: Object.fromEntries(properties) }]
  })
  return { ...after, components: { ...after.components, schemas: Object.fromEntries(schemas) } }
}

function takesNull({ type, anyOf }: Schema): boolean {
  return [type].flat().includes('null') || (anyOf ?? []).some(takesNull)
}

function withoutNull(schema: Schema): Schema {
  const { type, anyOf, ...rest } = schema
  const types = [type].flat().filter((name) => name !== undefined && name !== 'null') as string[]
  const choices = (anyOf ?? []).filter((choice) => choice.type !== 'null')
  const [onlyType] = types
  return {
    ...rest,
    ...(onlyType !== undefined && { type: types.length === 1 ? onlyType : types }),
    ...(choices.length === 1 ? choices[0] : choices.length > 1 && { anyOf: choices }),
  }
}
