import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRes,
} from 'rate-limiter-flexible'
import type { Caller } from '../../auth/api-keys.ts'
import type { Config } from '../../config/config.ts'
import type { Database } from '../../db/client.ts'
import { prepared, runOn, toPrepare } from '../../db/prepared.ts'
import { ServiceError } from '../../errors.ts'
import { standingOf } from '../../lifecycle/standing.ts'
import type { OwnLimit } from '../../trpc.ts'
import { countedAddress } from './client-address.ts'

const minute = 60
const hour = 3600
const mostReaders = 50_000
/** Requests an hour and agent of operations that have a limit of their own. */
const perHour = { exports: 5, deliveries: 60, invitations: 10, comments: 30 }

/** An agent, and whether it called with its API key or an access token. */
type Counted = Pick<Caller, 'id' | 'scope'>

/** Counts a request and sets the `RateLimit` headers. @throws ServiceError `rate_limited` */
export interface Limit {
  (request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** Counts the request for this agent. */
  ofAgent(agent: Counted, reply: FastifyReply): Promise<void>
  /** Counts the request for the address that sent it. */
  ofAddress(request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** Counts the request of this agent for its address as well, unless the agent has standing. */
  ofNewcomer?(agentId: string, request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** Takes back that a request was counted. Absent where refused requests count like others. */
  giveBack?(request: FastifyRequest): Promise<void>
}

/** The limits of all operations. */
export interface RateLimits {
  of(operation: { method: string; access: 'public' | 'agent'; rateLimit?: OwnLimit | undefined }): Limit
  /** Deletes expired counters. */
  purge(): Promise<void>
}

const done = Promise.resolve()
const nothing = () => done
const unlimited: Limit = Object.assign(nothing, { ofAgent: nothing, ofAddress: nothing })

/**
 * Registrations and claims of newcomers per address and hour, writes and what has a limit of its own per agent, counted in
 * the database for all processes; reads per address (public) or agent and minute, counted in this process. RATE_LIMITS=off
 * switches off all of them except that of exports: it protects the keys of wallets, not the machine.
 */
export function createRateLimits(db: Database, config: Config): RateLimits {
  const own = (name: OwnLimit, points: number) => limitBy(shared(db, name, points, hour))
  const registrations = shared(db, 'registrations', config.RATE_LIMIT_REGISTRATIONS_PER_HOUR, hour)
  const writes = shared(db, 'writes', config.RATE_LIMIT_WRITES_PER_MINUTE, minute)
  const newcomerClaims = config.RATE_LIMIT_NEWCOMER_CLAIMS_PER_HOUR
  const ownLimits: Record<OwnLimit, Limit> = {
    exports: own('exports', perHour.exports),
    deliveries: own('deliveries', perHour.deliveries),
    invitations: own('invitations', perHour.invitations),
    comments: own('comments', perHour.comments),
    merges: ofSuccesses(shared(db, 'merges', config.MERGES_PER_HOUR, hour, true), limitBy(writes)),
    claims: alsoOfNewcomers(db, shared(db, 'newcomer_claims', newcomerClaims, hour, true), limitBy(writes)),
  }
  const reads = local('reads', config.RATE_LIMIT_READS_PER_MINUTE, minute)
  return {
    of({ method, access, rateLimit }) {
      if (config.RATE_LIMITS === 'off' && rateLimit !== 'exports') return unlimited
      if (rateLimit) return ownLimits[rateLimit]
      if (method === 'GET') return limitBy(reads)
      return limitBy(access === 'public' ? registrations : writes)
    },
    async purge() {
      await db
        .deleteFrom('rate_limits')
        .where('expire', '<', sql<number>`${sql.raw(databaseNow)}`)
        .execute()
    },
  }
}

/** The present time in ms. The clocks of servers may differ, so windows begin and end by that of the database. */
const databaseNow = '(extract(epoch from now()) * 1000)::bigint'

/** Counts points of a key for a window in ms, which begins anew once the earlier one is over. */
const countPoints = `insert into rate_limits as counted (key, points, expire) values ($1, greatest($2, 0), ${databaseNow} + $3)
  on conflict (key) do update set
    points = greatest($2, 0, case when counted.expire > ${databaseNow} then counted.points + $2 end),
    expire = case when counted.expire <= ${databaseNow} then ${databaseNow} + $3 else counted.expire end
  returning points, expire - ${databaseNow} as ms_left`

/** A statement of the library: points of a key, when a window ends that begins now, and the time by the process's clock. */
interface LibraryStatement {
  values: [key: string, points: number, end: number, now: number]
}

/** @param mayGiveBack whether requests may cease to count, which has to be seen at once */
function shared(
  db: Database,
  name: string,
  points: number,
  duration: number,
  mayGiveBack = false,
): RateLimiterPostgres {
  return new RateLimiterPostgres({
    storeClient: {
      // In place of the library's own statement, which goes by the process's clock, as does what it makes of the result.
      query: async ({ values: [key, added, end, now] }: LibraryStatement) => {
        const counted = toPrepare<{ points: number; ms_left: string }>(countPoints, [key, added, end - now])
        const rows = await runOn(db, counted)
        return {
          rows: rows.map(({ points, ms_left }) => ({ points, expire: Date.now() + Number(ms_left) })),
        }
      },
    },
    storeType: 'client',
    tableName: 'rate_limits',
    tableCreated: true,
    clearExpiredByTimeout: false,
    keyPrefix: name,
    points,
    duration,
    // Requests over the limit cost the database nothing.
    ...(!mayGiveBack && { inMemoryBlockOnConsumed: points }),
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

/**
 * The name under which a request of an agent counts. Within a minute, those of its access tokens count together and apart from
 * those of its key, so that nobody who has a token can keep the owner from revoking it.
 */
function nameOf({ id, scope }: Counted, { duration }: RateLimiterAbstract): string {
  return duration === minute && scope !== 'key' ? `tokens:${id}` : id
}

/** @param about what a refused caller should know beside how long to wait */
function limitBy(limiter: RateLimiterAbstract, about = ''): Limit {
  const name = limiter.keyPrefix
  const policy = `"${name}";q=${limiter.points};w=${limiter.duration}`
  const count = async (key: string, reply: FastifyReply) => {
    const { allowed, state } = await consume(limiter, key)
    const seconds = Math.ceil(Math.max(0, state.msBeforeNext) / 1000)
    reply.headers({
      'ratelimit-policy': policy,
      ratelimit: `"${name}";r=${state.remainingPoints};t=${seconds}`,
    })
    if (allowed) return
    const message = `Too many requests; wait ${Math.max(1, seconds)} seconds.${about}`
    throw new ServiceError('rate_limited', message, { retryAfter: seconds })
  }
  const ofAgent = (agent: Counted, reply: FastifyReply) => count(nameOf(agent, limiter), reply)
  const ofAddress = (request: FastifyRequest, reply: FastifyReply) => count(countedAddress(request.ip), reply)
  return Object.assign(
    (request: FastifyRequest, reply: FastifyReply) =>
      request.agent ? ofAgent(request.agent, reply) : ofAddress(request, reply),
    { ofAgent, ofAddress },
  )
}

/** A limit of an agent's requests that take effect. All of them count against `ofAll`, so none can be sent without end. */
function ofSuccesses(limiter: RateLimiterAbstract, ofAll: Limit): Limit {
  const own = limitBy(limiter)
  const { ofAgent } = own
  return Object.assign(own, {
    // Both count each request, because each refused one is given back.
    ofAgent: (agent: Counted, reply: FastifyReply) =>
      ofAll.ofAgent(agent, reply).finally(() => ofAgent(agent, reply)),
    giveBack: async ({ agent }: FastifyRequest) => void (agent && (await limiter.reward(agent.id))),
  })
}

const aboutNewcomers =
  ' Agents without standing share this limit with their network address. A payout that can be sold ends it.'

const standing = prepared((db, { agent }: { agent: string }) =>
  db.selectNoFrom(standingOf(agent).as('standing')),
)

/** The claims of an agent on a bounty within the last hour. They were counted when they were made. */
const claimsWithinHour = prepared((db, { agent, bounty }: { agent: string; bounty: string }) =>
  db
    .selectFrom('activity')
    .where('visibility', '=', sql.lit('public' as const))
    .where('bounty_id', '=', bounty)
    .where('type', '=', sql.lit('bounty.claimed' as const))
    .where('agent_id', '=', agent)
    .where('created_at', '>', sql<Date>`now() - interval '1 hour'`)
    .select('id')
    .limit(sql.lit(1)),
)

/**
 * Counts what takes effect for an agent without standing against its address as well: agents cost nothing, addresses do. An
 * agent that gives a bounty back and claims it again counts once, or it could use up the hour of its address alone.
 */
function alsoOfNewcomers(db: Database, limiter: RateLimiterAbstract, ofAll: Limit): Limit {
  const { ofAddress } = limitBy(limiter, aboutNewcomers)
  const counted = new WeakSet<FastifyRequest>()
  return Object.assign(ofAll, {
    async ofNewcomer(agent: string, request: FastifyRequest, reply: FastifyReply) {
      const [found] = await runOn(db, standing({ agent }))
      if (found && found.standing > 0) return
      const { id: bounty } = request.params as { id: string }
      const earlier = await runOn(db, claimsWithinHour({ agent, bounty }))
      if (earlier.length > 0) return
      counted.add(request)
      await ofAddress(request, reply)
    },
    async giveBack(request: FastifyRequest) {
      if (counted.has(request)) await limiter.reward(countedAddress(request.ip))
    },
  })
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
