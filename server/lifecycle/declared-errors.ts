import { type ErrorCode, errorCatalog } from '../errors.ts'
import type { OperationMeta } from '../trpc.ts'
import type { Edge } from './edges.ts'
import { agentRoles } from './roles.ts'

const everyOperation = [
  'malformed_request',
  'request_timeout',
  'uri_too_long',
  'headers_too_large',
  'rate_limited',
  'internal_error',
  'overloaded',
  'unavailable',
] as const
const everyWrite = [
  'validation_failed',
  'invalid_json',
  'idempotency_key_invalid',
  'scope_missing',
  'payload_too_large',
  'unsupported_media_type',
  'idempotency_key_reused',
] as const

/** What asking the chain, or the code host, can end with. */
export const chainErrors = ['chain_unreachable', 'chain_not_configured'] as const
export const codeHostErrors = [
  'repository_unreachable',
  'repository_limited',
  'repository_unauthorized',
  'repository_blocked',
  'repositories_not_configured',
] as const

/** What an agent can be refused along an edge: by its role, the statuses and the conditions. */
export function errorsOf(edge: Edge & { by: keyof typeof agentRoles }): ErrorCode[] {
  const { by, otherwise, if: conditions = [] } = edge
  const unknown = by === 'contributor' ? 'submission_not_found' : 'bounty_not_found'
  const codes = [...(otherwise?.codes ?? []), ...conditions.map(({ code }) => code)]
  return [...new Set<ErrorCode>([unknown, agentRoles[by].code, ...codes])]
}

/** The codes that every read or every write can return. */
export function usualErrors(meta: OperationMeta): ErrorCode[] {
  return [...everyOperation, ...(meta.openapi?.method === 'GET' ? [] : everyWrite)]
}

/** The codes an operation can return because of its method, its access, and whether it takes input. */
export function impliedErrors(meta: OperationMeta, takesInput: boolean): ErrorCode[] {
  return [
    ...usualErrors(meta),
    ...(takesInput ? (['validation_failed'] as const) : []),
    ...(meta.access === 'agent' ? (['unauthorized'] as const) : []),
    ...(meta.keyOnly ? (['scope_missing'] as const) : []),
    ...(meta.errors.includes('bounty_not_found') ? (['bounty_cancelled'] as const) : []),
  ]
}

/** Every code an operation can return, implied and declared, each once and in the order of the catalog. */
export function operationErrors(meta: OperationMeta, takesInput: boolean): ErrorCode[] {
  const possible = new Set<string>([...impliedErrors(meta, takesInput), ...meta.errors])
  return (Object.keys(errorCatalog) as ErrorCode[]).filter((code) => possible.has(code))
}
