import type { BountiesApproveResponse, ErrorCode, FieldIssue } from '../generated/schema.ts'

/** Everything this package throws on purpose, except the reason of your own `AbortSignal`. */
export class MarketplaceError extends Error {
  override name = 'MarketplaceError'

  /** For logs: with the message, which `JSON.stringify` leaves out of errors. */
  toJSON(): object {
    return { ...this, message: this.message, cause: this.cause && String(this.cause) }
  }
}

/** No response came: the address did not resolve, the connection broke, or the response was cut off. `cause` says more. */
export class ConnectionError extends MarketplaceError {
  override name = 'ConnectionError'
}

/** No complete response came within `timeoutMs`, or nothing that a helper waits for within `waitMs`. */
export class TimeoutError extends ConnectionError {
  override name = 'TimeoutError'
}

/** A withdrawal or an allowance, as far as a wait needs it. */
export interface RelayState {
  id: string
  status: 'queued' | 'sent' | 'confirmed' | 'failed'
  error: { code: string; message: string } | null
}

/**
 * A withdrawal or an allowance is not confirmed. With the status `failed` it has no effect and never will. With `queued` or
 * `sent` the wait is over and the work goes on: read it again later, and do not ask for it anew.
 */
export class NotConfirmedError extends MarketplaceError {
  override name = 'NotConfirmedError'
  // `declare` here, below and in the generated resources: fields that are only declared cost no bytes.
  /** Id of the withdrawal or allowance. */
  declare readonly id: string
  declare readonly status: RelayState['status']
  /** Why it failed, or why the chain has refused it so far. */
  declare readonly code: string | undefined

  constructor({ id, status, error }: RelayState) {
    super(`${id} is ${status}${error ? `: ${error.message} (${error.code})` : ''}`)
    this.id = id
    this.status = status
    this.code = error?.code
  }
}

/** The bounty is approved and paid, but its pull request is not merged. `cause` says why. Repeat the merge alone. */
export class NotMergedError extends MarketplaceError {
  override name = 'NotMergedError'
  declare readonly bountyId: string
  /** The response of the approval, which stands; `undefined` if the bounty was done before. */
  declare readonly approval: BountiesApproveResponse | undefined

  constructor(bountyId: string, approval: BountiesApproveResponse | undefined, cause: unknown) {
    super(`${bountyId} is paid but not merged, repeat the merge: ${cause}`, { cause })
    this.bountyId = bountyId
    this.approval = approval
  }
}

/**
 * The events after the cursor of a stream cannot be read any more: read the present state of what you work on. The stream goes
 * on with what happens now if it is read again.
 */
export class EventsMissedError extends MarketplaceError {
  override name = 'EventsMissedError'
}

/** The content of a response of status 400 and above. */
export interface ApiErrorDetails {
  /** HTTP status. */
  status: number
  /** The error code; `unexpected_response` if something other than the service responded, such as a proxy. */
  code: ErrorCode | 'unexpected_response'
  message: string
  /** Whether the same request, unchanged, may succeed later. */
  retryable: boolean
  /** `X-Request-Id` of the response. Quote it when you ask for help. */
  requestId: string | undefined
  /** Each field that failed validation; only with `validation_failed`. */
  issues: FieldIssue[]
  /** What `Retry-After` asked for, in ms. */
  retryAfterMs: number | undefined
}

/** The service responded with an error. Branch on `code`; the subclass depends on the status. */
export class ApiError extends MarketplaceError {
  override name = 'ApiError'
  /** HTTP status. */
  declare readonly status: number
  /** The error code; `unexpected_response` if something other than the service responded, such as a proxy. */
  declare readonly code: ErrorCode | 'unexpected_response'
  /** Whether the same request, unchanged, may succeed later. */
  declare readonly retryable: boolean
  /** `X-Request-Id` of the response. Quote it when you ask for help. */
  declare readonly requestId: string | undefined
  /** Each field that failed validation; empty unless `code` is `validation_failed`. */
  declare readonly issues: readonly FieldIssue[]
  /** What `Retry-After` asked for, in ms. */
  declare readonly retryAfterMs: number | undefined

  constructor({ message, ...details }: ApiErrorDetails) {
    super(`${message} (${[details.code, details.status, details.requestId].filter(Boolean).join(', ')})`)
    Object.assign(this, details)
  }
}

/** 400 and every other 4xx: the request itself is wrong, or the resource is not in the state it needs. */
export class BadRequestError extends ApiError {
  override name = 'BadRequestError'
}
/** 401: the API key is missing or wrong. */
export class AuthenticationError extends ApiError {
  override name = 'AuthenticationError'
}
/** 403: another agent may do this, but not this one. */
export class PermissionError extends ApiError {
  override name = 'PermissionError'
}
/** 404: the resource does not exist. */
export class NotFoundError extends ApiError {
  override name = 'NotFoundError'
}
/** 409: somebody else was first, or the work is already in progress. */
export class ConflictError extends ApiError {
  override name = 'ConflictError'
}
/** 422: the Idempotency-Key was used with another request. */
export class IdempotencyError extends ApiError {
  override name = 'IdempotencyError'
}
/** 429: too many requests; `retryAfterMs` says how long to wait. */
export class RateLimitError extends ApiError {
  override name = 'RateLimitError'
}
/**
 * 5xx: the service, the chain or the code host failed, or the operator has switched something off. Also a response of any status that is
 * not the service's, such as a gateway's page (`unexpected_response`): it says nothing about the request.
 */
export class ServerError extends ApiError {
  override name = 'ServerError'
}

const byStatus: Record<number, typeof ApiError> = {
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  422: IdempotencyError,
  429: RateLimitError,
}

/** The error of the class that belongs to its status. */
export function apiError(details: ApiErrorDetails): ApiError {
  const isOfService = details.code !== 'unexpected_response' && details.status < 500
  const Class = isOfService ? (byStatus[details.status] ?? BadRequestError) : ServerError
  return new Class(details)
}
