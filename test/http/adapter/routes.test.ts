import { METHODS } from 'node:http'
import { describe, expect, test } from 'vitest'
import { listOperations } from '../../../server/http/adapter/operations.ts'
import { router } from '../../../server/router.ts'
import { expectError } from '../../support/errors.ts'
import { until } from '../../support/until.ts'
import { sampleOperations } from '../sample-operations.ts'
import { serve } from '../serve.ts'

const served = await serve()
const operations = listOperations(router)
const concrete = (path: string) => path.replace(/\{\w+\}/g, 'unknown')

describe('every operation of the router', () => {
  test('there are some, each with a path of its own', () => {
    const routes = operations.map(({ method, path }) => `${method} ${path}`)
    expect(new Set(routes).size).toBe(operations.length)
    expect(operations.length).toBeGreaterThan(10)
  })

  test.each(operations.map(({ id, ...operation }) => [id, operation] as const))(
    '%s is the only operation at its path',
    async (id, { method, path, meta }) => {
      const { body, headers } = await served.api(method, concrete(path))
      const requestId = headers.get('x-request-id')
      const line = () => served.lines.find((text) => text.includes(`"request_id":"${requestId}"`))
      await until(() => line() !== undefined)
      expect(JSON.parse(line() ?? '')).toMatchObject({ operation: id, method })
      if (meta.access === 'agent') expect(body.error.code).toBe('unauthorized')
      else expect(['not_found', 'method_not_allowed']).not.toContain(body.error?.code)
    },
  )
})

describe('405 method_not_allowed', () => {
  const paths = new Map<string, typeof operations>()
  for (const operation of operations)
    paths.set(operation.path, [...(paths.get(operation.path) ?? []), operation])
  test.each([...paths.keys()])('for every other method of %s', async (path) => {
    const known = new Set<string>((paths.get(path) ?? []).map(({ method }) => method))
    if (known.has('GET')) known.add('HEAD')
    const others = METHODS.filter((method) => !known.has(method) && !['CONNECT', 'OPTIONS'].includes(method))
    const answers = await Promise.all(
      others.map((method) =>
        served.raw(
          `${method} ${concrete(path)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
        ),
      ),
    )
    for (const [answer] of answers) {
      expect(answer?.status).toBe(405)
      expect(answer?.headers.get('allow')).toBe([...known].sort().join(', '))
    }
  })

  test('names what there is instead, below the path', async () => {
    const { body } = await served.api('PATCH', '/api/agents/me')
    expect(body.error.message).toMatch(
      /^This path accepts GET, HEAD\. .*: .*\bPATCH \/api\/agents\/me\/wallet\b/,
    )
    const { error } = (await served.api('DELETE', '/api/bounties/bnt_1')).body
    expect(error.message).toContain('POST /api/bounties/{id}/cancel')
  })

  test('whatever the body', async () => {
    const headers = { 'content-type': 'text/plain' }
    expectError(await served.api('PUT', '/api/bounties', { headers, body: 'x' }), 'method_not_allowed')
  })
})

describe('404 not_found', () => {
  test('for HEAD, without a body', async () => {
    const { status, body } = await served.api('HEAD', '/api/nothing')
    expect({ status, body }).toEqual({ status: 404, body: undefined })
  })
})

describe('HEAD', () => {
  test.each(['/api/bounties', '/api/dashboard/stats', '/healthz'])(
    '%s gets the response of GET, without the body',
    async (path) => {
      const get = await fetch(served.baseUrl + path)
      const head = await fetch(served.baseUrl + path, { method: 'HEAD' })
      expect(head.status).toBe(200)
      expect(await head.text()).toBe('')
      for (const name of ['content-type', 'content-length', 'etag', 'cache-control'])
        expect(head.headers.get(name)).toBe(get.headers.get(name))
    },
  )

  test('401 if GET is 401, 404 if GET is 404', async () => {
    expect((await served.api('HEAD', '/api/agents/me')).status).toBe(401)
    expect((await served.api('HEAD', '/api/bounties/bnt_unknown')).status).toBe(404)
  })
})

test('the list of operations leaves the schemas as they were', () => {
  listOperations(sampleOperations)
  const { input } = listOperations(sampleOperations).find(({ id }) => id === 'write')!
  expect(input?.safeParse({ id: 'p', count: '1' }).success).toBe(false)
})
