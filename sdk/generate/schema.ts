import openapiTypescript, { astToString, type OpenAPI3 } from 'openapi-typescript'
import ts from 'typescript'
import { walk } from '../../openapi/finish/names.ts'
import { whole } from '../../openapi/fits.ts'
import { resolve } from '../../openapi/references.ts'
import type { Document, Schema } from '../../openapi/types.ts'

/** Types of these schemas, which may refer to each other, by openapi-typescript. */
export async function schemaSource(document: Document, schemas: Record<string, Schema>): Promise<string> {
  const described = structuredClone(schemas)
  for (const [name, schema] of Object.entries(described)) {
    // Intersections would let people read members that a variant lacks.
    if (schema.allOf) described[name] = whole({ document, schema })
    walk(described[name] ?? schema, ({ properties = {} }) => {
      for (const field of Object.values(properties)) describe(document, field)
    })
  }
  const input = {
    openapi: '3.1.0',
    info: { title: '', version: '' },
    paths: {},
    components: { schemas: described },
  }
  return astToString(
    await openapiTypescript(input as unknown as OpenAPI3, {
      defaultNonNullable: false,
      alphabetize: true,
      silent: true,
      inject: "import type { Unlisted } from '../core/unlisted.ts'\n",
      // "A string that is none of these" has no type in TypeScript. The marked string keeps the union discriminated.
      transform: (schema) =>
        (schema as Schema).not ? ts.factory.createTypeReferenceNode('Unlisted') : undefined,
    }),
  )
}

/** Gives a field that refers to a kind of text or number the description of that, unless it has its own. */
function describe(document: Document, field: Schema): void {
  if (!field.$ref || field.description !== undefined) return
  const { description, enum: values, type } = resolve(document, { $ref: field.$ref } as Schema)
  if (description !== undefined && !values && (type === 'string' || type === 'integer'))
    field.description = description
}
