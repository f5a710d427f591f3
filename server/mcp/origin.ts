import { localhostAllowedHostnames, validateHostHeader } from '@modelcontextprotocol/server'
import type { FastifyRequest } from 'fastify'
import type { Config } from '../config/config.ts'
import { ServiceError } from '../errors.ts'

const loopback = /^(::1$|(::ffff:)?127\.)/

/**
 * Refuses what a page of another origin, or a name that was rebound to this machine, makes a browser send.
 * @throws ServiceError `origin_refused`
 */
export function requireOwnOrigin(request: FastifyRequest, { PUBLIC_URL, CORS_ORIGINS }: Config): void {
  const { headers, host, protocol, raw } = request
  const publicUrl = PUBLIC_URL === undefined ? undefined : new URL(PUBLIC_URL)
  const allowed = [...CORS_ORIGINS, `${protocol}://${host}`, publicUrl?.origin]
  if (headers.origin !== undefined && !allowed.includes('*') && !allowed.includes(headers.origin))
    throw new ServiceError('origin_refused', 'The Origin header is not one that CORS_ORIGINS allows.')
  const hosts = [...localhostAllowedHostnames(), ...(publicUrl ? [publicUrl.hostname] : [])]
  if (loopback.test(raw.socket.localAddress ?? '') && !validateHostHeader(host, hosts).ok)
    throw new ServiceError(
      'origin_refused',
      'The Host header names neither this machine nor the host of PUBLIC_URL. Behind a proxy the operator has to set PUBLIC_URL.',
    )
}
