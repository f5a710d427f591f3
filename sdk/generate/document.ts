import { readFileSync } from 'node:fs'
import { pascalCase } from '../../openapi/finish/names.ts'
import { errorsOf, nameOf, resolve } from '../../openapi/references.ts'
import type { Document, Operation, Parameter, Schema } from '../../openapi/types.ts'

/** An operation as the generators need it. */
export interface SdkOperation {
  id: string
  /** First word of the id: `bounties`. */
  resource: string
  /** Rest of the id: `claim`. */
  method: string
  http: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With parameters that say what they are ids of: `/api/projects/{projectId}/bounties`. */
  path: string
  summary: string
  description: string
  public: boolean
  /** Names of the path parameters, in the order of the path. */
  ids: string[]
  /** Type of the query, where there is one. */
  query: string | undefined
  /** The parameters of the query. */
  parameters: Parameter[]
  /** Type of the body, where there is one. */
  body: { type: string; required: boolean } | undefined
  response: string
  /** A member that every success has. */
  expects: string | undefined
  /** Whether a success has no resource, no list and no id by which a client knows it. */
  isPlain: boolean
  /** How long to wait for a response, in ms, where that is longer than usual. */
  timeoutMs: number | undefined
  /** Success status. */
  status: number
  /** Error codes by status. */
  errors: Map<number, string[]>
  /** Those of them that only some operations have. */
  ownErrors: Map<number, string[]>
  /** Whether it can be asked for what has changed. */
  conditional: boolean
  /** How to walk the list it answers, where it answers one. */
  list: ListShape | undefined
}

/** How a list is walked. */
export interface ListShape {
  /** The member of the response that has the items. */
  key: string
  /** Type of an item. */
  item: string
  by: 'offset' | 'next'
}

/** The committed document, from which everything here is generated. */
export function readDocument(): Document {
  return JSON.parse(readFileSync(new URL('../../openapi/openapi.json', import.meta.url), 'utf8')) as Document
}

/** The operations of the document, by id. */
export function readOperations(document: Document): SdkOperation[] {
  const found = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => describe(document, path, method, operation)),
  )
  const all = found.flatMap(({ errors }) => [...errors.values()].flat())
  const isOwn = (code: string) => all.filter((other) => other === code).length <= 30
  for (const { errors, ownErrors } of found)
    for (const [status, codes] of errors) if (codes.some(isOwn)) ownErrors.set(status, codes.filter(isOwn))
  return found.sort((left, right) => (left.id < right.id ? -1 : 1))
}

/** The codes that any operation may return, by their statuses. */
export function usualErrors(operations: SdkOperation[]): string[] {
  const usual = operations.flatMap(({ errors, ownErrors }) =>
    [...errors].flatMap(([status, codes]) =>
      codes.filter((code) => !ownErrors.get(status)?.includes(code)).map((code) => ({ status, code })),
    ),
  )
  return [...new Set(usual.sort((left, right) => left.status - right.status).map(({ code }) => code))]
}

function describe(document: Document, route: string, http: string, operation: Operation): SdkOperation {
  const path = withNamedIds(route)
  const id = operation.operationId
  const [resource = '', method = ''] = id.split('.')
  const parameters = (operation.parameters ?? [])
    .map((parameter) => resolve(document, parameter))
    .filter((parameter) => parameter.in === 'query')
  const media = operation.requestBody?.content['application/json']
  const [status, success] = Object.entries(operation.responses).find(([code]) => code.startsWith('2')) ?? []
  const schema = success?.content?.['application/json']?.schema
  if (!schema?.$ref) throw new Error(`${id}: the success has no named body`)
  const timeout = operation['x-client-timeout-seconds']
  return {
    id,
    resource,
    method,
    http: http.toUpperCase() as SdkOperation['http'],
    path,
    summary: operation.summary ?? '',
    description: operation.description ?? '',
    public: operation.security?.length === 0,
    ids: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? ''),
    query: parameters.length > 0 ? `${pascalCase(id)}Query` : undefined,
    parameters,
    body: media?.schema?.$ref
      ? { type: nameOf(media.schema.$ref), required: operation.requestBody?.required === true }
      : undefined,
    response: nameOf(schema.$ref),
    timeoutMs: timeout === undefined ? undefined : timeout * 1000,
    expects: document.components.schemas[nameOf(schema.$ref)]?.required?.[0],
    isPlain: isPlain(document, schema.$ref),
    status: Number(status),
    errors: errorsOf(document, operation),
    ownErrors: new Map(),
    conditional: '304' in operation.responses,
    list: listOf(document, schema.$ref, parameters),
  }
}

function isPlain(document: Document, ref: string): boolean {
  const { properties = {}, required = [] } = document.components.schemas[nameOf(ref)] ?? {}
  return required.every((name) => {
    const { type } = resolve(document, properties[name] ?? {})
    return name !== 'bounty_id' && type !== 'array' && type !== 'object'
  })
}

/** Names each `{id}` after the collection in front of it. */
function withNamedIds(path: string): string {
  return path.replace(/(\w+)\/\{id\}/g, (_, collection: string) => {
    const singular = collection.replace(/ies$/, 'y').replace(/s$/, '')
    return `${collection}/{${singular}Id}`
  })
}

function listOf(document: Document, ref: string, query: Parameter[]): SdkOperation['list'] {
  const names = query.map((parameter) => parameter.name)
  const properties = Object.entries(document.components.schemas[nameOf(ref)]?.properties ?? {})
  const byNext = properties.some(([name]) => name === 'next') ? 'next' : undefined
  const by = names.includes('offset') ? 'offset' : byNext
  const [key, schema] = properties.find(([, part]: [string, Schema]) => part.type === 'array') ?? []
  if (!by || !key || !schema?.items) return undefined
  const item = schema.items.$ref ? nameOf(schema.items.$ref) : `${nameOf(ref)}['${key}'][number]`
  return { key, item, by }
}

/** An object schema of each query, by its name. */
export function querySchemas(operations: SdkOperation[]): [string, Schema][] {
  return operations.flatMap(({ id, query, parameters }) => {
    const properties = Object.fromEntries(
      parameters.map(({ name, description, schema }) => [
        name,
        { ...schema, ...(description && { description }) },
      ]),
    )
    const required = parameters.filter((parameter) => parameter.required).map(({ name = '' }) => name)
    const description = `Query of \`${id}\`.`
    return query ? [[query, { type: 'object', description, properties, required }]] : []
  })
}
