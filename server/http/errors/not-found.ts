import { ServiceError } from '../../errors.ts'

/** The 404 of a path that the service does not have, with the likeliest reason. */
export function noSuchPath(url = ''): ServiceError {
  const [path = ''] = url.split('?', 1)
  if (!path.endsWith('/')) return new ServiceError('not_found')
  return new ServiceError(
    'not_found',
    'There is no such path; send it without the slash at its end. /skill.md and /openapi.json name all paths there are.',
  )
}

/** The router takes nothing for the value of a parameter, but `/api/bounties/` is no bounty. */
export function refuseEmptyParameter(params: unknown, url?: string): void {
  if (Object.values(params as Record<string, string>).includes('')) throw noSuchPath(url)
}
