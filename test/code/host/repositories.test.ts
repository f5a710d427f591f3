import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { RepositoryError } from '../../../server/code/host/error.ts'
import { createRepositories } from '../../../server/code/host/repositories.ts'
import { choosePort } from '../../../server/embedded/ports.ts'
import { loadDescription } from '../../embedded/github/openapi.ts'
import { name, project, setUp, token } from './support.ts'

async function failure(promise: Promise<unknown>): Promise<RepositoryError> {
  const error = await promise.then(
    () => undefined,
    (reason) => reason,
  )
  expect(error).toBeInstanceOf(RepositoryError)
  expect(`${error} ${error.stack} ${JSON.stringify(error)}`).not.toMatch(/ghp_|http:|127\.0\.0\.1/)
  expect(error.cause).toBeUndefined()
  return error
}

describe('ensure', () => {
  test('creates the repository with what agents need', async () => {
    const { repositories, requests, github, call } = await setUp()
    expect(await repositories.ensure(project)).toEqual({
      url: `${github.webUrl}/Acme/${name}`,
      id: expect.any(Number),
    })
    const { body, path, method } = requests.find(({ method }) => method === 'POST')!
    expect(body).toEqual({
      name,
      description: 'Flies [proj_0123456789abcdefghij]',
      private: false,
      has_issues: true,
      has_wiki: false,
      auto_init: true,
      delete_branch_on_merge: true,
      allow_merge_commit: false,
      allow_rebase_merge: false,
    })
    for (const source of ['api.github.com', 'ghes-3.19'] as const) {
      expect(loadDescription(source).requestProblems(method, path, body)).toEqual([])
    }
    expect((await call('POST', '/orgs/Acme/repos', { name })).status).toBe(422)
  })

  test('repeated and concurrent calls return one repository', async () => {
    const { repositories, created } = await setUp()
    const all = await Promise.all([1, 2, 3].map(() => repositories.ensure(project)))
    all.push(await repositories.ensure(project))
    expect(new Set(all.map(({ url }) => url)).size).toBe(1)
    expect(created()).toBeLessThanOrEqual(3)
  })

  test('adopts the repository whose 201 was lost', async () => {
    const { repositories, github, created } = await setUp({}, ({ method }, count) =>
      method === 'POST' && count === 2 ? 'lose-response' : undefined,
    )
    expect(await repositories.ensure(project)).toEqual({
      url: `${github.webUrl}/Acme/${name}`,
      id: expect.any(Number),
    })
    expect(created()).toBe(1)
  })

  test('adopts the repository an earlier process created', async () => {
    const { repositories, github, call } = await setUp()
    await call('POST', '/orgs/Acme/repos', { name, description: `Old text [${project.id}]` })
    expect(await repositories.ensure(project)).toEqual({
      url: `${github.webUrl}/Acme/${name}`,
      id: expect.any(Number),
    })
  })

  test('creates it after a 502 without effect, having checked first', async () => {
    const { repositories, requests } = await setUp({}, ({ method }, count) =>
      method === 'POST' && count === 2 ? { status: 502, body: { message: 'Server Error' } } : undefined,
    )
    await repositories.ensure(project)
    expect(requests.slice(0, 4).map(({ method }) => method)).toEqual(['GET', 'POST', 'GET', 'POST'])
  })

  test('never adopts the repository of another project', async () => {
    const { repositories, github, call } = await setUp()
    await call('POST', '/orgs/Acme/repos', { name, description: `[${project.id}] quoted elsewhere` })
    await call('POST', '/orgs/Acme/repos', { name: `${name}-2` })
    expect(await repositories.ensure(project)).toEqual({
      url: `${github.webUrl}/Acme/${name}-3`,
      id: expect.any(Number),
    })
    expect(await repositories.ensure(project)).toEqual({
      url: `${github.webUrl}/Acme/${name}-3`,
      id: expect.any(Number),
    })
  })

  test('name_taken when all names are taken', async () => {
    const { repositories, call } = await setUp()
    for (const suffix of ['', '-2', '-3', '-4', '-5']) {
      await call('POST', '/orgs/Acme/repos', { name: `${name}${suffix}` })
    }
    expect(await failure(repositories.ensure(project))).toMatchObject({
      kind: 'name_taken',
      retryable: false,
    })
  })

  test('not_found if the organization does not exist', async () => {
    const { repositories } = await setUp({ organization: 'Nobody' })
    expect(await failure(repositories.ensure(project))).toMatchObject({ kind: 'not_found', retryable: false })
  })

  test('rejected when GitHub refuses a field', async () => {
    const errors = [{ resource: 'Repository', code: 'custom', field: 'description', message: 'no' }]
    const body = { message: 'Repository creation failed.', errors, documentation_url: 'x' }
    const { repositories, created } = await setUp({}, ({ method }) =>
      method === 'POST' ? { status: 422, body } : undefined,
    )
    expect(await failure(repositories.ensure(project))).toMatchObject({ kind: 'rejected', retryable: false })
    expect(created()).toBe(1)
  })

  test("a response that is not GitHub's is not a success", async () => {
    const { repositories } = await setUp({ timeoutMs: 3000 }, ({ method }) =>
      method === 'POST'
        ? { status: 201, headers: { 'content-type': 'text/html' }, body: '<html>proxy</html>' }
        : undefined,
    )
    expect(await failure(repositories.ensure(project))).toMatchObject({
      kind: 'unavailable',
      retryable: true,
    })
  })
})

