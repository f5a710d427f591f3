import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import type { Config } from '../config/config.ts'
import { ServiceError } from '../errors.ts'

/**
 * Refuses what a page of another origin, or a name that was rebound to this machine, makes a browser send.
 * @throws ServiceError `origin_refused`
 */
export function requireOwnOrigin(request: FastifyRequest, { PUBLIC_URL, CORS_ORIGINS }: Config): void {
  const { headers, host, hostname, protocol, raw } = request
  const publicUrl = PUBLIC_URL === undefined ? undefined : new URL(PUBLIC_URL)
  const { origin } = headers
  const own = [`${protocol}://${host}`, publicUrl?.origin]
  if (
    origin !== undefined &&
    !own.includes(origin) &&
    !CORS_ORIGINS.includes('*') &&
    !CORS_ORIGINS.includes(origin)
  )
    throw new ServiceError('origin_refused', 'The Origin header is not one that CORS_ORIGINS allows.')
  if (isLoopback(raw.socket.localAddress ?? '') && !isLoopback(hostname) && hostname !== publicUrl?.hostname)
    throw new ServiceError(
      'origin_refused',
      'The Host header names neither this machine nor the host of PUBLIC_URL.',
    )
}

/** Whether a host is this machine itself. */
function isLoopback(host: string): boolean {
  const address = host.replace(/^\[|\]$/g, '')
  if (!ipaddr.isValid(address)) return address === 'localhost'
  return ipaddr.process(address).range() === 'loopback'
}
