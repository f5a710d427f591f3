import type { DocumentedOperation, Schema } from '../types.ts'

/**
 * The service reads `null` in an optional field of a request body as if the field were absent, and its document says
 * so: strict clients and generated types would keep people from it otherwise.
 */
export function allowNulls(operations: DocumentedOperation[]): void {
  for (const { operation } of operations) {
    const schema = operation.requestBody?.content['application/json']?.schema
    for (const [name, field] of Object.entries(schema?.properties ?? {}))
      if (schema?.properties && !schema.required?.includes(name)) schema.properties[name] = orNull(field)
  }
}

function orNull(field: Schema): Schema {
  const { type, enum: values, $ref, anyOf, oneOf, allOf } = field
  const isPlain = typeof type === 'string' && !(values ?? $ref ?? anyOf ?? oneOf ?? allOf)
  if (isPlain) return { ...field, type: [type, 'null'] }
  const { description, default: otherwise, ...rest } = field
  return {
    anyOf: [rest, { type: 'null' }],
    ...(description !== undefined && { description }),
    ...(otherwise !== undefined && { default: otherwise }),
  }
}
