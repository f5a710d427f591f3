import { type ErrorCode, ServiceError } from '../errors.ts'
import { RepositoryError } from '../repositories/error.ts'

/**
 * Runs calls of the code host for a request.
 * @param refused the code where the host does not allow it
 * @throws ServiceError `repository_unreachable`, or `refused`
 */
export async function onCodeHost<Result>(work: () => Promise<Result>, refused?: ErrorCode): Promise<Result> {
  try {
    return await work()
  } catch (cause) {
    if (!(cause instanceof RepositoryError)) throw cause
    const code = refused && cause.kind === 'rejected' ? refused : 'repository_unreachable'
    throw new ServiceError(code, undefined, { cause })
  }
}
