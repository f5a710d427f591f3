import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { GitHubError } from './errors.ts'

/** Characters of responses that an account gets in a minute, unless it is the platform: making them keeps the only thread of the service. */
const mostPerMinute = 32 * 1024 * 1024
/** A client that takes nothing of its response for so long loses its connection. */
const idleMs = 30_000

/** Limits what an account reads, or an address without one. */
export function limitReads(app: FastifyInstance): void {
  const minutes = new LRUCache<string, { characters: number }>({ max: 10_000, ttl: 60_000 })
  const holder = ({ caller, ip }: FastifyRequest) => caller?.login ?? ip
  const isLimited = ({ caller }: FastifyRequest) => caller?.kind !== 'platform'
  app.addHook('preHandler', async (request) => {
    if (!isLimited(request) || (minutes.get(holder(request))?.characters ?? 0) < mostPerMinute) return
    const message = 'You have read too much within a minute: try again later.'
    throw new GitHubError(429, message, undefined, '60')
  })
  app.addHook('onSend', async (request, reply, payload) => {
    if (!isLimited(request) || typeof payload !== 'string') return payload
    const minute = minutes.get(holder(request)) ?? { characters: 0 }
    minute.characters += payload.length
    // The minute does not begin anew with each response.
    minutes.set(holder(request), minute, { ttl: minutes.getRemainingTTL(holder(request)) || 60_000 })
    reply.raw.setTimeout(idleMs, () => reply.raw.destroy())
    return payload
  })
}
