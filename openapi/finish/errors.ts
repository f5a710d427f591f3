import { type ErrorCode, errorCatalog } from '../../server/errors.ts'
import { operationErrors } from '../../server/operations/declared-errors.ts'
import type { Document, DocumentedOperation, JsonObject, Response, Schema } from '../types.ts'
import { pascalCase } from './names.ts'

const codes = Object.keys(errorCatalog) as ErrorCode[]

/** Replaces the generator's error components by the one shape of the service and lists each operation's errors. */
export function describeErrors(document: Document, operations: DocumentedOperation[]): void {
  const schemas = document.components.schemas ?? {}
  for (const name of Object.keys(schemas)) if (name.startsWith('error.')) delete schemas[name]
  document.components.schemas = { ...schemas, ...errorSchemas }
  const shared: Record<string, Response> = {}
  document.components.responses = shared

  for (const { meta, takesInput, operation } of operations) {
    for (const [status, group] of byStatus(operationErrors(meta, takesInput))) {
      // Short lists are shared by many operations and get a name; longer lists belong to one operation.
      if (group.length > 3) {
        operation.responses[status] = errorResponse(group)
        continue
      }
      const name = group.map(pascalCase).join('Or')
      shared[name] ??= errorResponse(group)
      operation.responses[status] = { $ref: `#/components/responses/${name}` }
    }
  }
}

/** Whether a response may carry `Retry-After`. */
export function mayRetryLater(response: Response): boolean {
  const examples = Object.values(response.content?.['application/json']?.examples ?? {})
  return examples.some(({ value }) => (value as { error: JsonObject }).error.retryable === true)
}

/** Groups codes by their status. */
function byStatus(possible: readonly ErrorCode[]): Map<string, ErrorCode[]> {
  const groups = new Map<string, ErrorCode[]>()
  for (const code of possible) {
    const status = String(errorCatalog[code].status)
    groups.set(status, [...(groups.get(status) ?? []), code])
  }
  return groups
}

function errorResponse(group: readonly ErrorCode[]): Response {
  return {
    description: group.map((code) => `\`${code}\`: ${errorCatalog[code].meaning}`).join('\n\n'),
    content: {
      'application/json': {
        schema: {
          type: 'object',
          required: ['error'],
          properties: {
            error: {
              allOf: [
                { $ref: '#/components/schemas/ErrorDetail' },
                {
                  type: 'object',
                  required: ['code'],
                  properties: { code: { type: 'string', enum: [...group] } },
                },
              ],
            },
          },
        },
        examples: Object.fromEntries(group.map((code) => [code, { value: exampleOf(code) }])),
      },
    },
  }
}

/** The body of an error with `code`. */
function exampleOf(code: ErrorCode): JsonObject {
  return {
    error: {
      code,
      message: errorCatalog[code].meaning,
      retryable: errorCatalog[code].retryable,
      request_id: 'req_4k0v8q2m6x1c9r7t3w5y',
      ...(code === 'validation_failed' && { issues: [{ path: 'name', message: 'must not be blank' }] }),
    },
  }
}

const errorSchemas: Record<string, Schema> = {
  ErrorCode: {
    type: 'string',
    description: `A stable code to branch on.\n\n${codes
      .map((code) => `* \`${code}\` (${errorCatalog[code].status}): ${errorCatalog[code].meaning}`)
      .join('\n')}`,
    enum: codes,
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
