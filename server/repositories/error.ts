/** Why a repository operation failed. Only `unavailable` may pass by itself. */
export type RepositoryErrorKind = 'unavailable' | 'name_taken' | 'unauthorized' | 'not_found' | 'rejected'

const messages: Record<RepositoryErrorKind, string> = {
  unavailable: 'the repository host does not answer, or asks to be called later',
  name_taken: 'every repository name for this project is taken by somebody else',
  unauthorized: 'the repository host does not accept the credentials, or they may not do this',
  not_found: 'the organization does not exist, or the credentials cannot see it',
  rejected: 'the repository host rejected the request',
}

/** A failure of the repository host. The message holds no token, address or text of the host. */
export class RepositoryError extends Error {
  override name = 'RepositoryError'
  readonly kind: RepositoryErrorKind
  /** Whether the same call may succeed later without a change of settings. */
  readonly retryable: boolean

  constructor(kind: RepositoryErrorKind) {
    super(messages[kind])
    this.kind = kind
    this.retryable = kind === 'unavailable'
  }
}
