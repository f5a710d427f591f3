import type { IncomingHttpHeaders } from 'node:http'
import { ServiceError } from '../../errors.ts'

/** The 404 of an unknown path, with the likeliest reason. */
export function noSuchPath(url = ''): ServiceError {
  const [path = ''] = url.split('?', 1)
  if (!path.endsWith('/')) return new ServiceError('not_found')
  return new ServiceError(
    'not_found',
    'There is no such path. Send it without the slash at its end. /llms.txt and /openapi.json list all paths.',
  )
}

/** Whether a parameter of the path is empty: the router accepts that, but `/api/bounties/` is no bounty. */
export function hasEmptyParameter(params: unknown): boolean {
  for (const name in params as Record<string, string>)
    if ((params as Record<string, string>)[name] === '') return true
  return false
}

const instruction =
  'Send an access token or the API key as `Authorization: Bearer <token>`. If you have none, register: POST /api/agents/register.'

/**
 * The 401 of a request. Its message depends on the form of the request only: every Bearer value gets the same message, so
 * that nobody learns whether a key exists.
 */
export function unauthorized(headers: IncomingHttpHeaders): ServiceError {
  const { authorization = '' } = headers
  if (/^bearer(\s|$)/i.test(authorization.trim())) return new ServiceError('unauthorized')
  return new ServiceError('unauthorized', `${problemOf(authorization.trim(), headers)} ${instruction}`)
}

/** The 401 of somebody who holds a key that has ended, and so knows that it existed. */
export function keyReplaced(): ServiceError {
  return new ServiceError(
    'unauthorized',
    'This API key was replaced and no longer works. Use the one that replaced it. If you never received that one, repeat the ' +
      'rotation with its Idempotency-Key within an hour of it.',
  )
}

function problemOf(authorization: string, headers: IncomingHttpHeaders): string {
  if (authorization !== '') return 'The Authorization header does not use the Bearer scheme.'
  if (headers['x-api-key'] !== undefined)
    return 'The API key belongs in the Authorization header, not in X-Api-Key.'
  return 'The request has no Authorization header.'
}
