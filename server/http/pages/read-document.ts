import { resolve } from '../../../openapi/references.ts'
import type { Document, JsonObject, Operation, Schema } from '../../../openapi/types.ts'

/** One operation as the pages describe it. */
export interface Described {
  id: string
  method: string
  path: string
  summary: string
  description: string
  tag: string
  /** Empty where an access token will do. */
  access: 'public' | 'key only' | ''
  /** Fields of the query or the body. */
  fields: Field[]
}

/** One field of a query or body. */
export interface Field {
  name: string
  required: boolean
  /** Its type and limits in words. */
  rule: string
  /** What it is. */
  says: string
}

/** The operations of the document, in the order of its tags. */
export function describeOperations(document: Document): Described[] {
  const tags = (document.tags ?? []).map(({ name }) => name)
  return Object.entries(document.paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => describe(document, path, method, operation)),
    )
    .sort((left, right) => tags.indexOf(left.tag) - tags.indexOf(right.tag))
}

function describe(document: Document, path: string, method: string, operation: Operation): Described {
  const query = (operation.parameters ?? [])
    .map((parameter) => resolve(document, parameter))
    .filter((parameter) => parameter.in === 'query')
  const body = whole(document, operation.requestBody?.content['application/json']?.schema ?? {})
  return {
    id: operation.operationId,
    method: method.toUpperCase(),
    path,
    summary: operation.summary ?? '',
    description: operation.description ?? '',
    tag: operation.tags?.[0] ?? '',
    access: operation.security?.length === 0 ? 'public' : operation['x-key-only'] ? 'key only' : '',
    fields: [
      ...query.map(({ name = '', required = false, schema = {}, description }) =>
        fieldOf(name, required, whole(document, { ...schema, ...(description && { description }) })),
      ),
      ...Object.entries(body.properties ?? {}).map(([name, schema]) =>
        fieldOf(name, body.required?.includes(name) === true, whole(document, schema)),
      ),
    ],
  }
}

const fieldOf = (name: string, required: boolean, schema: Schema): Field => ({
  name,
  required,
  rule: ruleOf(schema),
  says: schema.description ?? '',
})

/** A schema with what it refers to, or with its only choice that is not `null`. */
function whole(document: Document, schema: Schema): Schema {
  const choice = schema.anyOf?.find(({ type }) => type !== 'null')
  return { ...(choice ? whole(document, choice) : resolve(document, schema)), ...schema }
}

/** `string, 1 to 200 characters`. */
function ruleOf(schema: Schema): string {
  const [only, ...others] = schema.enum ?? [schema.const]
  if (only !== undefined && others.length === 0) return String(only)
  const { minLength, maxLength, minimum, maximum } = schema
  const parts = [
    schema.enum ? schema.enum.join(' | ') : [schema.type].flat().find((type) => type !== 'null'),
    maxLength !== undefined && `${minLength ?? 0} to ${maxLength} characters`,
    minLength === undefined && maxLength === undefined && schema.pattern && `matches ${schema.pattern}`,
    minimum !== undefined && `${minimum} to ${maximum ?? 'any'}`,
    schema.default !== undefined && `default ${String(schema.default)}`,
  ]
  return parts.filter(Boolean).join(', ')
}

/** The title and the first paragraph of the description. */
export function introduction({ info }: Document): { title: string; summary: string } {
  const { title, description } = info as JsonObject & { title: string; description: string }
  return { title, summary: (description.split('\n\n')[0] ?? '').replaceAll('\n', ' ') }
}
