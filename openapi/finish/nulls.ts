import type { DocumentedOperation, Schema } from '../types.ts'

/**
 * Allows `null` in optional fields of request bodies, because the service reads it as absent. Otherwise strict clients and
 * generated types would not let people send it.
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
