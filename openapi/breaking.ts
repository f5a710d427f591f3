import { type Direction, misfits } from './fits.ts'
import { resolve } from './references.ts'
import type { Document, Operation, Parameter, Schema } from './types.ts'

/**
 * The changes in `after` that may break a client written for `before`, one line each. New error codes are not among
 * them: the documentation tells clients to expect unknown codes.
 */
export function breakingChanges(before: Document, after: Document): string[] {
  /** Why a later schema breaks clients that send or read an earlier one. */
  const compare = (
    direction: Direction,
    path: string,
    earlier: Schema | undefined,
    later: Schema | undefined,
  ) => {
    if (!later) return earlier ? [`${path} is gone`] : []
    const parts = [
      { document: before, schema: earlier ?? {} },
      { document: after, schema: later },
    ] as const
    const [narrow, wide] = direction === 'request' ? parts : ([parts[1], parts[0]] as const)
    return misfits(narrow, wide, direction, path)
  }

  const operationChanges = (path: string, earlier: Operation, later: Operation | undefined): string[] => {
    if (!later) return [`${path} is gone`]
    const [status, success] = successOf(before, earlier)
    const [newStatus, newSuccess] = successOf(after, later)
    const given = parametersOf(before, earlier)
    const taken = parametersOf(after, later)
    return [
      ...(status === newStatus ? [] : [`${path}: its status was ${status} and is ${newStatus}`]),
      ...(earlier.security?.length === 0 && later.security?.length !== 0 ? [`${path} needs an API key`] : []),
      ...compare('response', `${path} response`, success, newSuccess),
      ...compare('request', `${path} body`, bodyOf(earlier), bodyOf(later)),
      ...[...given].flatMap(([name, { schema }]) =>
        compare('request', `${path} ${name}`, schema ?? {}, taken.get(name)?.schema),
      ),
      ...[...taken]
        .filter(([name, { required }]) => required && !given.get(name)?.required)
        .map(([name]) => `${path} ${name} is required`),
      ...(later.requestBody?.required && !earlier.requestBody?.required ? [`${path} body is required`] : []),
    ]
  }

  return [
    ...operationsOf(before.paths).flatMap(([path, method, operation]) =>
      operationChanges(`${method.toUpperCase()} ${path}`, operation, after.paths[path]?.[method]),
    ),
    // The receivers of webhooks read what the service sends.
    ...operationsOf(before.webhooks ?? {}).flatMap(([name, method, operation]) => {
      const now = after.webhooks?.[name]?.[method]
      return compare('response', `webhook ${name}`, bodyOf(operation), now && bodyOf(now))
    }),
  ].sort()
}

function operationsOf(paths: Document['paths']) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]) => [path, method as keyof typeof methods, operation as Operation] as const,
    ),
  )
}

function successOf(document: Document, { responses }: Operation): [string, Schema | undefined] {
  const [status = '', response] = Object.entries(responses).find(([code]) => code.startsWith('2')) ?? []
  return [status, response && resolve(document, response).content?.['application/json']?.schema]
}

function bodyOf({ requestBody }: Operation): Schema | undefined {
  return requestBody?.content['application/json']?.schema
}

function parametersOf(document: Document, { parameters = [] }: Operation): Map<string, Parameter> {
  const resolved = parameters.map((parameter) => resolve(document, parameter))
  return new Map(resolved.map((parameter) => [`${parameter.in} ${parameter.name}`, parameter]))
}

/** Whether the version announces breaking changes: a new major version, or any below 1.0.0, the first release. */
export function declaresBreaking(before: string, after: string): boolean {
  const [oldMajor = 0] = before.split('.').map(Number)
  const [major = 0] = after.split('.').map(Number)
  return major === 0 || major > oldMajor
}
