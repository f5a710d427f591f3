import type { IncomingMessage } from 'node:http'
import type { FastifyReply } from 'fastify'
import { newId } from '../ids.ts'

/** Headers of every response. Pages that are more than JSON set their own Content-Security-Policy. */
export const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'cross-origin',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
} as const

export const jsonType = 'application/json; charset=utf-8'

/** For responses to one caller or of one moment. */
export const privateCache = 'no-store'

/** For public responses: anybody may store them, but must revalidate them each time. */
export const publicCache = 'no-cache'

/** For addresses that hold a digest of the content, so that nobody needs to ask again. */
export const lastingCache = 'public, max-age=31536000, immutable'

/** Adds a request header to `Vary`. */
export function varyBy(reply: FastifyReply, name: string): void {
  const others = [reply.getHeader('vary') ?? []].flat()
  reply.header('vary', [...others, name].join(', '))
}

/** The caller's own `X-Request-Id` where it is 1 to 128 visible ASCII characters, else a new one. */
export function requestIdOf(request: Pick<IncomingMessage, 'headers'>): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && /^[\x21-\x7e]{1,128}$/.test(given) ? given : newId('request')
}

/** Whether a request names one well-formed host; HTTP/1.0 may name none. */
export function hasValidHost({ rawHeaders, headers, httpVersion }: IncomingMessage): boolean {
  const { host } = headers
  if (host === undefined || host === '') return httpVersion === '1.0'
  let given = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') given++
  }
  return given === 1 && /^[^\s/?#@\\]+$/.test(host) && URL.canParse(`http://${host}`)
}
