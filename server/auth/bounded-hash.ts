import { hash, verify } from '@node-rs/argon2'
import pLimit from 'p-limit'
import { ServiceError } from '../errors.ts'

/** argon2id off the event loop, a few at a time. */
export interface BoundedHash {
  /** @throws ServiceError `overloaded` when too many wait. */
  hash(text: string): Promise<string>
  /** @throws ServiceError `overloaded` when too many wait. */
  verify(stored: string, text: string): Promise<boolean>
}

/**
 * argon2id with the library's parameters (19 MiB, two passes), about 13 ms each. `concurrency` stays below libuv's four
 * threads, which everything from DNS to random bytes shares; at most `waiting` more queue up.
 */
export function createBoundedHash(options: { concurrency: number; waiting: number }): BoundedHash {
  const limit = pLimit(options.concurrency)
  const bounded = <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (limit.pendingCount >= options.waiting)
      throw new ServiceError('overloaded', undefined, { retryAfter: 1 })
    return limit(work)
  }
  return {
    hash: async (text) => bounded(() => hash(text)),
    verify: async (stored, text) => bounded(() => verify(stored, text)),
  }
}
