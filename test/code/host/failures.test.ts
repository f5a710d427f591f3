import { RequestError } from '@octokit/request-error'
import { describe, expect, test } from 'vitest'
import { RepositoryError } from '../../../server/code/host/error.ts'
import {
  isNameTaken,
  isUnknownOutcome,
  toRepositoryError,
  undefinedIfMissing,
} from '../../../server/code/host/failures.ts'

interface Reply {
  status: number
  message?: string
  headers?: Record<string, string>
  path?: string
  data?: unknown
}

/** The error that Octokit throws for a response of the host. */
function failed({
  status,
  message = 'no',
  headers = {},
  path = '/repos/acme/rocket',
  ...reply
}: Reply): RequestError {
  const { data = { message } } = reply
  const url = `https://api.github.com${path}`
  return new RequestError(message, status, {
    request: { method: 'GET', url, headers: {} },
    response: { status, url, headers, data, retryCount: 0 },
  })
}

/** The error that Octokit throws if no response arrived: it has status 500, but no response. */
const unanswered = new RequestError('fetch failed', 500, {
  request: { method: 'GET', url: 'https://api.github.com/repos/acme/rocket', headers: {} },
})
const login = '/app/installations/9/access_tokens'

describe('a failure is classified', () => {
  test.each<[string, Error, string | undefined]>([
    ['no response', unanswered, 'unavailable'],
    ['301', failed({ status: 301 }), 'unavailable'],
    ['401', failed({ status: 401 }), 'unauthorized'],
    ['403', failed({ status: 403 }), 'unauthorized'],
    [
      '403 that names a rate limit',
      failed({ status: 403, message: 'API rate limit exceeded' }),
      'unavailable',
    ],
    [
      '403 without remaining requests',
      failed({ status: 403, headers: { 'x-ratelimit-remaining': '0' } }),
      'unavailable',
    ],
    ['403 to retry later', failed({ status: 403, headers: { 'retry-after': '60' } }), 'unavailable'],
    ['404', failed({ status: 404 }), 'not_found'],
    ['404 for an App that is not installed', failed({ status: 404, path: login }), 'unauthorized'],
    [
      'an App that is suspended',
      failed({ status: 403, path: login, message: 'This installation has been suspended' }),
      'suspended',
    ],
    ['451', failed({ status: 451 }), 'blocked'],
    ['403 of a blocked repository', failed({ status: 403, message: 'Repository access blocked' }), 'blocked'],
    [
      '403 of an archived repository',
      failed({ status: 403, message: 'Repository was archived so is read-only.' }),
      'archived',
    ],
    ['422', failed({ status: 422 }), 'rejected'],
    ['408 of a proxy', failed({ status: 408 }), 'unavailable'],
    ['431 of a proxy', failed({ status: 431 }), 'unavailable'],
    ['429', failed({ status: 429 }), 'unavailable'],
    ['404 with a page', failed({ status: 404, data: '<html>no such page</html>' }), 'unavailable'],
    ['403 without a body', failed({ status: 403, data: '' }), 'unavailable'],
    ['422 in the shape of another', failed({ status: 422, data: { error: 'blocked' } }), 'unavailable'],
    ['502', failed({ status: 502 }), 'unavailable'],
    ['502 during login', failed({ status: 502, path: login }), 'unavailable'],
    ['an aborted request', new DOMException('aborted', 'AbortError'), 'unavailable'],
    ['a bug of ours', new TypeError('x is undefined'), undefined],
  ])('%s: %s', (_, error, kind) => {
    expect(toRepositoryError(error)?.kind).toBe(kind)
  })

  const inAnHour = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1800003600' }
  const moments = {
    date: 'Sun, 01 Nov 2026 10:00:00 GMT',
    'retry-after': 'Sun, 01 Nov 2026 10:01:30 GMT',
  }
  test.each<[string, Reply, number | undefined]>([
    ['the time it names', { status: 403, headers: { 'retry-after': '30' } }, 30],
    ['the time until the moment that it names', { status: 403, headers: moments }, 90],
    ['an hour at most', { status: 429, headers: { 'retry-after': '86400' } }, 3600],
    [
      'a minute where it names none',
      { status: 403, message: 'You have exceeded a secondary rate limit' },
      60,
    ],
    [
      'until its quota begins again, by its own clock',
      { status: 403, headers: { ...inAnHour, date: new Date(1_800_003_000_000).toUTCString() } },
      600,
    ],
    ['a second if it begins now', { status: 429, headers: { ...inAnHour, 'retry-after': '0.2' } }, 1],
    ['no time after other refusals', { status: 403 }, undefined],
  ])('the host wants no requests for %s', (_, reply, seconds) => {
    expect(toRepositoryError(failed(reply))?.retryAfter).toBe(seconds)
  })

  test('and a classified one stays as it is', () => {
    const error = new RepositoryError('name_taken')
    expect(toRepositoryError(error)).toBe(error)
  })
})

test('only a 404 of the host itself says that something is missing', () => {
  expect(undefinedIfMissing(failed({ status: 404 }))).toBe(undefined)
  const page = failed({ status: 404, data: '<html>no such page</html>' })
  expect(() => undefinedIfMissing(page)).toThrow(page)
})

test('only lost and failed responses leave the outcome unknown', () => {
  const unknown = [unanswered, failed({ status: 500 }), new RepositoryError('unavailable')]
  const known = [
    failed({ status: 422 }),
    // The login failed, so the actual request was never sent.
    failed({ status: 502, path: login }),
    new RepositoryError('rejected'),
    new TypeError('x is undefined'),
  ]
  expect(unknown.map(isUnknownOutcome)).toEqual([true, true, true])
  expect(known.map(isUnknownOutcome)).toEqual([false, false, false, false])
})

test('a taken name is told from other refusals by its message', () => {
  const taken = { status: 422, message: 'Repository creation failed: name already exists on this account' }
  expect(isNameTaken(failed(taken))).toBe(true)
  expect(isNameTaken(failed({ ...taken, status: 403 }))).toBe(false)
  expect(isNameTaken(failed({ status: 422, message: 'name is too long' }))).toBe(false)
})
