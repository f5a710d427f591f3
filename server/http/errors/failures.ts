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
  const error = toServiceError(thrown)
  logFailure(request, error)
  const { status, headers, body } = toResponse(error, request.id)
  reply
    .code(status)
    .headers({ ...headers, 'cache-control': privateCache, 'content-type': jsonType })
    .send(body)
}

/** Responds to errors of the router itself, before any hook has run: invalid percent-encoding and overlong segments. */
export function sendRouterFailure(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
  reply.headers({ 'x-request-id': request.id, ...securityHeaders })
  sendFailure(thrown, request, reply)
}

/** Gives every known path a 405 with `Allow` for the methods it does not have. Call it after the last route. */
export function refuseOtherMethods(app: FastifyInstance, routes: Map<string, Set<string>>): void {
  for (const [url, known] of routes) {
    const others = app.supportedMethods.filter((method) => !known.has(method) && method !== 'OPTIONS')
    const allow = [...known].sort().join(', ')
    const below = [...routes].filter(([path]) => path.startsWith(`${url}/`)).slice(0, mostNamed)
    app.route({
      method: others,
      url,
      // Before the body is read, which does not matter here.
      onRequest: async (_request, reply) => {
        reply.header('allow', allow)
        const changes = below.flatMap(([path, methods]) =>
          [...methods]
            .filter((method) => method !== 'GET' && method !== 'HEAD')
            .map((method) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`),
        )
        const instead = changes.length > 0 ? ` Requests that change it: ${changes.join(', ')}.` : ''
        throw new ServiceError('method_not_allowed', `This path accepts ${allow}.${instead}`)
      },
      handler: async () => undefined,
    })
  }
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
