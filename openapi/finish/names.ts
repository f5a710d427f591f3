import type { Document, DocumentedOperation, MediaType, Schema } from '../types.ts'

/** `bounties.setWallet` or `bounty_not_open` as `BountiesSetWallet` or `BountyNotOpen`. */
export function pascalCase(words: string): string {
  return words
    .split(/[._]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
}

/**
 * Moves every request and success body into a component named after its operation. Responses allow unknown fields, so
 * that clients accept fields that are added later.
 */
export function nameSchemas(document: Document, operations: DocumentedOperation[]): void {
  const { schemas } = document.components
  for (const schema of Object.values(schemas)) tidy(schema)
  for (const { id, meta, operation } of operations) {
    for (const parameter of operation.parameters ?? []) if (parameter.schema) tidy(parameter.schema)
    const request = operation.requestBody?.content['application/json']
    if (request) hoist(request, `${pascalCase(id)}Request`)
    const response = operation.responses[meta.status]?.content?.['application/json']
    if (response?.schema) {
      openObjects(response.schema)
      hoist(response, `${pascalCase(id)}Response`)
    }
  }
  for (const [name, schema] of Object.entries(schemas)) if (!name.endsWith('Request')) openObjects(schema)

  function hoist(media: MediaType, name: string): void {
    if (!media.schema || media.schema.$ref) return
    if (schemas[name]) throw new Error(`two schemas want the name ${name}`)
    tidy(media.schema)
    schemas[name] = media.schema
    media.schema = { $ref: `#/components/schemas/${name}` }
  }
}

/** Replaces `example` by `examples`, as in JSON Schema, and drops the lower limit of JavaScript's numbers: none is negative. */
function tidy(schema: Schema): void {
  walk(schema, (part) => {
    if (part.minimum === Number.MIN_SAFE_INTEGER) delete part.minimum
    if (part.example === undefined) return
    part.examples = [part.example]
    delete part.example
  })
}

function openObjects(schema: Schema): void {
  walk(schema, (part) => {
    if (part.additionalProperties === false) delete part.additionalProperties
  })
}

/** Visits a schema and everything in it. */
export function walk(schema: Schema, visit: (part: Schema) => void): void {
  visit(schema)
  const { properties, items, anyOf, oneOf, allOf, additionalProperties } = schema
  const inner = [
    ...Object.values(properties ?? {}),
    ...(items ? [items] : []),
    ...[anyOf, oneOf, allOf].flatMap((list) => list ?? []),
    ...(typeof additionalProperties === 'object' ? [additionalProperties] : []),
  ]
  for (const part of inner) walk(part, visit)
}
