import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { describeError, withoutSecrets } from '../config/redact.ts'
import type { ServiceError } from '../errors.ts'
import { whenFinished } from './finished.ts'

/** Logs why a request failed if the cause is ours. Errors of callers are in the access log. */
export function logFailure(request: FastifyRequest, error: ServiceError): void {
  // Shed requests are counted instead: a line for each would add to the overload.
  if (error.status < 500 || error.code === 'overloaded') return
  const details = {
    code: error.code,
    ...(error.cause !== undefined && { error: describeError(error.cause) }),
  }
  if (error.code === 'internal_error') request.log.error(details, 'request failed')
  else request.log.warn(details, 'request failed')
}

const healthChecks: (string | undefined)[] = ['/healthz', '/readyz']

/** Status in the log if the client or a proxy gave up before the response; nginx logs the same one. */
const clientGaveUp = 499

/**
 * Writes the access log, one line per request, without query strings and headers: callers put secrets there. Balancers
 * check the health several times a second, so a check that succeeds has the level `debug`.
 */
export function logAccess(request: FastifyRequest, reply: FastifyReply, status = reply.statusCode): void {
  const succeeds = status === 200 && healthChecks.includes(request.routeOptions.url)
  const level = succeeds ? 'debug' : 'info'
  if (!(request.log as Logger).isLevelEnabled(level)) return
  const [path = ''] = request.raw.url?.split('?', 1) ?? []
  request.log[level](
    {
      operation: request.routeOptions.config.operation,
      method: request.method,
      path: withoutSecrets(path.slice(0, 200)),
      status,
      ms: Math.round(reply.elapsedTime),
      ip: request.ip,
      agent_id: request.agent?.id,
      token_id: request.agent?.scope === 'key' ? undefined : request.agent?.key_id,
      ...(request.isFromTool && { via: 'mcp' }),
    },
    'request',
  )
}

/** Logs the request if its client disconnects before it has the response. Fastify does not report that. */
export function logGivenUp(request: FastifyRequest, reply: FastifyReply): void {
  let isSent = false
  reply.raw.once('finish', () => {
    isSent = true
  })
  whenFinished(request.raw, reply.raw, () => {
    if (!isSent) logAccess(request, reply, clientGaveUp)
  })
}
