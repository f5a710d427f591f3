import { nameOf } from '../references.ts'
import type { Document, DocumentedOperation, Schema } from '../types.ts'

/**
 * Copies the description of a component to the parameters and nullable body fields that refer to it. The generator leaves
 * out descriptions beside a reference, but readers look at the field first.
 */
export function describeReferences(document: Document, operations: DocumentedOperation[]): void {
  const { schemas } = document.components
  for (const { operation } of operations) {
    for (const parameter of operation.parameters ?? []) {
      const text = parameter.description ?? descriptionOf(parameter.schema ?? {}, schemas)
      if (text !== undefined) parameter.description = text
      delete parameter.schema?.description
    }
  }
  for (const [name, { properties = {} }] of Object.entries(schemas)) {
    if (!name.endsWith('Request')) continue
    for (const field of Object.values(properties)) {
      const text = descriptionOf(field, schemas)
      if (text !== undefined && !field.$ref) field.description = text
    }
  }
}

function descriptionOf(schema: Schema, schemas: Record<string, Schema>): string | undefined {
  if (schema.description !== undefined) return schema.description
  if (schema.$ref) return schemas[nameOf(schema.$ref)]?.description
  const [choice] = schema.anyOf ?? []
  return choice && descriptionOf(choice, schemas)
}
