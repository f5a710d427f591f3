import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { holdsCredential } from '../../auth/key-format.ts'
import type { FieldIssue } from '../../errors.ts'
import { issueAt, issuesOf, validationError } from '../errors/service-error.ts'
import type { Operation } from './operations.ts'

/** All numbers in queries are whole. Another fraction than zero stays text, since the nearest number may have none. */
const wholeNumber = /^-?(?:0|[1-9]\d*)(?:\.0+)?$/

type Values = Record<string, unknown>

/**
 * Makes the function that reads an operation's input: path parameters, and the query (GET) or the body (POST, PUT, PATCH, DELETE).
 * Only two values are converted. A query value becomes a number if its schema is one and it is a whole one in plain decimals. `null` in
 * a body counts as absent, because many clients send it, unless it is a value of the field: it leaves out an optional field,
 * and a required one is missing.
 */
export function inputReader(operation: Operation): (request: FastifyRequest) => unknown {
  return operation.method === 'GET' ? queryReader(operation) : bodyReader(operation)
}

function queryReader({ input, pathParameters }: Operation): (request: FastifyRequest) => unknown {
  const numeric = fieldsThat(input, isNumber)
  const refuse = refusing(input, pathParameters, 'parameter')
  return (request) => {
    const query = request.query as Values
    const params = request.params as Values
    refuseNul(params)
    if (!input) return undefined
    refuseNul(query)
    const values = { ...toNumbers(query, numeric), ...params }
    const repeated = Object.keys(query).filter((name) => Array.isArray(query[name]))
    refuse(query, values, repeated)
    return values
  }
}

function bodyReader({ input, pathParameters }: Operation): (request: FastifyRequest) => unknown {
  const withoutNull = fieldsThat(input, (schema) => !schema.safeParse(null).success)
  const refuse = refusing(input, pathParameters, 'field')
  const takesBody = ownFields(input, pathParameters).length > 0
  return (request) => {
    const params = request.params as Values
    refuseNul(params)
    refuseQuery(request.query as Values, takesBody)
    const body = (request.body ?? {}) as Values
    const values = { ...withoutNulls(body, withoutNull), ...params }
    refuse(body, values)
    refuseCredentials(body)
    return input ? values : undefined
  }
}

function fieldsThat(input: z.ZodObject | null, suits: (schema: z.ZodType) => boolean): string[] {
  const shape = Object.entries(input?.shape ?? {})
  return shape.filter(([, schema]) => suits(schema as z.ZodType)).map(([name]) => name)
}

function ownFields(input: z.ZodObject | null, pathParameters: readonly string[]): string[] {
  return fieldsThat(input, () => true).filter((name) => !pathParameters.includes(name))
}

function isNumber(schema: z.core.$ZodType): boolean {
  if (schema instanceof z.ZodNumber) return true
  const wraps =
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodNullable
  return wraps && isNumber(schema.unwrap())
}

function toNumbers(query: Values, numeric: readonly string[]): Values {
  const values = { ...query }
  for (const name of numeric) {
    const value = values[name]
    if (typeof value === 'string' && wholeNumber.test(value) && value !== '-0') values[name] = Number(value)
  }
  return values
}

function withoutNulls(body: Values, fields: readonly string[]): Values {
  const absent = fields.filter((name) => body[name] === null)
  if (absent.length === 0) return body
  return Object.fromEntries(Object.entries(body).filter(([name]) => !absent.includes(name)))
}

/**
 * Refuses unknown names in the query or body, and `repeated` ones. The error then also lists everything else that is wrong
 * with `values`.
 */
function refusing(input: z.ZodObject | null, pathParameters: readonly string[], noun: 'parameter' | 'field') {
  const own = ownFields(input, pathParameters)
  const known = new Set(own)
  const all = own.length > 0 ? own.join(', ') : 'none'
  const problemOf = (name: string) =>
    pathParameters.includes(name)
      ? 'is taken from the path only'
      : `is not a ${noun} of this operation, which takes ${all}`
  return (given: Values, values: Values, repeated: readonly string[] = []): void => {
    const unknown = Object.keys(given).filter((name) => !known.has(name))
    if (unknown.length === 0 && repeated.length === 0) return
    const twice = repeated.filter((name) => known.has(name))
    const issues = [
      ...unknown.map((name) => issueAt(name, problemOf(name))),
      ...twice.map((name) => issueAt(name, 'is given more than once')),
    ]
    const rest = Object.fromEntries(
      Object.entries(values).filter(([name]) => known.has(name) || pathParameters.includes(name)),
    )
    const others = issuesOf(input?.safeParse(rest).error).filter(({ path }) => !twice.includes(path))
    throw validationError([...issues, ...others])
  }
}

function refuseQuery(query: Values, takesBody: boolean): void {
  const names = Object.keys(query)
  if (names.length === 0) return
  const nothing = 'is in the query, but this operation has no query parameters'
  const message = takesBody ? `${nothing}: put its fields into the JSON body` : nothing
  throw validationError(names.map((name) => issueAt(name, message)))
}

/** Postgres text cannot hold NUL, so no id or keyword with NUL can match anything. */
export function refuseNul(values: Values): void {
  const issues: FieldIssue[] = []
  for (const [key, value] of Object.entries(values))
    if (String(value).includes('\0')) issues.push({ path: key, message: 'must not contain NUL' })
  if (issues.length > 0) throw validationError(issues)
}

/** What agents write is public, and a model may be talked into writing its key. */
function refuseCredentials(body: Values): void {
  const message =
    'must not hold an API key or access token: others could read it. Revoke it if it was sent elsewhere'
  const names = Object.keys(body).filter((name) => holdsCredential(JSON.stringify(body[name])))
  if (names.length > 0) throw validationError(names.map((name) => issueAt(name, message)))
}
