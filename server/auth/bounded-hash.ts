import { hash, verify } from '@node-rs/argon2'
import pLimit, { type LimitFunction } from 'p-limit'
import { ServiceError } from '../errors.ts'
import { createHashingThread } from './hashing-thread.ts'
import { createIdleTime } from './idle-time.ts'

/** argon2id off the event loop, a few at a time. */
export interface BoundedHash {
  /** @throws ServiceError `overloaded` when too many wait. */
  hash(text: string): Promise<string>
  /** The same for one who is known: it stands back behind nobody. */
  hashForKnown(text: string): Promise<string>
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
 * argon2id with the library's parameters (19 MiB, two passes), about 13 ms each. For agents that are known it runs in
 * libuv's threads, fewer at once than the four that everything from DNS to random bytes shares. The keys of strangers
 * are hashed one at a time, in a thread that stands back and in time that is left over: a flood of registrations must not
 * cost the others.
 */
export function createBoundedHash({ verifying, hashing }: HashBounds): BoundedHash {
  const thread = createHashingThread()
  const known = pLimit(verifying.atOnce)
  const registrations = pLimit(1)
  const inIdleTime = createIdleTime()
  function bounded<Result>(queue: LimitFunction, waiting: number, work: () => Promise<Result>) {
    if (queue.pendingCount >= waiting) throw new ServiceError('overloaded', undefined, { retryAfter: 1 })
    return queue(work)
  }
  return {
    hash: async (text) => bounded(registrations, hashing.waiting, () => inIdleTime(() => thread.hash(text))),
    hashForKnown: async (text) => bounded(known, verifying.waiting, () => hash(text)),
    verify: async (stored, text) => bounded(known, verifying.waiting, () => verify(stored, text)),
    close: thread.close,
  }
}
