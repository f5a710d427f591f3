import { STATUS_CODES } from 'node:http'
import { type ErrorCode, errorCatalog } from '../../server/errors.ts'
import { operationErrors, usualErrors } from '../../server/lifecycle/declared-errors.ts'
import type { Document, DocumentedOperation, Response, Schema } from '../types.ts'
import { pascalCase } from './names.ts'

const codes = Object.keys(errorCatalog) as ErrorCode[]

/**
 * Replaces the generator's error components by the one shape of the service and lists each operation's errors. A response that
 * several operations have gets a name. What every read or write has in common is its `default`, but for the rate limit, which
 * clients look for at 429: listed with each operation, it was a twelfth of the document.
 */
export function describeErrors(document: Document, operations: DocumentedOperation[]): void {
  const schemas = document.components.schemas ?? {}
  for (const name of Object.keys(schemas)) if (name.startsWith('error.')) delete schemas[name]
  document.components.schemas = { ...schemas, ...errorSchemas }
  const shared: Record<string, Response> = {}
  document.components.responses = shared

  const known = new Set<string>()
  const repeated = new Set<string>()
  const errors = operations.flatMap(({ method, meta, takesInput, operation }) => {
    const usual = usualErrors(meta).filter((code) => ![400, 429].includes(errorCatalog[code].status))
    const usualName = method === 'get' ? 'ReadError' : 'WriteError'
    shared[usualName] ??= usualResponse(usual)
    operation.responses.default = { $ref: `#/components/responses/${usualName}` }
    const groups = byStatus(operationErrors(meta, takesInput))
    const own = groups.filter(([, group]) => !group.every((code) => usual.includes(code)))
    return own.map(([status, group]) => {
      const name = nameOf(group)
      if (known.has(name)) repeated.add(name)
      known.add(name)
      return { operation, status, group, name }
    })
  })
  for (const { operation, status, group, name } of errors) {
    if (repeated.has(name)) shared[name] ??= errorResponse(STATUS_CODES[status], group)
    operation.responses[status] = repeated.has(name)
      ? { $ref: `#/components/responses/${name}` }
      : errorResponse(STATUS_CODES[status], group)
  }
}

/** What many operations share has a short name; their names together were a hundredth of the document. */
const shortNames = [
  ['ValidationFailedOrInvalidJsonOrMalformedRequestOrIdempotencyKeyInvalid', 'BadBody'],
  ['ValidationFailedOrMalformedRequest', 'BadRequest'],
  ['ChainUnreachableOrChainNotConfigured', 'NoChain'],
  ['OrOverloadedOrUnavailable', 'OrBusy'],
  ['BountyNotFoundOrBountyCancelled', 'NoBounty'],
  ['RepositoriesNotConfigured', 'NoCodeHost'],
  ['ScopeMissingOr', 'ScopeOr'],
] as const

const nameOf = (group: ErrorCode[]) =>
  shortNames.reduce((name, [long, short]) => name.replace(long, short), group.map(pascalCase).join('Or'))

/** Groups codes by their status. */
function byStatus(possible: readonly ErrorCode[]): [string, ErrorCode[]][] {
  const groups = new Map<string, ErrorCode[]>()
  for (const code of possible) {
    const status = String(errorCatalog[code].status)
    groups.set(status, [...(groups.get(status) ?? []), code])
  }
  return [...groups]
}

/** A response that narrows the code of an error to those of `group`. `ErrorCode` says what each means. */
function errorResponse(description = '', group: readonly ErrorCode[]): Response {
  const narrowed = { properties: { error: { properties: { code: { 'x-extensible-enum': [...group] } } } } }
  const schema = { allOf: [{ $ref: '#/components/schemas/ErrorBody' }, narrowed] }
  return { description, content: { 'application/json': { schema } } }
}

function usualResponse(usual: readonly ErrorCode[]): Response {
  const list = usual.map((code) => `${errorCatalog[code].status} \`${code}\``).join(', ')
  return errorResponse(`What any such request may meet: ${list}.`, usual)
}

const errorSchemas: Record<string, Schema> = {
  ErrorCode: {
    type: 'string',
    description: `A stable code to branch on.\n\n${codes
      .map((code) => `* \`${code}\` (${errorCatalog[code].status}): ${errorCatalog[code].meaning}`)
      .join('\n')}`,
    'x-extensible-enum': codes,
  },
  FieldIssue: {
    type: 'object',
    description: 'One field that failed validation.',
    required: ['path', 'message'],
    properties: {
      path: { type: 'string', description: 'Dotted path of the field; empty for the whole body.' },
      message: { type: 'string', description: 'What is wrong with it.' },
    },
  },
  ErrorBody: {
    type: 'object',
    description: 'The body of every response of status 400 and above.',
    required: ['error'],
    properties: { error: { $ref: '#/components/schemas/ErrorDetail' } },
  },
  ErrorDetail: {
    type: 'object',
    description: 'The `error` of every response of status 400 and above.',
    required: ['code', 'message', 'retryable', 'request_id'],
    properties: {
      code: { $ref: '#/components/schemas/ErrorCode' },
      message: { type: 'string', description: 'What happened and what to do next.' },
      retryable: {
        type: 'boolean',
        description: 'Whether the same request, unchanged, may succeed later.',
      },
      request_id: {
        type: 'string',
        description: 'The `X-Request-Id` of the response. Quote it when you ask for help.',
      },
      issues: {
        type: 'array',
        description: 'The invalid fields; present only with `validation_failed`.',
        items: { $ref: '#/components/schemas/FieldIssue' },
      },
    },
  },
}
