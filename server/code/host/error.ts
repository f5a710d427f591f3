import type { ErrorCode } from '../../errors.ts'

/** Why a repository operation failed. Only `unavailable` and `outdated` can end without a change of settings. */
export type RepositoryErrorKind =
  | 'unavailable'
  | 'outdated'
  | 'name_taken'
  | 'unauthorized'
  | 'suspended'
  | 'blocked'
  | 'archived'
  | 'not_found'
  | 'rejected'

const messages: Record<RepositoryErrorKind, string> = {
  unavailable: 'the repository host does not respond, or limits requests',
  outdated: 'the repository host shows less than its webhooks have said',
  name_taken: 'other repositories have every name that this project could get',
  unauthorized: 'the repository host does not accept the credentials, or they lack a permission',
  suspended: 'the installation of the GitHub App is suspended',
  blocked: 'the repository host has blocked the repository',
  archived: 'the repository is archived',
  not_found: 'the organization does not exist, or the credentials have no access to it',
  rejected: 'the repository host rejected the request',
}

export const repositoryErrorKinds = Object.keys(messages) as RepositoryErrorKind[]

/** A failure of the repository host. The message contains no token, address or text of the host. */
export class RepositoryError extends Error {
  override name = 'RepositoryError'
  readonly kind: RepositoryErrorKind
  /** Whether the same call may succeed later without a change of settings. */
  readonly retryable: boolean
  /** Seconds to wait, where the host limits requests; it has done nothing then. */
  readonly retryAfter: number | undefined

  constructor(kind: RepositoryErrorKind, retryAfter?: number) {
    super(messages[kind])
    this.kind = kind
    this.retryable = kind === 'unavailable' || kind === 'outdated'
    this.retryAfter = retryAfter
  }
}

/** What callers hear of a failure that only the operator, or nobody, can end. */
export const lastingFailures: Partial<Record<RepositoryErrorKind, { code: ErrorCode; message?: string }>> = {
  unauthorized: { code: 'repository_unauthorized' },
  suspended: {
    code: 'repository_unauthorized',
    message:
      'The App of this service is suspended at the code host. Only the operator can have it reinstated.',
  },
  blocked: { code: 'repository_blocked' },
  archived: {
    code: 'repository_blocked',
    message:
      "The project's repository is archived at the code host, so nothing can be merged there until the operator unarchives it.",
  },
}
