import type { Document, Operation, Schema } from './types.ts'

/**
 * The document with every union of objects replaced by one object that covers all its variants, so that a union can be
 * compared with an object. Each variant also becomes the response of its own path, so that it is compared as well.
 */
export function withoutUnions(document: Document): Document {
  const { schemas } = document.components
  const resolve = (schema: Schema): Schema => {
    const target = nameOf(schema)
    return target === undefined ? schema : resolve(schemas[target] ?? {})
  }

  function variantsOf({ oneOf, anyOf }: Schema): Schema[] {
    const variants = oneOf ?? anyOf ?? []
    return variants.every((variant) => isObject(resolve(variant))) ? variants : []
  }

  /** One schema that allows everything that any of `variants` allows. */
  function merge(variants: Schema[]): Schema {
    const distinct = unique(variants.map(resolve))
    const [first] = distinct
    if (distinct.length === 1 && first) return first
    if (distinct.every(isObject)) return mergeObjects(distinct)
    if (distinct.every(({ type }) => type === 'string')) return mergeStrings(distinct)
    return { anyOf: distinct }
  }

  function mergeObjects(variants: Schema[]): Schema {
    const names = unique(variants.flatMap(({ properties }) => Object.keys(properties ?? {})))
    const members = (name: string) => variants.flatMap(({ properties }) => properties?.[name] ?? [])
    return {
      // A record of anything allows every object.
      ...variants.find(({ additionalProperties }) => JSON.stringify(additionalProperties) === '{}'),
      type: 'object',
      properties: Object.fromEntries(names.map((name) => [name, merge(members(name))])),
      required: names.filter((name) => variants.every(({ required }) => required?.includes(name))),
    }
  }

  const flat: Record<string, Schema> = {}
  const paths = { ...document.paths }
  for (const [name, schema] of Object.entries(schemas)) {
    const variants = variantsOf(schema)
    flat[name] = variants.length > 0 ? merge(variants) : schema
    for (const variant of variants)
      paths[`/${name}/${nameOf(variant)}`] = { get: returning(withoutLists(resolve(variant))) }
  }
  return { ...document, paths, components: { ...document.components, schemas: flat } }
}

/** The listed values of all variants, or any string if one variant lists none. */
function mergeStrings(variants: Schema[]): Schema {
  const values = variants.map((variant) => valuesOf(variant) ?? [])
  const open = values.some((listed) => listed.length === 0)
  return { type: 'string', ...(!open && { enum: unique(values.flat()).sort() }) }
}

/** A variant without the fields that distinguish it from the others: those are compared on the whole union. */
function withoutLists(variant: Schema): Schema {
  const kept = Object.entries(variant.properties ?? {}).filter(([, schema]) => !valuesOf(schema))
  return { ...variant, properties: Object.fromEntries(kept) }
}

/** An operation that returns `schema`, for comparing what clients receive. */
export function returning(schema: Schema): Operation {
  const response = { description: '', content: { 'application/json': { schema } } }
  return { operationId: '', responses: { '200': response } }
}

function valuesOf(schema: Schema) {
  return schema.enum ?? (schema.const === undefined ? undefined : [schema.const])
}

function nameOf({ $ref }: Schema): string | undefined {
  return $ref?.match(/^#\/components\/schemas\/(.+)$/)?.[1]
}

function isObject({ type }: Schema): boolean {
  return type === 'object'
}

function unique<Value>(values: Value[]): Value[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()]
}
