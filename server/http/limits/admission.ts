import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller, Scope } from '../../auth/api-keys.ts'
import { digestOfKey } from '../../crypto/sealed-response.ts'
import { ServiceError } from '../../errors.ts'
import type { Services } from '../../services.ts'
import type { OperationMeta } from '../../trpc.ts'
import type { Operation } from '../adapter/operations.ts'
import { keyReplaced, unauthorized } from '../errors/refusals.ts'
import type { Limit } from './rate-limits.ts'

/** What decides who may call an operation. */
interface Admission extends Pick<Operation, 'method'> {
  meta: Pick<OperationMeta, 'access' | 'keyOnly' | 'returnsSecret'>
}

/**
 * Authenticates the caller and counts the request against its rate limit.
 * @throws ServiceError `unauthorized`, `rate_limited`, `scope_missing`, in this order
 */
export function admit(
  operation: Admission,
  limit: Limit,
  dependencies: { services: Services },
  request: [FastifyRequest, FastifyReply],
): Promise<void> {
  if (operation.meta.access === 'public') return limit(...request)
  return admitAgent(operation, limit, dependencies, request)
}

async function admitAgent(
  operation: Admission,
  limit: Limit,
  dependencies: { services: Services },
  [request, reply]: [FastifyRequest, FastifyReply],
): Promise<void> {
  const agent = await authenticate(operation, request, dependencies)
  const refusal = refusalOf(operation, agent.scope)
  // A replaced key or a token may be in wrong hands: what they may not do does not count against the agent's limit.
  if (agent.key_ended || refusal) await limit.ofAddress(request, reply)
  else await limit.ofAgent(agent, reply)
  if (refusal) throw refusal
  await limit.ofNewcomer?.(agent.id, request, reply)
}

/**
 * Why an access token may not call an operation. It knows no operations: of a new one a token of the scope `read` calls
 * nothing but GET, and no token gets a secret.
 */
function refusalOf({ method, meta }: Admission, scope: Scope): ServiceError | undefined {
  if (scope === 'key') return undefined
  if (meta.keyOnly || meta.returnsSecret)
    return new ServiceError(
      'scope_missing',
      'An access token may not do this. It needs the API key of the agent: ask the one who keeps it.',
    )
  if (scope === 'read' && method !== 'GET')
    return new ServiceError(
      'scope_missing',
      'The access token has the scope `read`, which allows GET alone. This needs the scope `work`: ask the one who keeps the API key for such a token.',
    )
  return undefined
}

/** How long after its headers a body may arrive before its caller is authenticated again, in ms. */
const promptMs = 1000

/**
 * Authenticates the caller of a request again whose body took long. Its key may have ended since, and the owner relies on
 * that.
 * @throws ServiceError `unauthorized`
 */
export async function authenticateLate(
  { meta }: Operation,
  dependencies: { services: Services },
  [request, reply]: [FastifyRequest, FastifyReply],
): Promise<void> {
  if (request.agent && reply.elapsedTime > promptMs) await authenticate({ meta }, request, dependencies)
}

/**
 * Finds the caller by its API key. An ended key can do one thing: fetch the response that ended it again, in case it was lost
 * on its way. No other secret: whoever else has the key may know the Idempotency-Keys that were sent with it.
 * @throws ServiceError `unauthorized`
 */
export async function authenticate(
  { meta }: { meta: Pick<OperationMeta, 'returnsSecret'> },
  request: FastifyRequest,
  { services }: { services: Services },
): Promise<Caller> {
  const { authorization, 'idempotency-key': secret } = request.headers
  const agent = await services.apiKeys.authenticate(services.reads, authorization).catch((error) => {
    throw error instanceof ServiceError && error.code === 'unauthorized'
      ? unauthorized(request.headers)
      : error
  })
  const isOfRotation = () =>
    typeof secret === 'string' && agent.rotation_digest?.equals(digestOfKey(agent.id, secret))
  if (agent.key_ended && !(meta.returnsSecret && isOfRotation())) {
    request.agent = null
    throw keyReplaced()
  }
  request.agent = agent
  return agent
}
