import { setTimeout as delay } from 'node:timers/promises'
import { hash, verify } from '@node-rs/argon2'
import pLimit from 'p-limit'
import { ServiceError } from '../errors.ts'

/** How many keys are hashed at once, and how many more may wait. */
export interface HashBound {
  atOnce: number
  waiting: number
  /** Pause after each hash, in ms, which leaves the processor to other requests; default 0. */
  restMs?: number
}

/** Bounds for registrations and for known agents. */
export interface HashBounds {
  newAgents: HashBound
  knownAgents: HashBound
}

/**
 * argon2id off the event loop, a few at a time; every method throws ServiceError `overloaded` when too many wait. It has the
 * library's parameters (19 MiB, two passes), about 13 ms each. The calls run in libuv's four threads,
 * which also serve DNS and random bytes, so both bounds together must leave threads free.
 */
export function createBoundedHash({ newAgents, knownAgents }: HashBounds) {
  const forNew = bounded(newAgents)
  const forKnown = bounded(knownAgents)
  return {
    /** Hashes the key of an agent that registers. */
    hashForNewAgent: (text: string) => forNew(() => hash(text)),
    /** Hashes a new key of a known agent; it does not wait for registrations. */
    hashForKnownAgent: (text: string) => forKnown(() => hash(text)),
    /** Whether `text` has the hash `stored`; does not wait for registrations. */
    verify: (stored: string, text: string) => forKnown(() => verify(stored, text)),
  }
}

function bounded({ atOnce, waiting, restMs }: HashBound) {
  const limit = pLimit(atOnce)
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (limit.pendingCount >= waiting) throw new ServiceError('overloaded', undefined, { retryAfter: 1 })
    return new Promise((resolve, reject) => {
      void limit(async () => {
        await work().then(resolve, reject)
        // The caller has its result; only the next hash waits.
        if (restMs) await delay(restMs)
      })
    })
  }
}
