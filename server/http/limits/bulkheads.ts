import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import pLimit from 'p-limit'
import type { Logger } from 'pino'
import { limitPerKey } from '../../config/limit-per-key.ts'
import { ServiceError } from '../../errors.ts'
import type { BulkheadName } from '../../trpc.ts'
import { toServiceError } from '../errors/service-error.ts'

/** Once the first request in the queue has waited this long, new ones do better to come back later. */
const longestWaitMs = 2000
/** How many requests may queue, as a multiple of those that are served at once. */
const queueRatio = 2
/** How long a refusal takes. Callers that come back at once would leave no time for the requests being served. */
const refusalMs = 500
/** The share of places for pages of the board that ask the chain. */
const shareOfVisitors = 0.25
/**
 * The share of places that one agent takes at most where a request waits for a minute. By default 75: repeated approvals of
 * one bounty are refused by its state (409) and not by this limit.
 */
const shareOfAgent = 0.15
/** Submissions of one agent that are read at the code host at once, so that it takes few of the connections; and how many more may wait. */
const submissionsOfAgent = { ofAgent: 3, waiting: 47 }
/** Seconds after which a request that would wait for a minute may find a place. */
const retryOutcome = 5
const logEveryMs = 10_000

/** A request that has been authenticated; `agent` is null on operations without an API key. */
type Admitted = { agent: { id: string } | null; raw: { socket: Socket } }

/** A bounded number of places for requests, with a short queue. */
export interface Bulkhead {
  /**
   * Runs what comes before the body is read: authentication and rate limits.
   * @throws ServiceError `overloaded` before anything is done, if the bulkhead is full and stays full for a moment
   */
  beforeBody<Result>(work: () => Promise<Result>): Promise<Result>
  /**
   * Serves a request as soon as it has a place.
   * @throws ServiceError before anything is done: `overloaded` if the queue is full or the client disconnects meanwhile,
   * `rate_limited` if its agent has as many places as one agent may take
   */
  serve<Result>(request: Admitted, work: () => Promise<Result>): Promise<Result>
}

/** The bulkheads of a process. */
export interface Bulkheads {
  of(operation: { id: string; meta: { bulkhead: BulkheadName } }): Bulkhead
}

/** How much a process takes on. */
export interface BulkheadOptions {
  /** Requests served at once in each bulkhead. */
  atOnce: number
  /** Requests that wait for events at once. */
  waits: number
  log: Pick<Logger, 'warn'>
  /** Called for each request that was refused as `overloaded`. */
  onShed?: ((operation: string) => void) | undefined
}

/** One bulkhead for each {@link BulkheadName}, so that slow operations take no places from fast ones. */
export function createBulkheads({ atOnce, waits, log, onShed }: BulkheadOptions): Bulkheads {
  const logShed = shedLog(log)
  const queued = placesOf(atOnce)
  // A place may be taken for a minute, which is too long to queue for.
  const ofAgent = Math.max(1, Math.floor(atOnce * shareOfAgent))
  const outcomes = { atOnce, queued: 0, retryAfter: retryOutcome, ofAgent }
  const bulkheads: Record<BulkheadName, Bulkhead> = {
    approvals: createBulkhead(outcomes),
    activations: createBulkhead(outcomes),
    // Waiting costs nothing. Beyond the limit requests still get their page, but at once.
    waiting: createBulkhead({ atOnce: waits + atOnce, queued: 0, retryAfter: 1 }),
    external: createBulkhead(queued),
    challenge: createBulkhead(queued),
    hashing: createBulkhead(queued),
    submissions: createBulkhead({ ...queued, ...submissionsOfAgent }),
    // People without a key take no places from agents, and few of the node's.
    visitors: createBulkhead(placesOf(Math.max(1, Math.floor(atOnce * shareOfVisitors)))),
    default: createBulkhead(queued),
  }
  return {
    of({ id, meta }) {
      const { beforeBody, serve } = bulkheads[meta.bulkhead]
      const count = (thrown: unknown): never => {
        if (toServiceError(thrown).code === 'overloaded') {
          logShed()
          onShed?.(id)
        }
        throw thrown
      }
      return {
        beforeBody: (work) => beforeBody(work).catch(count),
        serve: (request, work) => serve(request, work).catch(count),
      }
    },
  }
}

function placesOf(atOnce: number) {
  return { atOnce, queued: atOnce * queueRatio, retryAfter: 1 }
}

interface Size {
  atOnce: number
  queued: number
  retryAfter: number
  /** Requests of one agent that are served at once, and how many more wait within their places; default none. */
  ofAgent?: number
  waiting?: number
}

function createBulkhead(size: Size): Bulkhead {
  const limit = pLimit(size.atOnce)
  // Shared, because making an error costs more than the rest of a refusal.
  const overloaded = new ServiceError('overloaded', undefined, { retryAfter: size.retryAfter })
  const perAgent = size.ofAgent === undefined ? undefined : limitPerAgent(size.ofAgent, size)
  /** When each queued request began to wait, the first one first. */
  const queue = new Set<{ since: number }>()
  let authenticating = 0

  function isFull(): boolean {
    if (authenticating + limit.activeCount + limit.pendingCount >= size.atOnce + size.queued) return true
    const [first] = queue
    return first !== undefined && performance.now() - first.since > longestWaitMs
  }

  return {
    async beforeBody(work) {
      if (isFull()) {
        await delay(refusalMs)
        if (isFull()) throw overloaded
      }
      authenticating++
      try {
        return await work()
      } finally {
        authenticating--
      }
    },
    async serve({ agent, raw: { socket } }, given) {
      const work = agent && perAgent ? () => perAgent(agent.id, given) : given
      if (limit.activeCount < size.atOnce) return limit(work)
      // Many slow bodies may have ended at the same time.
      if (limit.pendingCount >= size.queued) throw overloaded
      const queued = { since: performance.now() }
      queue.add(queued)
      return limit(() => {
        queue.delete(queued)
        if (socket.destroyed) throw overloaded
        return work()
      })
    },
  }
}

/** Does work for agents, at most `atOnce` pieces at once for each, while so many more wait. */
function limitPerAgent(atOnce: number, { waiting = 0, retryAfter }: Pick<Size, 'waiting' | 'retryAfter'>) {
  const most = atOnce + waiting
  const { run, taken } = limitPerKey<string>(atOnce)
  return async <Result>(agentId: string, work: () => Promise<Result>): Promise<Result> => {
    if (taken(agentId) >= most)
      throw new ServiceError(
        'rate_limited',
        `This agent has ${most} such requests under way, which is the limit. Send this one again when one of them has ended.`,
        { retryAfter },
      )
    return run(agentId, work)
  }
}

/** Logs the number of refused requests at most once every {@link logEveryMs}. */
function shedLog(log: Pick<Logger, 'warn'>): () => void {
  let shed = 0
  let loggedAt = Number.NEGATIVE_INFINITY
  return () => {
    shed++
    if (performance.now() - loggedAt < logEveryMs) return
    log.warn({ shed }, 'shedding load')
    loggedAt = performance.now()
    shed = 0
  }
}
