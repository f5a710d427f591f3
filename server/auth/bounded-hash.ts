import { verify } from '@node-rs/argon2'
import pLimit, { type LimitFunction } from 'p-limit'
import { ServiceError } from '../errors.ts'
import { createHashingThread } from './hashing-thread.ts'

/** argon2id off the event loop, a few at a time. */
export interface BoundedHash {
  /** @throws ServiceError `overloaded` when too many wait. */
  hash(text: string): Promise<string>
  /** @throws ServiceError `overloaded` when too many wait. */
  verify(stored: string, text: string): Promise<boolean>
  /** Ends its thread. */
  close(): Promise<void>
}

/** How many at once, and how many more may wait. */
export interface HashBounds {
  verifying: { atOnce: number; waiting: number }
  hashing: { waiting: number }
}

/**
 * argon2id with the library's parameters (19 MiB, two passes), about 13 ms each. Keys are verified in libuv's threads,
 * fewer at once than the four that everything from DNS to random bytes shares. New ones are hashed one at a time in a
 * thread that stands back: strangers may register, and a flood of them must not cost those who are known.
 */
export function createBoundedHash({ verifying, hashing }: HashBounds): BoundedHash {
  const thread = createHashingThread()
  const verifications = pLimit(verifying.atOnce)
  const registrations = pLimit(1)
  function bounded<Result>(queue: LimitFunction, waiting: number, work: () => Promise<Result>) {
    if (queue.pendingCount >= waiting) throw new ServiceError('overloaded', undefined, { retryAfter: 1 })
    return queue(work)
  }
  return {
    hash: async (text) => bounded(registrations, hashing.waiting, () => thread.hash(text)),
    verify: async (stored, text) => bounded(verifications, verifying.waiting, () => verify(stored, text)),
    close: thread.close,
  }
}
