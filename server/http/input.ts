import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { FieldIssue } from '../errors.ts'
import { unknownField, validationError } from './errors.ts'
import type { Operation } from './operations.ts'

const canonicalNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/

type Values = Record<string, unknown>

/**
 * Makes the function that reads an operation's input: path parameters, and the query (GET) or the body (POST, PATCH).
 * Nothing is guessed: only a query value whose schema is a number, written as a plain decimal, becomes a number.
 */
export function inputReader(operation: Operation): (request: FastifyRequest) => unknown {
  const { method, input, pathParameters } = operation
  const fromQuery = method === 'GET'
  const numeric = fromQuery ? numericKeys(input) : new Set<string>()
  return (request) => {
    const query = request.query as Values
    const params = request.params as Values
    refuseNul(params)
    if (fromQuery) {
      if (!input) return undefined
      refuseNul(query)
      refuseNames(pathParameters, query)
      return { ...toNumbers(query, numeric), ...params }
    }
    refuseAll(query)
    const body = (request.body ?? {}) as Values
    if (!input) return refuseAll(body)
    refuseNames(pathParameters, body)
    return { ...body, ...params }
  }
}

function numericKeys(input: z.ZodObject | null): Set<string> {
  const shape = Object.entries(input?.shape ?? {})
  return new Set(shape.filter(([, schema]) => isNumber(schema as z.ZodType)).map(([key]) => key))
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

function toNumbers(query: Values, numeric: Set<string>): Values {
  const values = { ...query }
  for (const key of numeric) {
    const value = values[key]
    if (typeof value === 'string' && canonicalNumber.test(value) && value !== '-0')
      values[key] = Number(value)
  }
  return values
}

/** A path parameter is given by the path alone. */
function refuseNames(pathParameters: readonly string[], values: Values): void {
  const clashes = pathParameters.filter((name) => Object.hasOwn(values, name))
  if (clashes.length > 0) throw validationError(clashes.map(unknownField))
}

function refuseAll(values: Values): undefined {
  const keys = Object.keys(values)
  if (keys.length > 0) throw validationError(keys.map(unknownField))
}

/** No text column holds NUL, so no id or keyword with one can match anything. */
function refuseNul(values: Values): void {
  const issues: FieldIssue[] = []
  for (const [key, value] of Object.entries(values))
    if (String(value).includes('\0')) issues.push({ path: key, message: 'must not contain NUL' })
  if (issues.length > 0) throw validationError(issues)
}
