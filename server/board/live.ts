import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { RouteDependencies } from '../http/expose.ts'
import { jsonType, privateCache } from '../http/headers.ts'
import type { Limit } from '../http/limits/rate-limits.ts'
import type { createNames } from './names.ts'
import { type LivePage, withoutMarks } from './page.ts'
import type { PageRequest } from './pages/definition.ts'
import { type Event, timelineItems } from './pages/timeline.ts'
import { type createReader, visitOf } from './reader.ts'

/** What becomes visible at once in a timeline. Another page follows at once. */
const limitOfPage = 50

/** What the live timeline is read and written with. */
export interface LiveOptions extends Pick<PageRequest, 'site'> {
  dependencies: RouteDependencies
  limit: Limit
  readFor: ReturnType<typeof createReader>
  namesFrom: ReturnType<typeof createNames>
}

/** `GET /bounties/:id/live?after=CURSOR&wait=25`: a {@link LivePage} as JSON, as soon as it has an item or the time is over. */
export function serveLive(
  app: FastifyInstance,
  { dependencies: { services, bulkheads, drain }, limit, readFor, namesFrom, site }: LiveOptions,
): void {
  const bulkhead = bulkheads.of({ id: 'board.live', meta: { bulkhead: 'waiting' } })
  const next = async (request: FastifyRequest, signal: AbortSignal): Promise<LivePage> => {
    const { id: bounty_id } = request.params as { id: string }
    const { after, wait = '0' } = request.query as { after?: string; wait?: string }
    const read = readFor(visitOf(request, services, { signal }))
    // The procedure refuses what is not valid.
    const wanted = request.method === 'HEAD' ? 0 : Number(wait)
    // Refuses a bounty that does not exist or was cancelled, for which nobody is to wait.
    await read('bounties.get', { id: bounty_id })
    const query = { bounty_id, after, wait: wanted, limit: limitOfPage }
    const { events, cursor, has_more, truncated } = await read('events.list', query)
    return {
      items: await timelineItems({ names: namesFrom(services.reads), site }, events as Event[], {
        isOfOne: true,
      }),
      cursor,
      has_more,
      truncated,
    }
  }
  app.get('/bounties/:id/live', {
    config: { operation: 'board.live' },
    onRequest: (request, reply) => bulkhead.beforeBody(async () => limit(request, reply)),
    handler: async (request, reply) => {
      const page = await bulkhead.serve(request, () => next(request, drain.signalOf(reply)))
      return reply
        .headers({ 'content-type': jsonType, 'cache-control': privateCache })
        .send(JSON.stringify(withoutMarks(page)))
    },
  })
}
