import type { IncomingHttpHeaders } from 'node:http'
import { ServiceError } from '../../errors.ts'

const wanted = 'Send the API key as `Authorization: Bearer <api_key>`.'

/**
 * The refusal of a caller. It depends on the form of the request alone: every Bearer value gets the same one, whatever is
 * wrong with it, so that nobody learns whether a key exists.
 */
export function unauthorized(headers: IncomingHttpHeaders): ServiceError {
  const { authorization = '' } = headers
  if (/^bearer(\s|$)/i.test(authorization.trim())) return new ServiceError('unauthorized')
  return new ServiceError('unauthorized', `${problemOf(authorization.trim(), headers)} ${wanted}`)
}

function problemOf(authorization: string, headers: IncomingHttpHeaders): string {
  if (authorization !== '') return 'The Authorization header has another scheme than Bearer.'
  if (headers['x-api-key'] !== undefined)
    return 'The API key belongs in the Authorization header, not in X-Api-Key.'
  return 'The request has no Authorization header.'
}
