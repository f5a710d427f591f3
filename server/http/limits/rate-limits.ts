import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRes,
} from 'rate-limiter-flexible'
import type { Config } from '../../config/config.ts'
import type { Database } from '../../db/client.ts'
import { runOn, toPrepare } from '../../db/prepared.ts'
import { ServiceError } from '../../errors.ts'
import type { OwnLimit } from '../../trpc.ts'
import { countedAddress } from './client-address.ts'

const minute = 60
const hour = 3600
const mostReaders = 50_000
/** Requests an hour and agent of operations that have a limit of their own. */
const perHour: Record<OwnLimit, number> = { exports: 5, deliveries: 60, invitations: 10, merges: 30 }

/** Counts a request and sets the `RateLimit` headers. @throws ServiceError `rate_limited` */
export interface Limit {
  (request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** Counts the request for this agent. */
  ofAgent(agentId: string, reply: FastifyReply): Promise<void>
  /** Counts the request for the address that sent it. */
  ofAddress(request: FastifyRequest, reply: FastifyReply): Promise<void>
}

/** The limits of all operations. */
export interface RateLimits {
  of(operation: { method: string; access: 'public' | 'agent'; rateLimit?: OwnLimit | undefined }): Limit
  /** Deletes expired counters. */
  purge(): Promise<void>
}

const nothing = async () => undefined
const unlimited: Limit = Object.assign(nothing, { ofAgent: nothing, ofAddress: nothing })

/**
 * Registrations per address and hour, writes and what has a limit of its own per agent, counted in the database for all
 * processes; reads per address (public) or agent and minute, counted in this process. `isOn` switches all of them except
 * that of exports: it protects the keys of wallets, not the machine.
 */
export function createRateLimits(db: Database, config: Config, { isOn = true } = {}): RateLimits {
  const own = (name: OwnLimit) => limitBy(shared(db, name, perHour[name], hour))
  const ownLimits = {
    exports: own('exports'),
    deliveries: own('deliveries'),
    invitations: own('invitations'),
    merges: own('merges'),
  }
  const registrations = shared(db, 'registrations', config.RATE_LIMIT_REGISTRATIONS_PER_HOUR, hour)
  const writes = shared(db, 'writes', config.RATE_LIMIT_WRITES_PER_MINUTE, minute)
  const reads = local('reads', config.RATE_LIMIT_READS_PER_MINUTE, minute)
  return {
    of({ method, access, rateLimit }) {
      if (!isOn && rateLimit !== 'exports') return unlimited
      if (rateLimit) return ownLimits[rateLimit]
      if (method === 'GET') return limitBy(reads)
      return limitBy(access === 'public' ? registrations : writes)
    },
    async purge() {
      await db.deleteFrom('rate_limits').where('expire', '<', Date.now()).execute()
    },
  }
}

function shared(db: Database, name: string, points: number, duration: number): RateLimiterPostgres {
  return new RateLimiterPostgres({
    storeClient: {
      query: async ({ text, values }: { text: string; values: unknown[] }) => ({
        rows: await runOn(db, toPrepare(text, values)),
      }),
    },
    storeType: 'client',
    tableName: 'rate_limits',
    tableCreated: true,
    clearExpiredByTimeout: false,
    keyPrefix: name,
    points,
    duration,
    // Requests over the limit cost the database nothing.
    inMemoryBlockOnConsumed: points,
  })
}

/** The library's memory store grows with the number of callers. This one forgets the least recent caller. */
function local(name: string, points: number, duration: number): RateLimiterAbstract {
  const limiter = new RateLimiterMemory({ keyPrefix: name, points, duration })
  const seen = new LRUCache<string, true>({
    max: mostReaders,
    dispose: (_value, key, reason) => {
      if (reason === 'evict') void limiter.delete(key)
    },
  })
  const consume = limiter.consume.bind(limiter)
  limiter.consume = (key, ...rest) => {
    seen.set(String(key), true)
    return consume(key, ...rest)
  }
  return limiter
}

function limitBy(limiter: RateLimiterAbstract): Limit {
  const name = limiter.keyPrefix
  const policy = `"${name}";q=${limiter.points};w=${limiter.duration}`
  const count = async (key: string, reply: FastifyReply) => {
    const { allowed, state } = await consume(limiter, key)
    const seconds = Math.ceil(Math.max(0, state.msBeforeNext) / 1000)
    reply.headers({
      'ratelimit-policy': policy,
      ratelimit: `"${name}";r=${state.remainingPoints};t=${seconds}`,
    })
    if (!allowed)
      throw new ServiceError('rate_limited', `Too many requests; wait ${Math.max(1, seconds)} seconds.`, {
        retryAfter: seconds,
      })
  }
  const ofAddress = (request: FastifyRequest, reply: FastifyReply) => count(countedAddress(request.ip), reply)
  return Object.assign(
    (request: FastifyRequest, reply: FastifyReply) =>
      request.agent ? count(request.agent.id, reply) : ofAddress(request, reply),
    { ofAgent: count, ofAddress },
  )
}

async function consume(
  limiter: RateLimiterAbstract,
  key: string,
): Promise<{ allowed: boolean; state: RateLimiterRes }> {
  try {
    return { allowed: true, state: await limiter.consume(key) }
  } catch (thrown) {
    if (thrown instanceof RateLimiterRes) return { allowed: false, state: thrown }
    throw thrown
  }
}