describe('readPullRequest', () => {
  test('finds one that was created, in any letter case, and no other', async () => {
    const { repositories, call } = await setUp()
    const { id } = await repositories.ensure(project)
    await call('POST', `/repos/Acme/${name}/pulls`, { title: 't', head: 'h', base: 'main' })
    expect(await repositories.readPullRequest({ owner: 'ACME', repository: name, number: 1 })).toMatchObject({
      repositoryId: id,
      facts: { state: 'open' },
    })
    expect(await repositories.readPullRequest({ owner: 'Acme', repository: name, number: 2 })).toBe(undefined)
    expect(await repositories.readPullRequest({ owner: 'Acme', repository: 'gone', number: 1 })).toBe(
      undefined,
    )
  })

  test('repeats the request after a failed response', async () => {
    const { repositories, requests } = await setUp({}, (_, count) =>
      count === 1 ? { status: 503, body: {} } : undefined,
    )
    expect(await repositories.readPullRequest({ owner: 'Acme', repository: 'x', number: 1 })).toBe(undefined)
    expect(requests).toHaveLength(2)
  })
})

describe('credentials', () => {
  test('unauthorized with a token that expired; the token is in no log', async () => {
    const { repositories, logged } = await setUp({ auth: { token: 'ghp_expired' } })
    expect(await failure(repositories.ensure(project))).toMatchObject({
      kind: 'unauthorized',
      retryable: false,
    })
    expect(logged).toEqual([
      JSON.stringify({
        operation: 'ensure repository',
        kind: 'unauthorized',
        status: 401,
        message: 'request to the repository host failed',
      }),
    ])
  })

  test('unauthorized with a token that may not create', async () => {
    const body = { message: 'Resource not accessible by personal access token' }
    const { repositories } = await setUp({}, ({ method }) =>
      method === 'POST' ? { status: 403, body } : undefined,
    )
    expect(await failure(repositories.ensure(project))).toMatchObject({
      kind: 'unauthorized',
      retryable: false,
    })
  })

  test.each(['pkcs1', 'pkcs8'] as const)(
    'a GitHub App with a %s key works, line ends written as \\n',
    async (type) => {
      const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
      const pem = privateKey.export({ type, format: 'pem' }).toString().replaceAll('\n', '\\n')
      const { repositories, requests } = await setUp({
        auth: { appId: 7, privateKey: pem, installationId: 9 },
      })
      await repositories.ensure(project)
      expect(requests.slice(0, 3).map(({ path }) => path)).toEqual([
        '/app/installations/9/access_tokens',
        `/repos/Acme/${name}`,
        '/orgs/Acme/repos',
      ])
      // An App is not among the administrators, who may merge without a pull request.
      expect(
        requests.find(({ method, path }) => method === 'PUT' && path.endsWith('/protection'))?.body,
      ).toMatchObject({
        required_pull_request_reviews: { bypass_pull_request_allowances: { apps: ['bounty-marketplace'] } },
      })
    },
  )

  test('unauthorized when the App is not installed, not "no such pull request"', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    const missing = { status: 404, body: { message: 'Not Found' } }
    const { repositories } = await setUp(
      { auth: { appId: 7, privateKey: pem, installationId: 9 } },
      ({ path }) => (path.endsWith('/access_tokens') ? missing : undefined),
    )
    const pending = repositories.readPullRequest({ owner: 'Acme', repository: name, number: 1 })
    expect(await failure(pending)).toMatchObject({ kind: 'unauthorized' })
  })

  test('an invalid App key is reported at once, without showing it', async () => {
    const { github } = await setUp()
    const auth = { appId: 7, privateKey: 'secret-but-wrong', installationId: 9 }
    const create = () =>
      createRepositories({ apiUrl: github.apiUrl, organization: 'Acme', auth, log: { warn() {} } })
    expect(create).toThrow(/^the private key of the GitHub App is not a PEM private key$/)
  })
})

describe('time', () => {
  test('unavailable when the host takes longer than the budget, and nothing is created later', async () => {
    const open: (() => void)[] = []
    const { repositories, requests, call } = await setUp({ timeoutMs: 2000 }, async ({ method }) => {
      if (method === 'GET') await new Promise<void>((resolve) => open.push(resolve))
      return undefined
    })
    expect(await failure(repositories.ensure(project))).toMatchObject({
      kind: 'unavailable',
      retryable: true,
    })
    for (const respond of open) respond()
    await call('POST', '/orgs/Acme/repos', { name: 'later' })
    expect(requests.map(({ path }) => path)).toEqual([`/repos/Acme/${name}`, '/orgs/Acme/repos'])
  })

  test('unavailable when no host listens', async () => {
    const port = await choosePort()
    const { repositories } = await setUp({ apiUrl: `http://127.0.0.1:${port}/api/v3`, timeoutMs: 500 })
    expect(await failure(repositories.ensure(project))).toMatchObject({
      kind: 'unavailable',
      retryable: true,
    })
  })
})

describe('addresses', () => {
  test.each([
    ['https://api.github.com', 'https://github.com'],
    ['https://api.github.com/', 'https://github.com'],
    ['https://api.octo.ghe.com', 'https://octo.ghe.com'],
    ['https://git.example.com/api/v3', 'https://git.example.com'],
    ['https://api.example.com/api/v3', 'https://api.example.com'],
    ['http://127.0.0.1:3001/api/v3', 'http://127.0.0.1:3001'],
  ])('%s has its pages on %s', (apiUrl, url) => {
    const repositories = createRepositories({
      apiUrl,
      organization: 'Acme',
      auth: { token },
      log: { warn() {} },
    })
    expect(repositories).toMatchObject({ url, apiUrl: apiUrl.replace(/\/$/, ''), organization: 'Acme' })
  })
})
