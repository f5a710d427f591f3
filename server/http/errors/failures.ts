import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../../errors.ts'
import { newId } from '../../ids.ts'
import { logFailure } from '../access-log.ts'
import { jsonType, privateCache, securityHeaders } from '../headers.ts'
import { errorResponse } from '../response.ts'
import { toServiceError } from './service-error.ts'

/** Most paths that the error about a method names. */
const mostNamed = 20

/** Responds to anything thrown, in the one error shape unless `toResponse` makes another. */
export function sendFailure(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  toResponse = errorResponse,
): void {
  const error = withLimit(toServiceError(thrown), request)
  logFailure(request, error)
  const { status, headers, body } = toResponse(error, request.id)
  reply
    .code(status)
    .headers({ ...headers, 'cache-control': privateCache, 'content-type': jsonType })
    .send(body)
}

/** The error of a body that is too large, with the limit of its path. */
function withLimit(error: ServiceError, { routeOptions: { bodyLimit } }: FastifyRequest): ServiceError {
  if (error.code !== 'payload_too_large' || bodyLimit === undefined) return error
  const message = `The request body is larger than ${bodyLimit / 1024} KiB.`
  return new ServiceError('payload_too_large', message, { cause: error.cause })
}

/** Responds to errors of the router itself, before any hook has run: invalid percent-encoding and overlong segments. */
export function sendRouterFailure(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
  reply.headers({ 'x-request-id': request.id, ...securityHeaders })
  sendFailure(thrown, request, reply)
}

/**
 * Refuses the methods that a known path does not have, with `Allow`, before the body is read, which does not matter here.
 * @param routes the methods of every path, complete once the app is ready
 */
export function refuseOtherMethods(app: FastifyInstance, routes: ReadonlyMap<string, Set<string>>): void {
  /** Whether a path has the form of a route's; a parameter is never empty. */
  const fits = (route: string, path: string) => {
    const names = route.split('/')
    const parts = path.split('/')
    return (
      names.length === parts.length &&
      names.every((name, index) => (name.includes(':') ? parts[index] !== '' : parts[index] === name))
    )
  }
  app.addHook('onRequest', ({ raw: { url = '' }, method, is404 }, reply, next) => {
    const [path = ''] = url.split('?', 1)
    const known = routes.has(path) ? path : is404 && [...routes.keys()].find((route) => fits(route, path))
    const methods = known && routes.get(known)
    if (!methods || methods.has(method) || method === 'OPTIONS') return next()
    const allow = [...methods].sort().join(', ')
    reply.header('allow', allow)
    const changes = [...routes]
      .filter(([below]) => below.startsWith(`${known}/`))
      .slice(0, mostNamed)
      .flatMap(([below, others]) =>
        [...others]
          .filter((other) => other !== 'GET' && other !== 'HEAD')
          .map((other) => `${other} ${below.replace(/:(\w+)/g, '{$1}')}`),
      )
    const instead = changes.length > 0 ? ` Requests that change it: ${changes.join(', ')}.` : ''
    next(new ServiceError('method_not_allowed', `This path accepts ${allow}.${instead}`))
  })
}

/** Responds to what never became a request: broken HTTP, headers too large, a client too slow. */
export function respondToBrokenConnection(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  respondOnSocket(socket, new ServiceError(brokenCode(error.code)))
}

/** Sends `error` on a connection without a request, and closes the connection. */
export function respondOnSocket(socket: Socket, error: ServiceError): void {
  // Node removes its own listener from such a connection. A reset by the client would then end the process.
  socket.on('error', () => socket.destroy())
  const requestId = newId('request')
  const { status, body } = errorResponse(error, requestId)
  const headers = {
    'x-request-id': requestId,
    ...securityHeaders,
    'cache-control': privateCache,
    'content-type': jsonType,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
  socket.destroySoon()
}

function brokenCode(code: string | undefined) {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'request_timeout'
  return code === 'HPE_HEADER_OVERFLOW' ? 'headers_too_large' : 'malformed_request'
}
