import { describe, expect, test } from 'vitest'
import { readmeText } from '../../../server/code/host/readme.ts'
import { createRepositories } from '../../../server/code/host/repositories.ts'
import { loadDescription } from '../../embedded/github/openapi.ts'
import type { GitHubRequest, RequestFault } from '../../support/request-faults.ts'
import { name, project, setUp, token } from './support.ts'

const path = `/repos/Acme/${name}`
const complete = {
  readme: readmeText(name, project),
  pullRequests: 0,
  rewritable: false,
}
const isProtection = (request: GitHubRequest) => request.path.endsWith('/protection')

type SetUp = Awaited<ReturnType<typeof setUp>>

/** The repository's settings at the host. */
async function settings(call: SetUp['call']) {
  const addresses = [`${path}/readme`, `${path}/branches/main/protection`]
  const [readme, protection] = await Promise.all(
    addresses.map(async (address) => {
      const response = await call('GET', address)
      return response.ok ? JSON.parse(await response.text()) : undefined
    }),
  )
  return {
    readme: readme && Buffer.from(readme.content, 'base64').toString(),
    pullRequests: protection?.required_pull_request_reviews?.required_approving_review_count,
    rewritable: protection && (protection.allow_force_pushes.enabled || protection.allow_deletions.enabled),
  }
}

const writes = (requests: GitHubRequest[]) => requests.filter(({ method }) => method !== 'GET')

describe('a repository that was just created', () => {
  test("has a README and a protected branch, by calls that are GitHub's", async () => {
    const { repositories, requests, call, logged } = await setUp()
    await repositories.ensure(project)
    for (const source of ['api.github.com', 'ghes-3.19'] as const) {
      const description = loadDescription(source)
      for (const { method, path, body } of writes(requests))
        expect(description.requestProblems(method, path, body)).toEqual([])
    }
    const files = writes(requests).map(({ path }) => decodeURIComponent(path).replace(/.*\/(?=[^/]+$)/, ''))
    expect(files).toEqual(['repos', 'README.md', 'protection'])
    expect(requests).toHaveLength(5) // and two reads: is the name taken, and the README's hash
    expect(await settings(call)).toEqual(complete)
    expect(logged).toEqual([])
  })

  test('gets a README that names the marketplace if its address is known', async () => {
    const { repositories, call } = await setUp({ marketplaceUrl: 'https://market.example/' })
    await repositories.ensure(project)
    const { readme } = await settings(call)
    expect(readme).toContain('<https://market.example/skill.md>')
    expect(readme).toContain(project.id)
  })

  test('a repeated call writes nothing', async () => {
    const { repositories, requests } = await setUp()
    await repositories.ensure(project)
    const before = writes(requests).length
    await repositories.ensure(project)
    expect(writes(requests)).toHaveLength(before)
  })

  test('is complete although any one response is lost, or any one request fails without effect', async () => {
    const faults = ['lose-response', { status: 502, body: { message: 'Server Error' } }] as const
    const cases = faults.flatMap((fault) => [3, 4, 5].map((hit) => ({ fault, hit })))
    await Promise.all(
      cases.map(async ({ fault, hit }) => {
        const { repositories, call, logged } = await setUp({}, (_, count) =>
          count === hit ? fault : undefined,
        )
        await repositories.ensure(project)
        expect(await settings(call), `${JSON.stringify(fault)} for request ${hit}`).toEqual(complete)
        expect(logged).toEqual([])
      }),
    )
  })

  test('is complete although its branch does not exist at first', async () => {
    let reads = 0
    const missing = { status: 404, body: { message: 'Not Found' } }
    const conflict = { status: 409, body: { message: 'Conflict' } }
    const { repositories, call, logged } = await setUp({}, ({ method, path }) => {
      if (path.endsWith('/readme') && method === 'GET' && ++reads === 1) return missing
      return path.endsWith('/README.md') && reads === 2 ? conflict : undefined
    })
    await repositories.ensure(project)
    expect(await settings(call)).toEqual(complete)
    expect(logged).toEqual([])
  })
})

