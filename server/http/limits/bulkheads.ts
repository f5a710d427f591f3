import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import pLimit from 'p-limit'
import type { Logger } from 'pino'
import { type ErrorCode, ServiceError } from '../../errors.ts'
import type { Operation } from '../adapter/operations.ts'
import { toServiceError } from '../errors/service-error.ts'

/** Once the first in the queue has waited so long, whoever comes is better served later. */
const longestWaitMs = 2000
/** How many may wait, as a multiple of those that are served at once. */
const waitingRatio = 2
/** How long a refusal takes: callers that come again at once would leave no time for those that are served. */
const refusalMs = 500
const saidEveryMs = 10_000

/** Requests that are served at the cost of each other. */
export interface Lane {
  /**
   * Does what comes before the body is read: authentication and rate limits.
   * @throws ServiceError `overloaded` before anything is done, where the lane is full and stays so for a moment
   */
  approach<Result>(work: () => Promise<Result>): Promise<Result>
  /**
   * Serves a request when it is its turn.
   * @throws ServiceError `overloaded` before anything is done, where too many wait or the client has gone meanwhile
   */
  serve<Result>(socket: Socket, work: () => Promise<Result>): Promise<Result>
}

/** The lanes of all operations. */
export interface Bulkheads {
  of(operation: Pick<Operation, 'id' | 'returnsSecret' | 'errors'>): Lane
}

/** How much a process takes on. */
export interface LaneOptions {
  /** Requests served at once in each lane. */
  atOnce: number
  log: Pick<Logger, 'warn'>
  /** Told of each request that was answered `overloaded`. */
  onShed?: ((operation: string) => void) | undefined
}

/**
 * Four lanes, so that nobody waits behind what he does not need: operations that wait for the outcome of long work on
 * the chain, those that ask the chain or the code host, those that hash keys, and all others.
 */
export function createBulkheads({ atOnce, log, onShed }: LaneOptions): Bulkheads {
  const say = sayingNowAndThen(log)
  const queued = { atOnce, waiting: atOnce * waitingRatio, retryAfter: 1 }
  const lanes = {
    // Its places are free again after a minute at worst, too long to queue for.
    outcome: createBulkhead({ atOnce, waiting: 0, retryAfter: 5 }),
    others: createBulkhead(queued),
    hashing: createBulkhead(queued),
    own: createBulkhead(queued),
  }
  return {
    of(operation) {
      const { approach, serve } = lanes[bulkheadOf(operation)]
      const counted = async <Result>(work: Promise<Result>): Promise<Result> => {
        try {
          return await work
        } catch (thrown) {
          if (toServiceError(thrown).code === 'overloaded') {
            say()
            onShed?.(operation.id)
          }
          throw thrown
        }
      }
      return {
        approach: (work) => counted(approach(work)),
        serve: (socket, work) => counted(serve(socket, work)),
      }
    },
  }
}

function bulkheadOf({ errors, returnsSecret }: Pick<Operation, 'returnsSecret' | 'errors'>) {
  const has = (...codes: ErrorCode[]) => codes.some((code) => errors.includes(code))
  if (has('payout_unconfirmed', 'activation_unconfirmed')) return 'outcome'
  if (has('chain_unreachable', 'repository_unreachable')) return 'others'
  return returnsSecret ? 'hashing' : 'own'
}

function createBulkhead({
  atOnce,
  waiting,
  retryAfter,
}: Record<'atOnce' | 'waiting' | 'retryAfter', number>): Lane {
  const limit = pLimit(atOnce)
  // One for all, since making an error costs more than all the rest of shedding.
  const overloaded = new ServiceError('overloaded', undefined, { retryAfter })
  /** When those that wait began to, the first of them first. */
  const queue = new Set<{ since: number }>()
  let approaching = 0

  function isFull(): boolean {
    if (approaching + limit.activeCount + limit.pendingCount >= atOnce + waiting) return true
    const [first] = queue
    return first !== undefined && performance.now() - first.since > longestWaitMs
  }

  return {
    async approach(work) {
      if (isFull()) {
        await delay(refusalMs)
        if (isFull()) throw overloaded
      }
      approaching++
      try {
        return await work()
      } finally {
        approaching--
      }
    },
    async serve(socket, work) {
      if (limit.activeCount < atOnce) return limit(work)
      // Bodies that arrived slowly may all have arrived now.
      if (limit.pendingCount >= waiting) throw overloaded
      const place = { since: performance.now() }
      queue.add(place)
      return limit(() => {
        queue.delete(place)
        if (socket.destroyed) throw overloaded
        return work()
      })
    },
  }
}

function sayingNowAndThen(log: Pick<Logger, 'warn'>): () => void {
  let shed = 0
  let saidAt = Number.NEGATIVE_INFINITY
  return () => {
    shed++
    if (performance.now() - saidAt < saidEveryMs) return
    log.warn({ shed }, 'shedding load')
    saidAt = performance.now()
    shed = 0
  }
}
