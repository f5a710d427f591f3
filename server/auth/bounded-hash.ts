import pLimit, { type LimitFunction } from 'p-limit'
import { ServiceError } from '../errors.ts'
import { createHashingThreads } from './hashing-threads.ts'

/** argon2id off the event loop, a few at a time. */
export interface BoundedHash {
  /** @throws ServiceError `overloaded` when too many wait. */
  hash(text: string): Promise<string>
  /** @throws ServiceError `overloaded` when too many wait. */
  verify(stored: string, text: string): Promise<boolean>
  /** Ends its threads. */
  close(): Promise<void>
}

/**
 * argon2id with the library's parameters (19 MiB, two passes), about 13 ms each. `concurrency` threads of its own, since
 * libuv's four are shared by everything from DNS to random bytes and have the priority of the event loop; each is started
 * when it is first needed and costs 10 MB. At most `waiting` more queue up to hash, and as many to verify.
 */
export function createBoundedHash(options: { concurrency: number; waiting: number }): BoundedHash {
  const threads = createHashingThreads()
  const all = pLimit(options.concurrency)
  // Who registers waits in front of the queue for all: a flood of them holds up nobody whose key is new here.
  const hashing = pLimit(options.concurrency)
  function bounded<Result>(queue: LimitFunction, work: () => Promise<Result>): Promise<Result> {
    if (queue.pendingCount >= options.waiting)
      throw new ServiceError('overloaded', undefined, { retryAfter: 1 })
    return queue(work)
  }
  return {
    hash: async (text) => bounded(hashing, () => all(() => threads.hash(text))),
    verify: async (stored, text) => bounded(all, () => threads.verify(stored, text)),
    close: threads.close,
  }
}