describe('a repository whose process crashed', () => {
  test.each([2, 3, 4, 5, 6])('after %i requests is completed by the next', async (done) => {
    for (const lost of ['lose-response', { status: 502, body: {} }] as const) {
      let crashing = true
      // The last request of the crashed process took effect, or it did not; no later one was sent.
      const { repositories, github, call, logged } = await setUp(
        { timeoutMs: 300 },
        (_, count): RequestFault => {
          if (!crashing || count < done) return undefined
          return count === done ? lost : { status: 502, body: {} }
        },
      )
      await repositories.ensure(project).catch(() => undefined)
      crashing = false
      logged.length = 0
      const next = createRepositories({
        apiUrl: github.apiUrl,
        organization: 'Acme',
        auth: { token },
        log: { warn: (fields) => void logged.push(JSON.stringify(fields)) },
      })
      await next.ensure(project)
      expect(await settings(call)).toEqual(complete)
      expect(logged).toEqual([])
    }
  })

  async function created(call: SetUp['call']) {
    const description = `Flies [${project.id}]`
    await call('POST', '/orgs/Acme/repos', { name, description, auto_init: true })
  }

  async function write(call: SetUp['call'], text: string) {
    const { sha } = JSON.parse(await (await call('GET', `${path}/readme`)).text())
    const content = Buffer.from(text).toString('base64')
    expect((await call('PUT', `${path}/contents/README.md`, { message: 'm', content, sha })).status).toBe(200)
  }

  test('keeps a README that was edited since', async () => {
    const { repositories, call } = await setUp()
    await created(call)
    await write(call, `# ${name}\nFlies [${project.id}]\n\nBuild with make.\n`)
    await repositories.ensure(project)
    expect((await settings(call)).readme).toContain('Build with make.')
  })

  test('keeps a README that is edited between our read and our write', async () => {
    let call: SetUp['call'] | undefined
    const market = await setUp({}, async ({ method, path, body }) => {
      const ours = (body as { message?: string } | null)?.message !== 'm'
      if (method === 'PUT' && path.endsWith('/README.md') && ours) await write(call!, 'Mine.\n')
    })
    call = market.call
    await market.repositories.ensure(project)
    expect(await settings(call)).toEqual({ ...complete, readme: 'Mine.\n' })
  })

  test('keeps a protection that was chosen since', async () => {
    const { repositories, call } = await setUp()
    await created(call)
    const chosen = {
      required_status_checks: null,
      enforce_admins: true,
      required_pull_request_reviews: { required_approving_review_count: 2 },
      restrictions: null,
    }
    await call('PUT', `${path}/branches/main/protection`, chosen)
    await repositories.ensure(project)
    expect((await settings(call)).pullRequests).toBe(2)
  })
})

describe('settings that the host does not allow', () => {
  test.each([403, 404, 422])('%i for the protection: one warning, and the address', async (status) => {
    const { repositories, github, call, logged, requests } = await setUp({}, ({ method, path }) =>
      method === 'PUT' && path.endsWith('/protection')
        ? { status, body: { message: 'Upgrade to GitHub Pro' } }
        : undefined,
    )
    expect(await repositories.ensure(project)).toEqual({
      url: `${github.webUrl}/Acme/${name}`,
      id: expect.any(Number),
    })
    expect(logged.map((line) => JSON.parse(line))).toEqual([
      {
        repository: name,
        failed: [{ setting: 'protection', kind: expect.any(String), status }],
        message: 'repository settings could not be applied; the project works without them',
      },
    ])
    expect(requests.filter(isProtection)).toHaveLength(1)
    expect(await settings(call)).toEqual({ ...complete, pullRequests: undefined, rewritable: undefined })
  })

  test('403 for all settings: one warning that names each', async () => {
    const { repositories, logged } = await setUp({}, ({ method }) =>
      method === 'PUT' ? { status: 403, body: { message: 'Forbidden' } } : undefined,
    )
    await repositories.ensure(project)
    expect(logged).toHaveLength(1)
    expect(JSON.parse(logged[0]!).failed.map(({ setting }: { setting: string }) => setting)).toEqual([
      'readme',
      'protection',
    ])
  })

  test('a host that stops responding: the address when time is up', async () => {
    const open: (() => void)[] = []
    const { repositories, github, logged } = await setUp({ timeoutMs: 3000 }, async (_, count) => {
      if (count > 2) await new Promise<void>((resolve) => open.push(resolve))
      return undefined
    })
    expect(await repositories.ensure(project)).toEqual({
      url: `${github.webUrl}/Acme/${name}`,
      id: expect.any(Number),
    })
    expect(logged).toHaveLength(1)
    for (const respond of open) respond()
  })
})
