import { TRPCError } from '@trpc/server'
import pg from 'pg'
import { ZodError } from 'zod'
import { withoutSecrets } from '../../config/redact.ts'
import { isDatabaseOutage } from '../../db/connection-errors.ts'
import { type ErrorCode, type FieldIssue, ServiceError } from '../../errors.ts'

const mostIssues = 20
const longestPath = 100

/**
 * The public error for anything that can be thrown while a request is served. Unexpected errors become `internal_error`;
 * their message stays in `cause` for the log and never reaches the caller.
 */
export function toServiceError(thrown: unknown): ServiceError {
  if (thrown instanceof ServiceError) return thrown
  if (thrown instanceof TRPCError) return fromProcedure(thrown)
  const code =
    fastifyErrors[codeOf(thrown)] ??
    (isClientError(thrown) ? 'malformed_request' : (databaseError(thrown) ?? 'internal_error'))
  return new ServiceError(code, undefined, { cause: thrown })
}

/** The error of invalid fields. Its message names the first one. */
export function validationError(issues: FieldIssue[]): ServiceError {
  const [first] = issues
  const where = first?.path ? `${first.path}: ` : ''
  const message = `${where}${first?.message ?? 'The input is not valid'}.`.replace(/\.\.$/, '.')
  return new ServiceError('validation_failed', message, { issues: issues.slice(0, mostIssues) })
}

function fromProcedure(error: TRPCError): ServiceError {
  if (error.cause instanceof ServiceError) return error.cause
  // Only tRPC's input step pairs these two. A ZodError of the output or of a handler is a bug of ours.
  if (error.code === 'BAD_REQUEST' && error.cause instanceof ZodError)
    return validationError(issuesOf(error.cause))
  return error.cause && !(error.cause instanceof ZodError)
    ? toServiceError(error.cause)
    : new ServiceError('internal_error', undefined, { cause: error.cause ?? error })
}

/** What is wrong with each field. */
export function issuesOf(error: ZodError | undefined): FieldIssue[] {
  return (error?.issues ?? []).flatMap((issue) => {
    const path = issue.path.map(String).join('.')
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) =>
        issueAt(path ? `${path}.${key}` : key, 'is not a field of this operation'),
      )
    return [{ path, message: issue.code === 'invalid_type' ? typeProblem(issue) : issue.message }]
  })
}

/** The message for a value of the wrong type; a schema's own message stays. */
function typeProblem({ expected, message }: { expected: string; message: string }): string {
  if (!message.startsWith('Invalid input')) return message
  return message.endsWith('received undefined') ? 'is required' : (typeWords[expected] ?? message)
}

const typeWords: Record<string, string> = {
  string: 'must be a string',
  number: 'must be a number',
  int: 'must be a whole number',
  boolean: 'must be true or false',
  object: 'must be an object',
  array: 'must be a list',
}

/** The issue of a field whose name the caller chose. An API key in place of the name is removed. */
export function issueAt(path: string, message: string): FieldIssue {
  return { path: withoutSecrets(path).slice(0, longestPath), message }
}

const fastifyErrors: Partial<Record<string, ErrorCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_JSON_BODY: 'invalid_json',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'invalid_json',
  FST_ERR_MAX_PARAM_LENGTH: 'uri_too_long',
}

/** SQLSTATEs of text that no Postgres column can hold. */
const textStates = ['22021', '22P05']

function databaseError(thrown: unknown): ErrorCode | undefined {
  if (thrown instanceof pg.DatabaseError && textStates.includes(thrown.code ?? '')) return 'validation_failed'
  return isDatabaseOutage(thrown) ? 'unavailable' : undefined
}

function codeOf(thrown: unknown): string {
  return thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : ''
}

/** Whether Fastify or one of its plugins reports an error of the client. */
function isClientError(thrown: unknown): boolean {
  if (!(thrown instanceof Error) || !('statusCode' in thrown)) return false
  const { statusCode } = thrown
  return typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500
}
