import type { Document, Schema } from '../types.ts'

/**
 * Allows `null` in optional fields of request bodies, because the service reads it as absent. Otherwise strict clients and
 * generated types would not let people send it.
 */
export function allowNulls({ components }: Document): void {
  for (const [component, { properties = {}, required = [] }] of Object.entries(components.schemas)) {
    if (!component.endsWith('Request')) continue
    for (const [name, field] of Object.entries(properties))
      if (!required.includes(name)) properties[name] = orNull(field)
  }
}

function orNull(field: Schema): Schema {
  const { type, enum: values, const: value, $ref, anyOf, oneOf, allOf } = field
  const isPlain = typeof type === 'string' && !(values ?? value ?? $ref ?? anyOf ?? oneOf ?? allOf)
  if (isPlain) return { ...field, type: [type, 'null'] }
  const { description, default: otherwise, ...rest } = field
  return {
    anyOf: [rest, { type: 'null' }],
    ...(description !== undefined && { description }),
    ...(otherwise !== undefined && { default: otherwise }),
  }
}
