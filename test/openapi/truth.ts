import { readFileSync } from 'node:fs'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { always } from '../../openapi/finish/headers.ts'
import { errorsOf, resolve } from '../../openapi/references.ts'
import type { Document, Json, Operation, Response, Schema } from '../../openapi/types.ts'

/** One request and its answer, as they went over the wire. */
export interface Exchange {
  method: string
  /** With its query. */
  url: string
  requestBody: string
  status: number
  /** By lower-case name. */
  headers: Record<string, unknown>
  body: string
}

/** Says what of an exchange the document does not describe; nothing where all is as described. */
export type Truth = (exchange: Exchange) => string[]

export function readDocument(): Document {
  return JSON.parse(readFileSync(new URL('../../openapi/openapi.json', import.meta.url), 'utf8')) as Document
}

const ajv = formats.default(new Ajv2020({ strict: false, allErrors: true, coerceTypes: false }))
// The service itself returns no other values.
ajv.addKeyword({ keyword: 'x-extensible-enum', macro: (values: Json[]) => ({ enum: values }) })
const compiled = new WeakMap<Schema, ValidateFunction>()

/** A judge of exchanges. Answers are read strictly: a field that the document does not name is a violation. */
export function createTruth(document: Document): Truth {
  const shapes = Object.entries(document.paths).map(([path, methods]) => ({
    pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '([^/]+)')}$`),
    methods,
  }))
  const anyError = close(document, {
    type: 'object',
    required: ['error'],
    properties: { error: { $ref: '#/components/schemas/ErrorDetail' } },
  })

  return (exchange) => {
    const { pathname, searchParams } = addressOf(exchange.url)
    const method = exchange.method === 'HEAD' ? 'get' : exchange.method.toLowerCase()
    const known = shapes.find(({ pattern }) => pattern.test(pathname))
    const operation = Object.entries(known?.methods ?? {}).find(([name]) => name === method)?.[1]
    // Errors of the Model Context Protocol have the shape of JSON-RPC.
    const isRpc = pathname === '/mcp' && /"jsonrpc":"2\.0"/.test(exchange.body)
    // Clients look there for OAuth, whose errors have a shape of their own.
    const isOAuth = ['/register', '/token'].includes(pathname)
    // Pages for people say in HTML what is wrong.
    const isPage =
      /^text\/html/.test(String(exchange.headers['content-type'])) && !/^\/(api|mcp)(\/|$)/.test(pathname)
    if (!operation)
      return exchange.status < 400 || exchange.method === 'HEAD' || isRpc || isOAuth || isPage
        ? []
        : violations(anyError, exchange.body, 'error')
    return [
      ...answerViolations(document, operation, exchange),
      ...(exchange.status < 300 ? requestViolations(document, operation, exchange, searchParams) : []),
    ]
  }
}

/** The parts of a request's address as they were sent: hostile ones are no URLs. */
function addressOf(sent: string): { pathname: string; searchParams: URLSearchParams } {
  const [pathname = '', query = ''] = sent.replace(/^https?:\/\/[^/?]*/i, '').split(/\?(.*)/s)
  return { pathname, searchParams: new URLSearchParams(query) }
}

function answerViolations(document: Document, operation: Operation, exchange: Exchange): string[] {
  const { status } = exchange
  const codes = errorsOf(document, operation).get(status)
  const described = operation.responses[status] ?? (codes && operation.responses.default)
  if (!described) return [`status ${status} is not described`]
  const response = resolve(document, described)
  const schema = response.content?.['application/json']?.schema
  const bodyless = exchange.method === 'HEAD' || status === 304
  return [
    ...headerViolations(document, response, exchange.headers),
    ...(schema && !bodyless ? violations(close(document, schema), exchange.body, 'body') : []),
    // A `default` has codes of several statuses.
    ...(codes && !bodyless && !codes.some((code) => exchange.body.includes(`"code":"${code}"`))
      ? [`no code of status ${status}`]
      : []),
  ]
}

function headerViolations(
  document: Document,
  response: Response,
  headers: Record<string, unknown>,
): string[] {
  const all = document.components.headers ?? {}
  return Object.entries(all).flatMap(([name, header]) => {
    const value = headers[name.toLowerCase()]
    const described = name in (response.headers ?? {}) || always.includes(name)
    if (value === undefined) return described && header.required ? [`header ${name} is missing`] : []
    if (!described) return [`header ${name} is not described`]
    const schema = header.schema as Schema
    const typed = schema.type === 'integer' ? Number(value) : value
    return validatorOf(schema)(typed) ? [] : [`header ${name}: ${String(value)} is not as described`]
  })
}

/** What the service has accepted must be what the document allows. */
function requestViolations(
  document: Document,
  operation: Operation,
  exchange: Exchange,
  query: URLSearchParams,
): string[] {
  const parameters = (operation.parameters ?? []).map((parameter) => resolve(document, parameter))
  const found = [...query].flatMap(([name, value]) => {
    const parameter = parameters.find((candidate) => candidate.in === 'query' && candidate.name === name)
    if (!parameter?.schema) return [`accepted the query parameter ${name}, which is not described`]
    const schema = close(document, parameter.schema)
    const typed = schema.type === 'integer' ? Number(value) : value
    return validatorOf(schema)(typed) ? [] : [`accepted ${name}=${value}, which is not allowed`]
  })
  const body = operation.requestBody
  const schema = body?.content['application/json']?.schema
  if (exchange.requestBody === '') return body?.required ? [...found, 'accepted a missing body'] : found
  if (!schema) return exchange.requestBody === '{}' ? found : [...found, 'accepted a body']
  return [...found, ...violations(close(document, schema), exchange.requestBody, 'accepted body')]
}

function violations(schema: Schema, text: string, what: string): string[] {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return [`${what} is not JSON: ${text.slice(0, 100)}`]
  }
  const validate = validatorOf(schema)
  if (validate(value)) return []
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${what}${instancePath} ${message} ${JSON.stringify(params)}`,
  )
}

/** Whether the document allows a value there. */
export const isAllowed = (document: Document, schema: Schema, value: unknown): boolean =>
  validatorOf(close(document, schema))(value)

function validatorOf(schema: Schema): ValidateFunction {
  const validate = compiled.get(schema) ?? ajv.compile(schema)
  compiled.set(schema, validate)
  return validate
}

const closed = new WeakMap<Document, Map<Schema, Schema>>()

/** The schema with every reference resolved, in which an object has no more members than are named. */
function close(document: Document, schema: Schema): Schema {
  const known = closed.get(document) ?? new Map<Schema, Schema>()
  closed.set(document, known)
  const result = known.get(schema) ?? closeOne(document, schema)
  known.set(schema, result)
  return result
}

function closeOne(
  document: Document,
  schema: Schema,
  part = false,
): Schema & { unevaluatedProperties?: false } {
  const inner = (child: Schema) => closeOne(document, child)
  const target = schema.$ref ? { ...resolve(document, schema), ...schema, $ref: undefined } : schema
  const { $ref: _, properties, items, anyOf, oneOf, allOf, discriminator: __, ...rest } = target
  return {
    ...rest,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, child]) => [name, inner(child)])),
    }),
    ...(items && { items: inner(items) }),
    ...(anyOf && { anyOf: anyOf.map(inner) }),
    ...(oneOf && { oneOf: oneOf.map(inner) }),
    ...(allOf && { allOf: allOf.map((child) => closeOne(document, child, true)) }),
    // Members of the parts of an `allOf` are counted together. What has no type narrows another part.
    ...((allOf || (properties && rest.type)) && !part && { unevaluatedProperties: false as const }),
  }
}
