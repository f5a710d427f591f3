import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../../auth/api-keys.ts'
import { ServiceError } from '../../errors.ts'
import type { Services } from '../../startup/services.ts'
import type { Operation } from '../adapter/operations.ts'
import { unauthorized } from '../errors/unauthorized.ts'
import type { Idempotency } from '../idempotency/idempotency.ts'
import type { Limit } from './rate-limits.ts'

/**
 * Finds out who calls and counts the request. A caller whose key was good a moment ago is counted while it is looked
 * up: both cost one round trip to the database.
 * @throws ServiceError `unauthorized`, `rate_limited`, in this order
 */
export async function admit(
  operation: Operation,
  limit: Limit,
  surroundings: { services: Services; idempotency: Idempotency },
  [request, reply]: [FastifyRequest, FastifyReply],
): Promise<void> {
  if (operation.meta.access === 'public') return limit(request, reply)
  const expected = surroundings.services.apiKeys.expected(request.headers.authorization)
  const counted = expected === undefined ? undefined : limit.ofAgent(expected, reply)
  // Its failure matters only to a caller who is who was expected.
  counted?.catch(() => undefined)
  const agent = await authenticate(operation, request, surroundings)
  // Whoever has a key that was taken away must not use up what its owner may do.
  if (agent.key_ended) await limit.ofAddress(request, reply)
  else await (agent.id === expected ? counted : limit.ofAgent(agent.id, reply))
}

/** An ended key can do one thing: read the answer that ended it again, where that answer was lost on its way. */
async function authenticate(
  { meta }: Operation,
  request: FastifyRequest,
  { services, idempotency }: { services: Services; idempotency: Idempotency },
): Promise<Caller> {
  const { authorization } = request.headers
  const agent = await services.apiKeys
    .authenticate(services.reads, authorization, { evenEnded: meta.returnsSecret })
    .catch((error) => {
      throw error instanceof ServiceError && error.code === 'unauthorized'
        ? unauthorized(request.headers)
        : error
    })
  request.agent = agent
  if (agent.key_ended && !(await idempotency.isAnswered(request))) {
    request.agent = null
    throw new ServiceError('unauthorized')
  }
  return agent
}
